import {
  type ChartLimit,
  type ClinicalRecords,
  ClinicalRecordsError,
  isFailure,
  isWithinLimit,
  notFound,
  otherChartError,
  parsePatientId,
  type ServedResource,
} from '@clinical-records/core';
import { askAuthorize, waitAtMost } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Authorize,
  type ChartLimits,
  createChartLimits,
  createInFlightLimit,
  type Sender,
} from '../access/authorize.ts';
import { type Interaction, type Principal, scopesFor } from '../access/scopes.ts';
import {
  eventsWithoutPatient,
  type HttpError,
  httpErrorOf,
  insufficientScope,
  methodNotAllowed,
  tooManyStreams,
} from '../errors.ts';
import { chartTypesOf } from '../host/host-charts.ts';
import type { HostResources } from '../host/host-resources.ts';
import { methodOf } from '../request/request.ts';
import type {
  AuthenticatedRequest,
  InterfaceSettings,
  Responder,
  ResponseResult,
} from '../respond/respond.ts';
import { uncachedHeaders, withAllowHeader } from '../respond/response.ts';
import { jsonServiceOf } from '../routes/routes.ts';
import {
  createEventStream,
  type SelectVisible,
  type StreamAccess,
  type StreamSender,
} from './event-stream.ts';
import { createVersionFeed, type NamedVersion, type VersionFeed } from './version-feed.ts';

/** The feed of new versions in a chart, which keeps open pages in step. */
export type EventsOptions = {
  /** Ends all streams, for example when the server stops. */
  readonly signal?: AbortSignal;
  /** How often new versions are looked for, once for all streams, in milliseconds. Default: 250. */
  readonly interval?: number;
  /**
   * When a stream ends at the latest, in milliseconds. The client authenticates again for the next one. It ends before if the principal
   * expires, or no longer reaches the chart. Default: 5 minutes.
   */
  readonly lifetime?: number;
  /** How many streams of one principal, the same `subject` and `client`, are open at the same time. One more is a 429. Default: 50. */
  readonly maxStreams?: number;
};

/** The patient that a query names; null if it names none, or something else too. */
const patientIn = (query: string): string | null => {
  const [[name, value] = ['', ''], ...rest] = new URLSearchParams(query);
  return name === 'patient' && rest.length === 0 ? parsePatientId(value) : null;
};

/** Whether the sender may read a type in the chart. */
const reachesChart = async (patientId: string, { matching: _, ...charts }: ChartLimit): Promise<boolean> => {
  if (!isWithinLimit(charts, [patientId])) return false;
  const { authorize } = charts;
  if (authorize === undefined) return true;
  const asked = { id: null, patientIds: [patientId], labels: {} };
  return isWithinLimit(await askAuthorize(authorize, asked), [patientId]);
};

const eventHeaders = { ...uncachedHeaders, 'content-type': 'text/event-stream' } as const;

/** The limits of the interactions that the sender needs with a type. The last one is asked about each version. */
type LimitsByType = ReadonlyMap<string, readonly ChartLimit[]>;

/** A type of resources in charts: one of the records, or of the host. */
type ChartType = Pick<ServedResource, 'type' | 'isOnePerPatient'>;

/** Resources of which a patient has several are found by searches, so a sender has to be allowed to search them. */
const interactionsWith = ({ isOnePerPatient }: ChartType): readonly Interaction[] =>
  isOnePerPatient ? ['read'] : ['read', 'search'];

/** The limits of the types that the sender may read in the chart. */
const limitsIn = async (
  patientId: string,
  chartTypes: readonly ChartType[],
  limitFor: ChartLimits,
): Promise<LimitsByType> => {
  const limits = new Map<string, readonly ChartLimit[]>();
  for (const chartType of chartTypes) {
    const interactions = interactionsWith(chartType);
    const reached: ChartLimit[] = [];
    for (const interaction of interactions) {
      const limit = limitFor(chartType.type, interaction);
      if (limit === null || !(await reachesChart(patientId, limit))) break;
      reached.push(limit);
    }
    if (reached.length === interactions.length) limits.set(chartType.type, reached);
  }
  return limits;
};

const isNotFound = (cause: unknown): boolean =>
  cause instanceof ClinicalRecordsError && cause.tag === 'NotFound';

/** Rejects if there is no such patient, as far as the sender may see it by a resource that each patient has. */
const requirePatient = async (
  records: ClinicalRecords,
  patientId: string,
  limits: LimitsByType,
): Promise<void> => {
  for (const resource of records.resources) {
    const [limit] = limits.get(resource.type) ?? [];
    if (!resource.isOnePerPatient || limit === undefined) continue;
    const { matching: _, ...charts } = limit;
    try {
      await jsonServiceOf(records, resource).read(patientId, charts);
    } catch (cause) {
      throw isNotFound(cause) ? new ClinicalRecordsError(notFound('Patient', patientId)) : cause;
    }
  }
};

/**
 * Selects the versions that the sender may still read: the host's `authorize` may have changed its mind, and a resource may have
 * come within the reach of a limit to resources, or left it.
 */
