import * as E from 'fp-ts/lib/Either.js';
import { type AccessOptions, reportReturned } from '../access/access.ts';
import { type ChartLimit, type ReadOptions, viewForms } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound } from '../errors.ts';
import { type BundleUrls, fullUrlOf, linkTo, renderBundle, renderHistoryEntry } from '../fhir/bundle.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { anything, type OptionForms } from '../forms.ts';
import { ClinicalRecordsError, type EithersOf, toOutcome } from '../outcome.ts';
import { searchIssue } from '../search/issues.ts';
import type { MatchingFacts } from '../search/matching.ts';
import { createPageLinks, maxCount, maxPageBytes, unknownCursorIssue } from '../search/paging.ts';
import type { SearchParameterTable, SearchTime } from '../search/parameters.ts';
import { type ParsedSearch, parseSearch } from '../search/parse-search.ts';
import type { SearchPairs } from '../search/search-input.ts';
import type { HistoryRange, StoredRecord } from '../store/port.ts';
import {
  addMeta,
  type ResourceVersion,
  resourceVersionOf,
  returnedVersion,
  type VersionText,
} from './page.ts';
import type { PastVersion, VersionReaches, VersionReader } from './past-versions.ts';
import { openReach, type Reach } from './reach.ts';

/** The part of a history that is read, and its caller. */
export type HistoryOptions = ChartLimit &
  AccessOptions & {
    /** The largest number of versions. Default: 100, which is also the most. */
    readonly count?: number | undefined;
    /** Only earlier versions than this one. Default: the history begins with the current version. */
    readonly before?: number | undefined;
  };

// Another number than a whole one is an `InvalidRequest`.
export const historyForms: OptionForms<HistoryOptions> = {
  ...viewForms,
  count: anything,
  before: anything,
};

