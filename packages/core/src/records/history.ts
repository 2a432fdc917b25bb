import * as E from 'fp-ts/lib/Either.js';
import { type AccessOptions, reportReturned } from '../access/access.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome, toClinicalError } from '../errors.ts';
import { renderBundle, renderHistoryEntry } from '../fhir/bundle.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { EithersOf } from '../outcome.ts';
import { createPageLinks, maxPageBytes, unknownCursorIssue } from '../search/paging.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { type ParsedSearch, parseSearch } from '../search/parse-search.ts';
import type { SearchPairs } from '../search/search-input.ts';
import { takeMatches } from '../store/matches.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import {
  type AuthorizeCharts,
  type ChartLimit,
  isAuthorized,
  parseChartLimit,
  type ReadOptions,
} from './chart-limit.ts';
import { addMeta, createResourceVersion, type ResourceVersion, returnedVersion } from './page.ts';

/** Reads of the past of one type of resource. */
export type HistoryReads = {
  /**
   * Every version, newest first. A version has no resource if there was nothing to read at that version.
   * Errors: `NotFound`, `Forbidden`, `StoreFailure`.
   */
  readonly history: (
    id: string,
    options?: ChartLimit & AccessOptions,
  ) => Promise<readonly ResourceHistoryEntry<string>[]>;
  /** One version of a resource. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly readVersion: (
    id: string,
    version: number,
    options?: ChartLimit & AccessOptions,
  ) => Promise<ResourceVersion>;
  /**
   * A `Bundle` of the versions with a resource as JSON text, newest first. The parameters are `_since` and those of a page.
   * Errors: `NotFound`, `InvalidRequest`, `Forbidden`, `StoreFailure`.
   */
  readonly historyBundle: (id: string, parameters?: SearchPairs, options?: ReadOptions) => Promise<string>;
};

/** One version of a resource, with its author and its time. */
export type ResourceHistoryEntry<Resource> = {
  /** Counts from 1. */
  readonly version: number;
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  /** The reference to the author, such as `Practitioner/12`; null if nobody was named. */
  readonly by: string | null;
  /** The resource; null if there was nothing to read at that version. */
  readonly resource: Resource | null;
};

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

/** The history entry of a stored version, with its resource as text. */
export const toHistoryEntry = ({
  version,
  at,
  by,
  resource,
}: Pick<PastVersion, 'version' | 'at' | 'by' | 'resource'>): ResourceHistoryEntry<string> => ({
  version,
  at: formatInstant(at),
  by,
  resource,
});

/** The same entry, with its resource parsed. */
export const parseHistoryEntry = <Resource>(
  entry: ResourceHistoryEntry<string>,
): ResourceHistoryEntry<Resource> => ({
  ...entry,
  resource: entry.resource === null ? null : (JSON.parse(entry.resource) as Resource),
});

type ReadableVersion = PastVersion & { readonly resource: string };

const isReadable = (version: PastVersion): version is ReadableVersion => version.resource !== null;

/** The parameters of a history that do not select a page. Source: FHIR R4, RESTful API, 3.1.0.9. */
export const historyParameters = { _since: { kind: 'since' } } as const satisfies SearchParameterTable;

/** Whether a version was written at the requested time or later. */
const isRequested =
  ({ conditions }: ParsedSearch) =>
  ({ at }: PastVersion): boolean =>
    conditions.every(
      (condition) => condition.on === 'date' && condition.anyOf.some(({ from }) => at >= from),
    );

/** The versions from the requested place on: after the version that a link names, or after a number of versions. */
const skipTo = (versions: readonly ReadableVersion[], { cursor, offset }: ParsedSearch['paging']) =>
  cursor === null ? versions.slice(offset) : versions.filter(({ version }) => version < Number(cursor.after));

const renderVersion = (
  type: ResourceType,
  version: ReadableVersion,
  { baseUrl, isFirst }: { readonly baseUrl: string | undefined; readonly isFirst: boolean },
): string =>
  renderHistoryEntry(addMeta(type, version), {
    url: baseUrl === undefined ? undefined : `${baseUrl}/${type}/${version.id}`,
    entry: {
      request: isFirst ? { method: 'POST', url: type } : { method: 'PUT', url: `${type}/${version.id}` },
      response: {
        status: isFirst ? '201' : '200',
        etag: `W/"${version.version}"`,
        lastModified: formatInstant(version.at),
      },
    },
  });

export const createHistoryReads = (
  { zone, now }: Pick<Environment, 'zone' | 'now'>,
  { type, readVersions }: { readonly type: ResourceType; readonly readVersions: ReadVersions },
): EithersOf<HistoryReads> => {
  const parse = (
    parameters: SearchPairs,
    { handling = 'strict' }: ReadOptions,
  ): E.Either<ClinicalError, ParsedSearch> => {
    const time = { zone, now: now() };
    const parsed = parseSearch(parameters, { declared: historyParameters, handling, time });
    if (E.isLeft(parsed)) return parsed;
    const { cursor } = parsed.right.paging;
    return cursor === null || /^[1-9]\d*$/.test(cursor.after ?? '')
      ? parsed
      : E.left(invalidRequest(unknownCursorIssue));
  };

  return {
    history: async (id, options = {}) => {
      const versions = await reportReturned(options, readVersions(id, options), (read) =>
        read.filter(isReadable).flatMap(returnedVersion(type)),
      );
      if (E.isLeft(versions)) return versions;
      return E.right(
        versions.right.map((version) =>
          toHistoryEntry(isReadable(version) ? { ...version, resource: addMeta(type, version) } : version),
        ),
      );
    },

    readVersion: (id, version, options = {}) => {
      const readOne = async (): Outcome<ResourceVersion> => {
        const versions = await readVersions(id, options);
        if (E.isLeft(versions)) return versions;
        const readable = versions.right.filter(isReadable).find((candidate) => candidate.version === version);
        return readable === undefined
          ? E.left(notFound(type, `${id}/_history/${version}`))
          : E.right(createResourceVersion(type, readable.id, readable));
      };
      return reportReturned(options, readOne(), returnedVersion(type));
    },

    historyBundle: async (id, parameters = [], options = {}) => {
      const parsed = parse(parameters, options);
      if (E.isLeft(parsed)) return parsed;
      const { paging } = parsed.right;
      const { base = '', baseUrl } = options;
      const path = `${baseUrl === undefined ? base : `${baseUrl}/`}${type}/${id}/_history`;
      const versions = await readVersions(id, options);
      if (E.isLeft(versions)) return versions;
      const readable = versions.right.filter(isReadable);
      const first = readable.at(-1);
      if (first === undefined && versions.right.length > 0) return E.left(notFound(type, id));
      const matching = readable.filter(isRequested(parsed.right));
      const page = takeMatches(skipTo(matching, paging), { count: paging.count, maxBytes: maxPageBytes });
      options.onReturn?.({
        resources: page.matches.flatMap(returnedVersion(type)),
        // Even a page without a version says how many there are.
        searchedPatientIds: readable.flatMap(({ patientId }) => patientId ?? []),
      });
      const total = paging.cursor?.total ?? matching.length;
      const last = page.hasMore ? page.matches.at(-1) : undefined;
      const link = createPageLinks(path, parsed.right, {
        total,
        shown: page.matches.length,
        next: last === undefined ? null : { after: `${last.version}`, total },
      });
      const entries = page.matches.map((version) =>
        renderVersion(type, version, { baseUrl, isFirst: version === first }),
      );
      return E.right(renderBundle({ type: 'history', total, link }, entries));
    },
  };
};