const createSelectVisible = (
  records: ClinicalRecords,
  patientId: string,
  limits: LimitsByType,
): SelectVisible => {
  /** Whether each limit to resources finds a resource. */
  const isReached = async (
    resource: ServedResource,
    { id }: NamedVersion,
    reached: readonly ChartLimit[],
  ): Promise<boolean> => {
    const { read } = jsonServiceOf(records, resource);
    for (const { matching } of reached) {
      if (matching === undefined) continue;
      try {
        await read(id, { within: patientId, matching });
      } catch (cause) {
        if (isNotFound(cause)) return false;
        throw cause;
      }
    }
    return true;
  };

  return async (versions) => {
    const visible = new Set<NamedVersion>();
    for (const [type, reached] of limits) {
      const ofType = versions.filter(({ resourceType }) => resourceType === type);
      const last = reached.at(-1);
      if (ofType.length === 0 || last === undefined || !(await reachesChart(patientId, last))) continue;
      const resource = records.resources.find((served) => served.type === type);
      for (const version of ofType) {
        if (resource === undefined || (await isReached(resource, version, reached))) visible.add(version);
      }
    }
    return versions.filter((version) => visible.has(version));
  };
};

/** The limits of a sender in a chart, or the error of one that may not see it. */
const findLimits = async (
  patientId: string,
  { request, principal }: Sender,
  chartTypes: readonly ChartType[],
  authorize: Authorize | undefined,
): Promise<E.Either<HttpError, LimitsByType>> => {
  const limitFor = createChartLimits({ principal, request }, authorize);
  const isGranted = (chartType: ChartType): boolean =>
    interactionsWith(chartType).every((interaction) => limitFor(chartType.type, interaction) !== null);
  if (!chartTypes.some(isGranted)) {
    return E.left(
      insufficientScope(
        chartTypes.flatMap((chartType) => scopesFor(chartType.type, ...interactionsWith(chartType))),
      ),
    );
  }
  const limits = await limitsIn(patientId, chartTypes, limitFor);
  return limits.size === 0 ? E.left(httpErrorOf(otherChartError)) : E.right(limits);
};

/** The sender of a stream with its access to a chart, or the error of one that may not see it. */
const findSender = async (
  patientId: string,
  { request, principal, authenticateAgain }: AuthenticatedRequest,
  records: ClinicalRecords,
  { authorize, hostResources }: Pick<InterfaceSettings, 'authorize' | 'hostResources'>,
): Promise<E.Either<HttpError, StreamSender>> => {
  const hostTypes = hostResources.follow === undefined ? [] : chartTypesOf(hostResources);
  const chartTypes = [...records.resources, ...hostTypes.map((type) => ({ type, isOnePerPatient: false }))];
  const toAccess = ({ expiresAt }: Principal, limits: LimitsByType): StreamAccess => ({
    selectVisible: createSelectVisible(records, patientId, limits),
    expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
  });
  const limitsOf = (sender: Sender) => findLimits(patientId, sender, chartTypes, authorize);
  const found = await limitsOf({ request, principal });
  if (E.isLeft(found)) return found;
  await requirePatient(records, patientId, found.right);
  const renew = async (): Promise<StreamAccess | null> => {
    const current = await waitAtMost('authenticate', authenticateAgain());
    const isSame = current?.subject === principal.subject && current.client === principal.client;
    if (current === null || !isSame) return null;
    const limits = await limitsOf({ request, principal: current });
    return E.isLeft(limits) ? null : toAccess(current, limits.right);
  };
  return E.right({ access: toAccess(principal, found.right), renew });
};

/** The feed, which names the changes of the host in the chart, too. */
const withHostChanges = ({ follow }: VersionFeed, host: HostResources): VersionFeed => ({
  follow: async (patientId, follower) => {
    const onChange = ({ type, id }: { readonly type: string; readonly id: string }) =>
      follower.onVersions([{ resourceType: type, id }]);
    const stopHost = host.follow?.(patientId, onChange) ?? (() => {});
    try {
      const stop = await follow(patientId, follower);
      return () => {
        stop();
        stopHost();
      };
    } catch (cause) {
      stopHost();
      throw cause;
    }
  },
});

/** Creates the feed of new versions in a chart. An event names a type, an id and a version, and nothing of the chart. */
export const createRespondToEvents = (
  {
    signal = new AbortController().signal,
    interval = 250,
    lifetime = 300_000,
    maxStreams = 50,
  }: EventsOptions,
  records: ClinicalRecords,
  settings: InterfaceSettings,
): Responder => {
  const feed = withHostChanges(createVersionFeed(records, { interval, signal }), settings.hostResources);
  const beginStream = createInFlightLimit(maxStreams);

  const open = async (authenticated: AuthenticatedRequest, onEnd: () => void): Promise<ResponseResult> => {
    const { request, context } = authenticated;
    const patientId = patientIn(context.target.query);
    if (patientId === null) return E.left(eventsWithoutPatient);
    const sender = await findSender(patientId, authenticated, records, settings);
    if (E.isLeft(sender)) return sender;
    const stream = await createEventStream(feed, patientId, { sender: sender.right, lifetime, onEnd });
    // A response to HEAD has no body, so its stream ends before it begins.
    if (request.method === 'HEAD') await stream.return();
    context.returned?.push({ resources: [], searchedPatientIds: [patientId] });
    return E.right({ status: 200, headers: eventHeaders, body: '', stream });
  };

  const respond = async (authenticated: AuthenticatedRequest): Promise<ResponseResult> => {
    if (methodOf(authenticated.request) !== 'GET') {
      return E.left(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
    }
    const endStream = beginStream(authenticated.principal);
    if (endStream === null) return E.left(tooManyStreams);
    let isOpen = false;
    try {
      const response = await open(authenticated, () => {
        endStream();
        authenticated.onStreamEnd();
      });
      isOpen = E.isRight(response);
      return response;
    } catch (cause) {
      if (cause instanceof ClinicalRecordsError && !isFailure(cause.error))
        return E.left(httpErrorOf(cause.error));
      throw cause;
    } finally {
      if (!isOpen) endStream();
    }
  };
  return (authenticated) => (authenticated.context.target.isEventStream ? respond(authenticated) : null);
};
