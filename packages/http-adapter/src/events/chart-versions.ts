import type {
  ChartLimit,
  ClinicalRecords,
  FeedPosition,
  ResourceType,
  ServedResource,
} from '@clinical-records/core';
import { type JsonService, jsonServiceOf } from '../served-records.ts';

/** A version of a resource, as an event names it. */
export type NamedVersion = {
  readonly resourceType: ResourceType;
  readonly id: string;
  readonly version: number;
};

type VersionedResource = {
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
};

/** Reads the versions that are new since the last call; the first call returns all that are read. */
export type ReadNewVersions = () => Promise<readonly NamedVersion[]>;

/** The type of resource whose versions are read, and the chart. */
type VersionsToRead = {
  readonly resourceType: ResourceType;
  readonly patientId: string;
  readonly limit: ChartLimit;
};

/** Reads the one resource that each patient has. */
const readOneVersion = (
  { read }: JsonService<ClinicalRecords>,
  { resourceType, patientId, limit }: VersionsToRead,
): ReadNewVersions => {
  let last = 0;
  return async () => {
    const { version } = await read(patientId, limit);
    if (version === last) return [];
    last = version;
    return [{ resourceType, id: patientId, version }];
  };
};

/**
 * A version is dated before it is committed. So one that is committed later can have an earlier time, by this many milliseconds
 * at most.
 */
const overlap = 60_000;

/** Searches from the time of the latest version that was seen, so that no clock but that of the records counts. */
const searchNewVersions = (
  { all }: JsonService<ClinicalRecords>,
  { resourceType, patientId, limit }: VersionsToRead,
): ReadNewVersions => {
  const seen = new Map<string, number>();
  let latest = Number.NEGATIVE_INFINITY;
  return async () => {
    const parameters: [string, string][] = [['patient', `Patient/${patientId}`]];
    if (latest > 0) parameters.push(['_lastUpdated', `ge${new Date(latest - overlap).toISOString()}`]);
    const named: NamedVersion[] = [];
    for await (const json of all(parameters, limit)) {
      const { id, meta }: VersionedResource = JSON.parse(json);
      const version = Number(meta.versionId);
      latest = Math.max(latest, Date.parse(meta.lastUpdated));
      if (seen.get(id) !== version) named.push({ resourceType, id, version });
      seen.set(id, version);
    }
    return named;
  };
};

/** Reads the new versions in the chart of a patient, of the types that the sender may read. */
export const createReadNewVersions = (
  records: ClinicalRecords,
  patientId: string,
  limits: ReadonlyMap<ServedResource, ChartLimit>,
): ReadNewVersions => {
  const readers = [...limits].map(([resource, limit]) => {
    const readNew = resource.isOnePerPatient ? readOneVersion : searchNewVersions;
    return readNew(jsonServiceOf(records, resource), { resourceType: resource.type, patientId, limit });
  });
  let end: FeedPosition | undefined;
  return async () => {
    const previous = end;
    end = await records.feedEnd();
    // Mostly, nobody has written anything in any chart.
    return end === previous ? [] : (await Promise.all(readers.map((read) => read()))).flat();
  };
};
