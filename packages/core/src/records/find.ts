import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Outcome, storeFailure, toClinicalError, tooCostly } from '../errors.ts';
import type { PageEnd } from '../search/cursor.ts';
import { searchIssue } from '../search/issues.ts';
import { type PageOrigin, toPageStart } from '../search/paging.ts';
import type { ClinicalStore, SearchMatch, SearchPage, StoreError } from '../store/port.ts';
import type { SearchQuery } from '../store/query.ts';

/** A search without the place where the page begins. */
export type FindQuery = Omit<SearchQuery, 'start'>;

/** A match: a stored version, or a resource that is not stored yet and has no version. */
export type FoundMatch = SearchMatch | (Pick<SearchMatch, 'id' | 'resource'> & { readonly version: null });

/** A page, and where it ends; `end` is null if nothing follows. */
export type FoundPage<Match = FoundMatch> = Pick<SearchPage, 'total'> & {
  readonly matches: readonly Match[];
  readonly end: PageEnd | null;
};

/** Finds a page of the records that match, stored or not. */
export type Find<Match = FoundMatch> = (query: FindQuery, origin: PageOrigin) => Outcome<FoundPage<Match>>;

const toSearchError = (error: StoreError): ClinicalError => {
  if (error._tag === 'OutdatedIndex') return storeFailure('outdated-index', null);
  if (error._tag === 'TooCostly') return tooCostly(searchIssue('too-costly'));
  return error._tag === 'Busy' ? storeFailure('too-many-searches', null) : toClinicalError(error);
};

/** Finds stored records. */
export const createFind =
  (store: ClinicalStore): Find<SearchMatch> =>
  async (query, origin) => {
    const found = await store.search({ ...query, start: toPageStart(origin) });
    if (E.isLeft(found)) return E.left(toSearchError(found.left));
    const { matches, hasMore, total } = found.right;
    const last = hasMore ? matches.at(-1) : undefined;
    return E.right({ matches, total, end: last === undefined ? null : { after: last.id } });
  };

/** How often a page is found in all, if others change its matches meanwhile. */
const maxAttempts = 200;

/** Finds a page again as long as it is null. */
export const repeatWhileChanging = async (findPage: () => Outcome<FoundPage | null>): Outcome<FoundPage> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const page = await findPage();
    if (E.isLeft(page)) return page;
    if (page.right !== null) return E.right(page.right);
  }
  return E.left(storeFailure('too-contended', null));
};
