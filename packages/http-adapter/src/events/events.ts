import { type ClinicalRecords, ClinicalRecordsError, isFailure } from '@clinical-records/core';
import { parsePatientId } from '@clinical-records/core/adapter';
import * as E from 'fp-ts/lib/Either.js';
import { createInFlightLimit } from '../access/authorize.ts';
import { eventsWithoutPatient, httpErrorOf, methodNotAllowed, tooManyStreams } from '../errors.ts';
import type { HostResources } from '../host/host-resources.ts';
import { type HttpRequest, headerOf } from '../http.ts';
import { methodOf } from '../request/request.ts';
import type {
  AuthenticatedRequest,
  InterfaceSettings,
  Responder,
  ResponseResult,
} from '../respond/respond.ts';
import { uncachedHeaders, withAllowHeader } from '../respond/response.ts';
import { createEventIds } from './event-ids.ts';
import { createEventStream } from './event-stream.ts';
import { findSender } from './stream-access.ts';
import { createVersionFeed, type VersionFeed } from './version-feed.ts';

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
  /**
   * A secret that all processes share, so that a stream continues in another process, or after a restart. Default: a random one, so
   * that only this process continues its streams.
   */
  readonly secret?: string;
};

/** The chart that a request names, and the event after which its stream continues; null if it names no patient, or something else. */
const parseEventsRequest = (
  request: HttpRequest,
  query: string,
): { readonly patientId: string; readonly lastEventId: string | null } | null => {
  const pairs = [...new URLSearchParams(query)];
  const { patient, lastEventId = null, ...rest } = Object.fromEntries(pairs);
  const isRepeated = new Set(pairs.map(([name]) => name)).size < pairs.length;
  const patientId = patient === undefined ? null : parsePatientId(patient);
  if (patientId === null || isRepeated || Object.keys(rest).length > 0) return null;
  // A browser that connects again sends the header. The parameter is still that of the first time.
  return { patientId, lastEventId: headerOf(request, 'last-event-id') ?? lastEventId };
};

const eventHeaders = { ...uncachedHeaders, 'content-type': 'text/event-stream' } as const;

/** The feed, which names the changes of the host in the chart, too. */
const withHostChanges = (feed: VersionFeed, host: HostResources): VersionFeed => ({
  ...feed,
  follow: async (patientId, follower) => {
    const onChange = ({ type, id }: { readonly type: string; readonly id: string }) =>
      follower.onVersions([{ resourceType: type, id }]);
    const stopHost = host.follow?.(patientId, onChange) ?? (() => {});
    try {
      const { from, stop } = await feed.follow(patientId, follower);
      return {
        from,
        stop: () => {
          stop();
          stopHost();
        },
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
    secret,
  }: EventsOptions,
  records: ClinicalRecords,
  settings: InterfaceSettings,
): Responder => {
  const feed = withHostChanges(
    createVersionFeed(records, { interval, signal, ids: createEventIds(secret) }),
    settings.hostResources,
  );
  const beginStream = createInFlightLimit(maxStreams);

  const open = async (authenticated: AuthenticatedRequest, onEnd: () => void): Promise<ResponseResult> => {
    const { request, context } = authenticated;
    const parsed = parseEventsRequest(request, context.target.query);
    if (parsed === null) return E.left(eventsWithoutPatient);
    const { patientId, lastEventId } = parsed;
    const sender = await findSender(patientId, authenticated, records, settings);
    if (E.isLeft(sender)) return sender;
    const stream = await createEventStream(feed, patientId, {
      sender: sender.right,
      lifetime,
      lastEventId,
      onEnd,
    });
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
