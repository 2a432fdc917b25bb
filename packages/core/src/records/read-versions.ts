import * as E from 'fp-ts/lib/Either.js';
import { notFound, type Outcome, toClinicalError } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import { type AuthorizeCharts, type ChartLimit, parseChartLimit } from './chart-limit.ts';
import { isAuthorized } from './is-authorized.ts';

/** A version of a resource, without the state. */
export type PastVersion = Omit<StoredRecord, 'state' | 'type'>;

/** Reads all versions that the caller may see, newest first. None if the resource can be read and was never stored. */
export type ReadVersions = (id: string, limit: ChartLimit) => Outcome<readonly PastVersion[]>;

/** The versions in charts that `authorize` allows. Each chart is asked about once, and the newest version's first. */
export const keepAuthorized = async <Version extends Pick<PastVersion, 'patientId'>>(
  versions: readonly Version[],
  { id, authorize }: { readonly id: string | null; readonly authorize: AuthorizeCharts },
): Promise<readonly Version[]> => {
  const allowed = new Set<string | null>();
  for (const patientId of new Set(versions.map((version) => version.patientId))) {
    const patientIds = patientId === null ? [] : [patientId];
    if (await isAuthorized(authorize, { id, patientIds })) allowed.add(patientId);
  }
  return versions.filter(({ patientId }) => allowed.has(patientId));
};

/**
 * Reads the versions of a stored record. They are not found if the record is out of the caller's reach now. If it was in
 * another chart before, the versions of that time are left out.
 */
export const createReadVersions =
  (store: ClinicalStore, type: ResourceType): ReadVersions =>
  async (id, limit) => {
    const parsedLimit = parseChartLimit(limit);
    if (E.isLeft(parsedLimit)) return parsedLimit;
    const isWithinLimit = parsedLimit.right;
    const { authorize } = limit;
    const versions = await store.history({ type, id });
    if (E.isLeft(versions)) return E.left(toClinicalError(versions.left));
    const [newest] = versions.right;
    if (newest === undefined || !isWithinLimit(newest.patientId)) return E.left(notFound(type, id));
    const visible = versions.right.filter(({ patientId }) => isWithinLimit(patientId));
    if (authorize === undefined) return E.right(visible);
    const authorized = await keepAuthorized(visible, { id, authorize });
    return authorized[0] === newest ? E.right(authorized) : E.left(notFound(type, id));
  };
