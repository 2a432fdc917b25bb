import type { AuthorizeCharts, ChartLimit } from '@clinical-records/core';
import { isId, isWithinLimit, type ResourceLabels } from '@clinical-records/core/adapter';
import { type HttpRequest, headerOf, tokenOf } from '../http.ts';
import { chartLimitFor, type Interaction, isCurrent, type MatchingIssues, type Principal } from './scopes.ts';

type Answer = Promise<Principal | null> | Principal | null;

/**
 * The authorization server, or another system with which requests are authenticated, cannot be asked. If `authenticate`
 * or `authenticateSession` throws it, the response is a 503 instead of a 500. `onError` receives it with its `cause`.
 */
export class AuthenticationUnavailable extends Error {
  /** Always `AuthenticationUnavailable`. */
  override readonly name = 'AuthenticationUnavailable';
}

/** How a host authenticates a request. */
export type Authentication = {
  /** Returns the principal of a bearer token, or null if the token is not valid. It is never called without a token. */
  readonly authenticate: (token: string, request: HttpRequest) => Answer;
  /**
   * Returns the principal of a request without an `Authorization` header, for example with a session cookie, or null.
   * Without this function, such a request is a 401. A write in a session must have a `Content-Type`, because a browser
   * does not let other sites send JSON unless your CORS headers allow it.
   */
  readonly authenticateSession?: (request: HttpRequest) => Answer;
};

/** Whether a request is authenticated with a session. A browser adds a session cookie on its own. */
export const hasSession = (request: HttpRequest): boolean => headerOf(request, 'authorization') === undefined;

const askForPrincipal = (
  request: HttpRequest,
  { authenticate, authenticateSession }: Authentication,
): Answer => {
  if (hasSession(request)) return authenticateSession?.(request) ?? null;
  const token = tokenOf(request);
  return token === null ? null : authenticate(token, request);
};

/**
 * Finds the principal of a request, with its agent; null if there is none, or if it has expired. If the request has a token, only the token counts,
 * and not a session. A host in plain JavaScript may return undefined or false for none.
 */
export const authenticateRequest = async (
  request: HttpRequest,
  authentication: Authentication,
): Promise<Principal | null> => {
  const principal = await askForPrincipal(request, authentication);
  if (!principal || !isCurrent(principal)) return null;
  const { agent } = request;
  return agent === undefined || principal.agent !== undefined ? principal : { ...principal, agent };
};

/** The question: may this sender do this in these charts? */
export type AuthorizationQuestion = {
  /** The sender, whose scopes allow the interaction. */
  readonly principal: Principal;
  /** The interaction. A resource that a search includes is read. A command that is staged is created, and has further ones. */
  readonly interaction: Interaction;
  /** The type of the resource, such as `Goal`, or `Command`. */
  readonly resourceType: string;
  /** The id of the resource, or of the command, such as `Goal/7/0`; null for a search, or for a resource that is to be created. */
  readonly id: string | null;
  /**
   * The patients to whose charts the resource belongs, or to whom a search is limited by its parameters and by scopes. Empty if
   * it can be any chart: a search names no patient, or a resource of the host has none.
   */
  readonly patientIds: readonly string[];
  /**
   * The security labels and tags of the resource, such as `{ security: [{ code: 'R' }] }`: as it is now, or as a create sends
   * it. Empty for a search, which is asked about before anything is found.
   */
  readonly labels: ResourceLabels;
  /** The request, for example for the reason to break the glass in a header. */
  readonly request: HttpRequest;
};

/**
 * The answer: everything that was asked for, nothing of it, or only what is in the charts of some patients: the id of one, or
 * the ids of several.
 */
export type Authorization =
  | 'allow'
  | 'deny'
  | {
      /** The id of a patient, or the ids of several. */
      readonly limitTo: string | readonly string[];
    };

/** Decides what scopes cannot say. Source: docs/authorization.md. */
export type Authorize = (question: AuthorizationQuestion) => Promise<Authorization> | Authorization;

/** The sender of a request, and the request. */
export type Sender = Pick<AuthorizationQuestion, 'principal' | 'request'>;

