import { type ChartLimit, type ClinicalRecords, ClinicalRecordsError } from '@clinical-records/core';
import {
  isWithinLimit,
  notFound,
  otherChartError,
  type ServedResource,
} from '@clinical-records/core/adapter';
import { askAuthorize, waitAtMost } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import { type ChartLimits, createChartLimits, type LimitSettings, type Sender } from '../access/authorize.ts';
import { type Interaction, limitKey, type Principal, scopesFor } from '../access/scopes.ts';
import { type HttpError, httpErrorOf, insufficientScope } from '../errors.ts';
import { chartTypesOf } from '../host/host-charts.ts';
import type { AuthenticatedRequest, InterfaceSettings } from '../respond/respond.ts';
import { jsonServiceOf } from '../routes/routes.ts';
import { digestOf } from './event-ids.ts';
import type { SelectVisible, StreamAccess, StreamSender } from './event-stream.ts';
import type { NamedVersion } from './version-feed.ts';

/** Whether the sender may read a type in the chart. */
const reachesChart = async (patientId: string, { matching: _, ...charts }: ChartLimit): Promise<boolean> => {
  if (!isWithinLimit(charts, [patientId])) return false;
  const { authorize } = charts;
  if (authorize === undefined) return true;
  const asked = { id: null, patientIds: [patientId], labels: {} };
  return isWithinLimit(await askAuthorize(authorize, asked), [patientId]);
};

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
  settings: LimitSettings,
): Promise<E.Either<HttpError, LimitsByType>> => {
  const limitFor = createChartLimits({ principal, request }, settings);
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
export const findSender = async (
  patientId: string,
  { request, principal, authenticateAgain }: AuthenticatedRequest,
  records: ClinicalRecords,
  settings: Pick<InterfaceSettings, keyof LimitSettings | 'hostResources'>,
): Promise<E.Either<HttpError, StreamSender>> => {
  const { hostResources } = settings;
  const hostTypes = hostResources.follow === undefined ? [] : chartTypesOf(hostResources);
  const chartTypes = [...records.resources, ...hostTypes.map((type) => ({ type, isOnePerPatient: false }))];
  let last = { text: '', digest: '' };
  const digestOfLimits = async (limits: LimitsByType): Promise<string> => {
    const keys = Array.from(limits, ([type, reached]) => [type, reached.map(limitKey)]);
    const text = JSON.stringify([patientId, ...keys]);
    if (text !== last.text) last = { text, digest: await digestOf(text) };
    return last.digest;
  };
  const toAccess = async ({ expiresAt }: Principal, limits: LimitsByType): Promise<StreamAccess> => ({
    selectVisible: createSelectVisible(records, patientId, limits),
    expiresAt: expiresAt ?? Number.POSITIVE_INFINITY,
    digest: await digestOfLimits(limits),
    hostTypes: hostTypes.filter((type) => limits.has(type)),
  });
  const limitsOf = (sender: Sender) => findLimits(patientId, sender, chartTypes, settings);
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
  return E.right({ access: await toAccess(principal, found.right), renew });
};
