import * as E from 'fp-ts/lib/Either.js';
import { type AccessOptions, reportReturned } from '../access/access-options.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome } from '../errors.ts';
import { renderBundle, renderHistoryEntry } from '../fhir/bundle.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { EithersOf } from '../outcome.ts';
import { createPageLinks } from '../search/page-links.ts';
import { maxPageBytes, unknownCursorIssue } from '../search/paging.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { type ParsedSearch, parseSearch } from '../search/parse-search.ts';
import type { SearchPairs } from '../search/search-input.ts';
import { takeMatches } from '../store/take-matches.ts';
import type { ChartLimit, ReadOptions } from './chart-limit.ts';
import { type ResourceHistoryEntry, toHistoryEntry } from './history-entry.ts';
import type { PastVersion, ReadVersions } from './read-versions.ts';
import { addMeta, createResourceVersion, type ResourceVersion } from './resource-version.ts';
import { returnedVersion } from './returned-page.ts';

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

type ReadableVersion = PastVersion & { readonly resource: string };

const isReadable = (version: PastVersion): version is ReadableVersion => version.resource !== null;

/** The parameters of a history besides those of a page. Source: FHIR R4, RESTful API, 3.1.0.9. */
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
        const found = versions.right.filter(isReadable).find((one) => one.version === version);
        return found === undefined
          ? E.left(notFound(type, `${id}/_history/${version}`))
          : E.right(createResourceVersion(type, found.id, found));
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
      const found = readable.filter(isRequested(parsed.right));
      const page = takeMatches(skipTo(found, paging), { count: paging.count, maxBytes: maxPageBytes });
      options.onReturn?.({
        resources: page.matches.flatMap(returnedVersion(type)),
        // Even a page without a version says how many there are.
        searchedPatientIds: readable.flatMap(({ patientId }) => patientId ?? []),
      });
      const total = paging.cursor?.total ?? found.length;
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
