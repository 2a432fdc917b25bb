import {
  type AuthorizeCharts,
  type AuthorReference,
  type ChartLimit,
  isId,
  isWithinLimit,
  parsePatientId,
  type ServedType,
} from '@clinical-records/core';
import { type HttpRequest, headerOf, tokenOf } from '../http.ts';
import type { RouteResult } from '../routes.ts';

/** A type that can be served here: one of the records, Provenance, or a type that they refer to. */
type ScopedType =
  | ServedType
  | ('Patient' | 'Practitioner' | 'PractitionerRole' | 'RelatedPerson' | 'Organization' | 'HealthcareService')
  | 'AuditEvent'
  | ('Encounter' | 'Location' | 'Device' | 'Condition' | 'Observation' | 'DiagnosticReport' | 'Specimen');

type Combination = `${'c' | ''}${'r' | ''}${'u' | ''}${'d' | ''}${'s' | ''}`;

/** A SMART scope for the resources here, such as `user/*.read`. Source: SMART App Launch 2.2, and its form of version 1. */
export type Scope =
  `${'patient' | 'user' | 'system'}/${ScopedType | '*'}.${'read' | 'write' | '*' | Exclude<Combination, ''>}`;

/** The sender of a request, as its token or session identifies it. */
export type Principal = {
  /**
   * A reference to the sender, such as `Practitioner/12` or `Device/lab`, or the URL of a person of another server. It is the author
   * in the history.
   */
  readonly subject: AuthorReference;
  /**
   * SMART scopes such as `user/*.read`, `patient/Goal.rs` or `system/Immunization.cruds`: a list, or the text of a token with
   * spaces between them. Other scopes in a text grant nothing here. Source: RFC 6749, 3.3.
   */
  readonly scopes: string | readonly Scope[];
  /**
   * The patient to whose chart scopes of `patient/` are limited: the id, or `Patient/<id>`. Without a valid id, those
   * scopes grant nothing.
   */
  readonly patient?: string | undefined;
  /** The client that acts for the subject, such as the `client_id` of its token: for an audit, and for `maxInFlight`. */
  readonly client?: string | undefined;
};

/**
 * The author for the history. Throws if a host in plain JavaScript returned no subject, so that every write has an
 * author.
 */
export const subjectOf = ({ subject }: Principal): AuthorReference => {
  if (typeof subject === 'string' && subject.trim() !== '') return subject;
  throw new TypeError('authenticate() returned a principal without a subject.');
};

type Answer = Promise<Principal | null> | Principal | null;

/**
 * The authorization server, or another system by which requests are authenticated, cannot be asked. If `authenticate`
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
   * Returns the principal of a request without an `Authorization` header, for example by a session cookie, or null.
   * Without this function, such a request is a 401. A write in a session must have a `Content-Type`, because a browser
   * does not let other sites send JSON unless your CORS headers allow it.
   */
  readonly authenticateSession?: (request: HttpRequest) => Answer;
};

/** Whether a request is authenticated by a session. A browser adds a session cookie on its own. */
export const hasSession = (request: HttpRequest): boolean => headerOf(request, 'authorization') === undefined;

/**
 * Finds the principal of a request. If the request has a token, only the token counts, and not a session. A host in plain
 * JavaScript may return undefined or false for none.
 */
export const authenticateRequest = (
  request: HttpRequest,
  { authenticate, authenticateSession }: Authentication,
): Answer => {
  if (hasSession(request)) return authenticateSession?.(request) ?? null;
  const token = tokenOf(request);
  return token === null ? null : authenticate(token, request);
};

/** The permissions, each with its letter in SMART v2. A caller that may read a resource may read its past. */
export const permissions = {
  create: 'c',
  read: 'r',
  vread: 'r',
  history: 'r',
  update: 'u',
  search: 's',
  operation: 'r',
} as const;

/** An interaction with resources of a type. Source: FHIR R4, RESTful API. */
export type Interaction = keyof typeof permissions;

const permissionLetters = (granted: string): string => {
  switch (granted) {
    case 'read':
      return 'rs';
    case 'write':
      return 'cud';
    case '*':
      return 'cruds';
    default:
      return granted;
  }
};

/** Source: SMART App Launch 2.2, "Scopes for requesting FHIR Resources", and its form of version 1. */
const scopePattern = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(read|write|\*|(?=.)c?r?u?d?s?)$/;

/**
 * Whether a text has the form of a SMART scope, for any resource. A scope with a query does not have it: it grants
 * nothing here.
 */
export const isScope = (text: string): boolean => scopePattern.test(text);

const scopesOf = ({ scopes }: Principal): readonly string[] =>
  typeof scopes === 'string' ? scopes.split(' ') : scopes;

/**
 * Whether a type has the events of an audit. They name the users and patients of all charts. So `*` does not stand for the type:
 * only a scope that names it grants it.
 */
export const isAuditType = (type: string): boolean => type === 'AuditEvent';

/** The contexts of the scopes for a type. The events of an audit are not for patients, because they name others, too. */
export const contextsOf = (type: string): readonly string[] =>
  isAuditType(type) ? ['user', 'system'] : ['user', 'system', 'patient'];

