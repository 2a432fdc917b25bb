import type { ChartLimit, ClinicalRecords, FeedPosition, ResourceType } from '@clinical-records/core';

/** A version of a resource, as an event names it. */
export type NamedVersion = {
  readonly resourceType: ResourceType;
  readonly id: string;
  readonly version: number;
};

type SearchedType = Exclude<ResourceType, 'CareTeam'>;

type VersionedEntry = {
  readonly resource: {
    readonly id: string;
    readonly meta?: { readonly versionId: string; readonly lastUpdated: string };
  };
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

const pageSize = 100;

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
  let since: string | undefined;
  return async () => {
    const parameters: [string, string][] = [
      ['patient', `Patient/${patientId}`],
      ['_sort', '-_lastUpdated'],
      ['_count', String(pageSize)],
      ...(since === undefined ? [] : ([['_lastUpdated', `ge${since}`]] as [string, string][])),
    ];
    const bundle = JSON.parse(await searches[resourceType].asJson.search(parameters, limit));
    const entries: readonly VersionedEntry[] = bundle.entry ?? [];
    since = entries[0]?.resource.meta?.lastUpdated ?? since;
    return entries.flatMap(({ resource: { id, meta } }) => {
      const version = Number(meta?.versionId);
      if (seen.get(id) === version) return [];
      seen.set(id, version);
      return [{ resourceType, id, version }];
    });
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