/** The charts that a sender reaches with an interaction of a type; null if the scopes do not allow it. */
export type ChartLimits = (type: string, interaction: Interaction) => ChartLimit | null;

const isPatientIds = (limitTo: unknown): limitTo is string | readonly string[] =>
  [limitTo].flat().every(isId);

/** The limit of an answer. Throws if a host in plain JavaScript returned something else. */
const limitOfAnswer = (answer: unknown): Pick<ChartLimit, 'within'> => {
  if (answer === 'allow') return {};
  if (answer === 'deny') return { within: [] };
  if (typeof answer === 'object' && answer !== null && 'limitTo' in answer && isPatientIds(answer.limitTo)) {
    return { within: answer.limitTo };
  }
  throw new TypeError("authorize() must return 'allow', 'deny' or { limitTo } with ids of patients.");
};

/** The labels of a resource, whatever else it has. */
export const labelsIn = (resource: object): ResourceLabels => {
  const { meta } = resource as { readonly meta?: ResourceLabels | null };
  const { security, tag } = meta ?? {};
  return { ...(Array.isArray(security) && { security }), ...(Array.isArray(tag) && { tag }) };
};

/** Asks the host which charts a sender reaches with an interaction of a type, whatever its scopes are. */
export const createAuthorizeCharts =
  (
    sender: Sender,
    authorize: Authorize,
    question: Pick<AuthorizationQuestion, 'resourceType' | 'interaction'>,
  ): AuthorizeCharts =>
  async ({ id, patientIds, labels }) =>
    limitOfAnswer(
      await authorize({
        ...sender,
        ...question,
        id,
        patientIds: [...patientIds],
        labels: structuredClone(labels),
      }),
    );

/** The settings on which the limits of a sender depend, beside the scopes. */
export type LimitSettings = {
  readonly authorize: Authorize | undefined;
  readonly matchingIssues: MatchingIssues;
};

/** The charts that a sender reaches: those of the scopes, and of them those that `authorize` allows. */
export const createChartLimits = (
  sender: Sender,
  { authorize, matchingIssues }: LimitSettings,
): ChartLimits => {
  if (authorize === undefined) {
    return (type, interaction) => chartLimitFor(sender.principal, type, interaction, matchingIssues);
  }
  return (resourceType, interaction) => {
    const limit = chartLimitFor(sender.principal, resourceType, interaction, matchingIssues);
    return (
      limit && {
        ...limit,
        authorize: createAuthorizeCharts(sender, authorize, { resourceType, interaction }),
      }
    );
  };
};

/** The limit of a sender who needs two permissions at once; null if one of them is not granted. */
export const bothLimits = (one: ChartLimit, other: ChartLimit | null): ChartLimit | null => {
  if (other === null) return null;
  const both = { ...other, ...one };
  const [first, second] = [one.authorize, other.authorize];
  if (first === undefined || second === undefined) return both;
  return {
    ...both,
    authorize: async (reached) => {
      const answer = await first(reached);
      return isWithinLimit(answer, reached.patientIds) ? second(reached) : answer;
    },
  };
};

/** Counts a request until the returned function is called. Returns null if the sender has too many already. */
export type BeginRequest = (
  principal: Pick<Principal, 'subject' | 'client' | 'agent'>,
) => (() => void) | null;

const countNothing = () => {};

/** Throws if the limit is not a whole number of at least 1. */
export const checkMaxInFlight = (maxInFlight: number): void => {
  if (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1) {
    throw new TypeError('maxInFlight must be a whole number of at least 1.');
  }
};

/** Limits how many requests of one subject by one client are handled at the same time. Its agents do not use up those of a user. */
export const createInFlightLimit = (maxInFlight: number | undefined): BeginRequest => {
  if (maxInFlight === undefined) return () => countNothing;
  const counts = new Map<string, number>();
  return ({ subject, client, agent }) => {
    const key = JSON.stringify([subject, client, agent?.reference]);
    const count = counts.get(key) ?? 0;
    if (count >= maxInFlight) return null;
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    };
  };
};
