import type { ChartLimit, ClinicalRecords, FeedPosition, ResourceType } from '@clinical-records/core';

/** A version of a resource, as an event names it. */
export type NamedVersion = {
  readonly resourceType: ResourceType;
  readonly id: string;
  readonly version: number;
};

type SearchedType = Exclude<ResourceType, 'CareTeam'>;

type VersionedResource = {
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
};

/** Reads the versions that are new since the last call; the first call returns all that are read. */
export type ReadNewVersions = () => Promise<readonly NamedVersion[]>;

/** The reads of charts, and the end of the feed. */
export type ChartReads = Pick<
  ClinicalRecords,
  'feedEnd' | 'careTeams' | 'goals' | 'serviceRequests' | 'immunizations'
>;

const readTeamVersion = (
  { careTeams }: ChartReads,
  patientId: string,
  limit: ChartLimit,
): ReadNewVersions => {
  let last = 0;
  return async () => {
    const { version } = await careTeams.asJson.read(patientId, limit);
    if (version === last) return [];
    last = version;
    return [{ resourceType: 'CareTeam', id: patientId, version }];
  };
};

/**
 * A version is dated before it is committed. So one that is committed later can have an earlier time, by this many milliseconds
 * at most.
 */
const overlap = 60_000;

/** Searches from the time of the latest version that was seen, so that no clock but that of the records counts. */
const searchNewVersions = (
  reads: ChartReads,
  resourceType: SearchedType,
  { patientId, limit }: { readonly patientId: string; readonly limit: ChartLimit },
): ReadNewVersions => {
  const searches = {
    Goal: reads.goals,
    ServiceRequest: reads.serviceRequests,
    Immunization: reads.immunizations,
  };
  const seen = new Map<string, number>();
  let latest = Number.NEGATIVE_INFINITY;
  return async () => {
    const parameters: [string, string][] = [['patient', `Patient/${patientId}`]];
    if (latest > 0) parameters.push(['_lastUpdated', `ge${new Date(latest - overlap).toISOString()}`]);
    const named: NamedVersion[] = [];
    for await (const json of searches[resourceType].asJson.all(parameters, limit)) {
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
  reads: ChartReads,
  patientId: string,
  limits: ReadonlyMap<ResourceType, ChartLimit>,
): ReadNewVersions => {
  const readers = [...limits].map(([type, limit]) =>
    type === 'CareTeam'
      ? readTeamVersion(reads, patientId, limit)
      : searchNewVersions(reads, type, { patientId, limit }),
  );
  let end: FeedPosition | undefined;
  return async () => {
    const previous = end;
    end = await reads.feedEnd();
    // Mostly, nobody has written anything in any chart.
    return end === previous ? [] : (await Promise.all(readers.map((read) => read()))).flat();
  };
};