/** Reads of the past of one type of resource. */
export type HistoryReads = {
  /**
   * A page of the versions, newest first. It ends early if its resources have 1 MiB; what follows is `before` its last version, and an
   * empty page is the end. A version has no resource if there was nothing to read at that version.
   * Errors: `NotFound`, `InvalidRequest`, `Forbidden`, `StoreFailure`.
   */
  readonly history: (
    id: string,
    options?: HistoryOptions,
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

/** The history entry of a stored version, with its resource as text. */
export const toHistoryEntry = ({
  version,
  at,
  by,
  resource,
}: Pick<StoredRecord, 'version' | 'at' | 'by' | 'resource'>): ResourceHistoryEntry<string> => ({
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

/** The parameters of a history that do not select a page. Source: FHIR R4, RESTful API, 3.1.0.9. */
export const historyParameters = { _since: { kind: 'since' } } as const satisfies SearchParameterTable;

/** Whether a version was written at the requested time or later. */
const isSince =
  ({ conditions }: ParsedSearch) =>
  ({ at }: PastVersion): boolean =>
    conditions.every(
      (condition) => condition.on === 'date' && condition.anyOf.some(({ from }) => at >= from),
    );

/** The most versions of a page. It ends before the version whose resource would make it larger than `maxPageBytes`. */
const takePage = (versions: readonly PastVersion[], count: number): readonly PastVersion[] => {
  let total = 0;
  const end = versions.findIndex(({ bytes }, index) => {
    total += bytes ?? 0;
    return index === count || (index > 0 && total > maxPageBytes);
  });
  return end === -1 ? versions : versions.slice(0, end);
};

/** The page of a history bundle, and what the bundle says of all versions. */
type HistoryPage = {
  readonly total: number;
  /** The versions of the page, and the one after it, if there is one. */
  readonly following: readonly PastVersion[];
  /** The first version that can be read; null if there is none. */
  readonly first: number | null;
  readonly patientIds: readonly string[];
};

/** Walks through all versions, and keeps those of the page; null if none of the versions can be read. */
const findPage = async (
  pages: AsyncIterable<readonly PastVersion[]>,
  search: ParsedSearch,
): Promise<HistoryPage | null> => {
  const { count, offset, cursor } = search.paging;
  const matches = isSince(search);
  const following: PastVersion[] = [];
  const patientIds = new Set<string>();
  let [seen, total] = [0, 0];
  let first: number | null = null;
  for await (const versions of pages) {
    seen += versions.length;
    for (const version of versions) {
      if (version.bytes === null) continue;
      first = version.version;
      if (version.patientId !== null) patientIds.add(version.patientId);
      if (!matches(version)) continue;
      total += 1;
      const isReached = cursor === null ? total > offset : version.version < Number(cursor.after);
      if (isReached && following.length <= count) following.push(version);
    }
  }
  return first === null && seen > 0 ? null : { total, following, first, patientIds: [...patientIds] };
};

/** A version of a page with its text. */
type ShownVersion = PastVersion & VersionText;

const isShown = (version: PastVersion | ShownVersion): version is ShownVersion => 'resource' in version;

const renderVersion = (
  type: string,
  version: ShownVersion,
  { urls, isFirst }: { readonly urls: BundleUrls; readonly isFirst: boolean },
): string =>
  renderHistoryEntry(addMeta(type, version), {
    url: fullUrlOf(urls, type, version.id),
    entry: {
      request: isFirst ? { method: 'POST', url: type } : { method: 'PUT', url: `${type}/${version.id}` },
      response: {
        status: isFirst ? '201' : '200',
        etag: `W/"${version.version}"`,
        lastModified: formatInstant(version.at),
      },
    },
  });

/** Parses the part of a history that a caller asks for. */
const parseRange = ({
  count = maxCount,
  before,
}: HistoryOptions): E.Either<ClinicalError, Pick<HistoryRange, 'before'> & { readonly count: number }> => {
  const [issue] = Object.entries({ count, before: before === undefined ? 0 : before }).flatMap(
    ([name, value]) => (Number.isSafeInteger(value) && value >= 0 ? [] : [searchIssue('whole-number', name)]),
  );
  return issue === undefined
    ? E.right({ count: Math.min(count, maxCount), before })
    : E.left(invalidRequest(issue));
};

/** Parses the parameters of a history. Its cursor is a version. */
const parseHistory = (
  parameters: SearchPairs,
  { handling = 'strict' }: ReadOptions,
  time: SearchTime,
): E.Either<ClinicalError, ParsedSearch> => {
  const parsed = parseSearch(parameters, { declared: historyParameters, handling, time });
  if (E.isLeft(parsed)) return parsed;
  const { cursor } = parsed.right.paging;
  return cursor === null || /^[1-9]\d*$/.test(cursor.after ?? '')
    ? parsed
    : E.left(invalidRequest(unknownCursorIssue));
};

/** Reads the texts of a page. A version that has been erased since has none. */
const readTexts = (
  page: readonly PastVersion[],
  readText: VersionReader['readText'],
): Promise<readonly (PastVersion | ShownVersion)[]> =>
  Promise.all(
    page.map(async (version) => {
      const resource = version.bytes === null ? null : await readText(version.id, version.version);
      return resource === null ? { ...version, bytes: null } : { ...version, resource };
    }),
  );

/** Renders a page as a Bundle, in which the `shown` versions are entries. */
const renderHistory = (
  type: string,
  {
    page,
    shown,
    found,
  }: {
    readonly page: readonly PastVersion[];
    readonly shown: readonly ShownVersion[];
    readonly found: HistoryPage;
  },
  { path, parsed, urls }: { readonly path: string; readonly parsed: ParsedSearch; readonly urls: BundleUrls },
): string => {
  const { total, first } = found;
  const last = page.length < found.following.length ? page.at(-1) : undefined;
  const link = createPageLinks(path, parsed, {
    total,
    shown: page.length,
    next: last === undefined ? null : { after: `${last.version}` },
  });
  const entries = shown.map((version) =>
    renderVersion(type, version, { urls, isFirst: version.version === first }),
  );
  return renderBundle({ type: 'history', total, link }, entries);
};

export const createHistoryReads = (
  { zone, now }: Pick<Environment, 'zone' | 'now'>,
  { facts, versions }: { readonly facts: MatchingFacts; readonly versions: VersionReader },
): EithersOf<HistoryReads> => {
  const { type } = facts;
  const { pages, read, readText } = versions;
  /** The reach of a caller, as it is at the call. */
  const reachOf = (id: string, options: ChartLimit): E.Either<ClinicalError, VersionReaches> =>
    E.map((reach: Reach): VersionReaches => [{ reach, id }])(openReach(options, { facts, zone, now }));

  return {
    history: async (id, options = {}) => {
      const range = parseRange(options);
      if (E.isLeft(range)) return range;
      const reaches = reachOf(id, options);
      if (E.isLeft(reaches)) return reaches;
      const { count, before } = range.right;
      const found = toOutcome(async () => {
        const versions: PastVersion[] = [];
        for await (const page of pages(id, reaches.right, { before, first: count + 1 })) {
          versions.push(...page);
          if (versions.length >= count) break;
        }
        return readTexts(takePage(versions, count), readText);
      });
      const shown = await reportReturned(options, found, (read) =>
        read.filter(isShown).flatMap(returnedVersion(type)),
      );
      if (E.isLeft(shown)) return shown;
      return E.right(
        shown.right.map((version) =>
          toHistoryEntry({ ...version, resource: isShown(version) ? addMeta(type, version) : null }),
        ),
      );
    },

    readVersion: async (id, version, options = {}) => {
      const reaches = reachOf(id, options);
      if (E.isLeft(reaches)) return reaches;
      const readOne = async (): Promise<ResourceVersion> => {
        const found = Number.isSafeInteger(version) ? await read(id, reaches.right, version) : null;
        const shown = found && resourceVersionOf(type, found);
        if (shown === null) throw new ClinicalRecordsError(notFound(type, `${id}/_history/${version}`));
        return shown;
      };
      return reportReturned(options, toOutcome(readOne), returnedVersion(type));
    },

    historyBundle: async (id, parameters = [], options = {}) => {
      const parsed = parseHistory(parameters, options, { zone, now: now() });
      if (E.isLeft(parsed)) return parsed;
      const reaches = reachOf(id, options);
      if (E.isLeft(reaches)) return reaches;
      const { paging } = parsed.right;
      const path = linkTo(options, `${type}/${id}/_history`);
      return toOutcome(async () => {
        const found = await findPage(pages(id, reaches.right), parsed.right);
        if (found === null) throw new ClinicalRecordsError(notFound(type, id));
        const page = takePage(found.following, paging.count);
        const shown = (await readTexts(page, readText)).filter(isShown);
        options.onReturn?.({
          resources: shown.flatMap(returnedVersion(type)),
          // Even a page without a version says how many there are.
          searchedPatientIds: found.patientIds,
        });
        return renderHistory(type, { page, shown, found }, { path, parsed: parsed.right, urls: options });
      });
    },
  };
};
