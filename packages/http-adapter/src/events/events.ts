import {
  type ChartLimit,
  type ClinicalRecords,
  ClinicalRecordsError,
  isWithinLimit,
  parsePatientId,
  type ServedResource,
} from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { withAllowHeader } from '../allow-header.ts';
import type { AuthenticatedRequest, Responder, ResponseResult } from '../authenticated-request.ts';
import type { Authorize } from '../authorize/authorize.ts';
import { createChartLimits } from '../authorize/chart-limits.ts';
import { eventsWithoutPatient, httpErrorOf, insufficientScope, methodNotAllowed } from '../http-error.ts';
import { methodOf } from '../route-table.ts';
import { createReadNewVersions } from './chart-versions.ts';
import { createEventStream } from './event-stream.ts';

/** The feed of new versions in a chart, which keeps open pages in step. */
export type EventsOptions = {
  /** Ends all streams, for example when the server stops. */
  readonly signal?: AbortSignal;
  /** How often new versions are looked for, in milliseconds. Default: 1000. */
  readonly interval?: number;
  /** When a stream ends, in milliseconds. The client authenticates again for the next one. Default: 5 minutes. */
  readonly lifetime?: number;
};

/** The patient that a query names; null if it names none, or something else too. */
const patientIn = (query: string): string | null => {
  const [[name, value] = ['', ''], ...others] = new URLSearchParams(query);
  return name === 'patient' && others.length === 0 ? parsePatientId(value) : null;
};

/** The limit under which the sender may read a type in the chart; null if it may not. */
const limitIn = async (patientId: string, limit: ChartLimit | null): Promise<ChartLimit | null> => {
  if (limit === null || !isWithinLimit(limit, [patientId])) return null;
  const authorized = await limit.authorize?.({ id: null, patientIds: [patientId] });
  return authorized === undefined || isWithinLimit(authorized, [patientId]) ? limit : null;
};

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

type Environment = { readonly authorize: Authorize | undefined };

/** Creates the feed of new versions in a chart. An event names a type, an id and a version, and nothing of the chart. */
export const createRespondToEvents = (
  { signal = new AbortController().signal, interval = 1000, lifetime = 300_000 }: EventsOptions,
  records: ClinicalRecords,
  { authorize }: Environment,
): Responder => {
  const open = async ({
    request,
    principal,
    context,
    onStreamEnd,
  }: AuthenticatedRequest): Promise<ResponseResult> => {
    if (methodOf(request) !== 'GET') return E.left(withAllowHeader(methodNotAllowed, [{ method: 'GET' }]));
    const patientId = patientIn(context.target.query);
    if (patientId === null) return E.left(eventsWithoutPatient);
    const limitFor = createChartLimits({ principal, request }, authorize);
    const limits = new Map<ServedResource, ChartLimit>();
    for (const resource of records.resources) {
      const { type, isOnePerPatient } = resource;
      const limit = await limitIn(patientId, limitFor(type, 'read'));
      // Resources of which a patient has several are found by searches, so a sender has to be allowed to search them.
      const searched = isOnePerPatient ? limit : await limitIn(patientId, limitFor(type, 'search'));
      if (limit !== null && searched !== null) limits.set(resource, searched);
    }
    if (limits.size === 0) return E.left(insufficientScope);
    const readNewVersions = createReadNewVersions(records, patientId, limits);
    try {
      // These are what the client reads for itself.
      await readNewVersions();
    } catch (cause) {
      if (cause instanceof ClinicalRecordsError) return E.left(httpErrorOf(cause.error));
      throw cause;
    }
    const stream = createEventStream(readNewVersions, { signal, interval, lifetime }, onStreamEnd);
    // A response to HEAD has no body, so its stream ends before it begins.
    if (request.method === 'HEAD') await stream.return();
    context.returned?.push({ resources: [], searchedPatientIds: [patientId] });
    return E.right({ status: 200, headers, body: '', stream });
  };
  return (authenticated) => (authenticated.context.target.isEventStream ? open(authenticated) : null);
};