/** Whether scopes of a context grant a permission for a resource type. */
const grants = (
  contexts: readonly string[],
  principal: Principal,
  type: string,
  interaction: Interaction,
): boolean =>
  scopesOf(principal).some((scope) => {
    const [, context = '', what, granted = ''] = scopePattern.exec(scope) ?? [];
    return (
      contexts.includes(context) &&
      (what === type || (what === '*' && !isAuditType(type))) &&
      permissionLetters(granted).includes(permissions[interaction])
    );
  });

/** Whether scopes of a system may read a type, one resource and all of them. A user or a patient cannot grant an export. */
export const isGrantedToSystem = (principal: Principal, type: string): boolean =>
  grants(['system'], principal, type, 'read') && grants(['system'], principal, type, 'search');

/** The patient id of a principal; null if there is none. */
const patientIdOf = ({ patient }: Principal): string | null =>
  // A host in plain JavaScript may have a number or null here.
  typeof patient === 'string' ? parsePatientId(patient) : null;

/** The chart to which a permission is limited, if it is limited. Returns null if the permission is not granted. */
export const chartLimitFor = (
  principal: Principal,
  type: string,
  interaction: Interaction,
): ChartLimit | null => {
  if (grants(['user', 'system'], principal, type, interaction)) return {};
  const within = contextsOf(type).includes('patient') ? patientIdOf(principal) : null;
  return within !== null && grants(['patient'], principal, type, interaction) ? { within } : null;
};

/** The question: may this sender do this in these charts? */
export type AuthorizationQuestion = {
  /** The sender, whose scopes allow the interaction. */
  readonly principal: Principal;
  /** The interaction. A resource that a search includes is read. */
  readonly interaction: Interaction;
  /** The type of the resource, such as `Goal`. */
  readonly resourceType: string;
  /** The id of the resource; null for a search, or for a resource that is to be created. */
  readonly id: string | null;
  /**
   * The patients to whose charts the resource belongs, or to whom a search is limited by its parameters and by scopes. Empty if
   * it can be any chart: a search names no patient, or a resource of the host has none.
   */
  readonly patientIds: readonly string[];
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

type Sender = Pick<AuthorizationQuestion, 'principal' | 'request'>;

/** The charts that a sender reaches by an interaction with a type; null if the scopes do not allow it. */
export type ChartLimits = (type: string, interaction: Interaction) => ChartLimit | null;

const isPatientIds = (limitTo: unknown): limitTo is string | readonly string[] =>
  [limitTo].flat().every(isId);

/** The limit of an answer. Throws if a host in plain JavaScript returned something else. */
const limitOf = (answer: unknown): Pick<ChartLimit, 'within'> => {
  if (answer === 'allow') return {};
  if (answer === 'deny') return { within: [] };
  if (typeof answer === 'object' && answer !== null && 'limitTo' in answer && isPatientIds(answer.limitTo)) {
    return { within: answer.limitTo };
  }
  throw new TypeError("authorize() must return 'allow', 'deny' or { limitTo } with ids of patients.");
};

/** Asks the host which charts a sender reaches by an interaction with a type, whatever its scopes are. */
export const createAuthorizeCharts =
  (
    sender: Sender,
    authorize: Authorize,
    question: Pick<AuthorizationQuestion, 'resourceType' | 'interaction'>,
  ): AuthorizeCharts =>
  async ({ id, patientIds }) =>
    limitOf(await authorize({ ...sender, ...question, id, patientIds: [...patientIds] }));

/** The charts that a sender reaches: those of the scopes, and of them those that `authorize` allows. */
export const createChartLimits = (sender: Sender, authorize: Authorize | undefined): ChartLimits => {
  if (authorize === undefined) {
    return (type, interaction) => chartLimitFor(sender.principal, type, interaction);
  }
  return (resourceType, interaction) => {
    const limit = chartLimitFor(sender.principal, resourceType, interaction);
    return (
      limit && {
        ...limit,
        authorize: createAuthorizeCharts(sender, authorize, { resourceType, interaction }),
      }
    );
  };
};

/**
 * Whether the result of a write may be read by its sender. The resource may have more data than the request sent. If the host
 * fails, it may not: a 500 would say that the write failed.
 */
export const mayRead = (
  limit: ChartLimit | null,
  result: RouteResult,
  onFailure: (cause: unknown) => void,
): boolean | Promise<boolean> => {
  if (limit === null || typeof result === 'string') return false;
  const { id, patientId } = result;
  const patientIds = patientId === null ? [] : [patientId];
  if (!isWithinLimit(limit, patientIds)) return false;
  const { authorize } = limit;
  if (authorize === undefined) return true;
  return authorize({ id, patientIds }).then(
    (answer) => isWithinLimit(answer, patientIds),
    (cause: unknown) => {
      onFailure(cause);
      return false;
    },
  );
};

/** Counts a request until the returned function is called. Returns null if the sender has too many already. */
export type BeginRequest = (principal: Pick<Principal, 'subject' | 'client'>) => (() => void) | null;

const countNothing = () => {};

/** Throws if the limit is not a whole number of at least 1. */
export const checkMaxInFlight = (maxInFlight: number): void => {
  if (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1) {
    throw new TypeError('maxInFlight must be a whole number of at least 1.');
  }
};

/** Limits how many requests of one subject by one client are handled at the same time. */
export const createInFlightLimit = (maxInFlight: number | undefined): BeginRequest => {
  if (maxInFlight === undefined) return () => countNothing;
  const counts = new Map<string, number>();
  return ({ subject, client }) => {
    const key = JSON.stringify([subject, client]);
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
