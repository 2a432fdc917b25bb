import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Outcome, storeFailure, tooCostly } from '../errors.ts';
import type { PageEnd } from '../search/cursor.ts';
import { searchIssue } from '../search/issues.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import { maxCount, type PageOrigin } from '../search/paging.ts';
import { compareEntries, type Sort, type SortedEntry } from '../search/sort.ts';
import { takeMatches } from '../store/take-matches.ts';
import type { Find, FindQuery, FoundMatch, FoundPage } from './find.ts';
import { pause } from './pause.ts';

/** The most matches that one search sorts. */
const maxSorted = 10_000;

/** How often the matches are listed in all, if others change those of the page meanwhile. */
const maxAttempts = 20;

type Entry = SortedEntry & { readonly id: string };

const endAfter = ({ id, version }: FoundMatch, key: number | null): PageEnd =>
  version === null ? { after: null, afterUnstored: id, key } : { after: id, key };

/**
 * Sorts the matches of a search. It reads all of them, but keeps only their keys, and then reads the matches of the page again. The
 * end of a page has the key of its last match, so that the next page begins after it, whatever was created meanwhile.
 */
export const findSorted = (find: Find, sort: Sort, keyOf: (match: FoundMatch) => number | null): Find => {
  const compare = compareEntries(sort);

  /** The matches from a place on, in the order of their creation. */
  const listEntries = async (
    query: FindQuery,
    start: PageOrigin,
  ): Promise<E.Either<ClinicalError, readonly Entry[]>> => {
    const entries: Entry[] = [];
    let next: PageOrigin | null = start;
    while (next !== null) {
      const asked: FindQuery = { ...query, count: maxCount, withTotal: next === start };
      const page: E.Either<ClinicalError, FoundPage> = await find(asked, next);
      if (E.isLeft(page)) return page;
      const { matches, total, end }: FoundPage = page.right;
      for (const match of matches) entries.push({ id: match.id, key: keyOf(match), place: entries.length });
      if (Math.max(total ?? 0, entries.length) > maxSorted)
        return E.left(tooCostly(searchIssue('too-costly')));
      if (end !== null) await pause();
      next = end;
    }
    return E.right(entries);
  };

  /** Where the last match of the page before is among the entries, even if it is not a match any more. */
  const findEnd = async (
    query: FindQuery,
    end: PageEnd,
    entries: readonly Entry[],
  ): Promise<E.Either<ClinicalError, SortedEntry>> => {
    const { after, afterUnstored, key = null } = end;
    // Only the matches after it were listed.
    if (afterUnstored !== undefined) return E.right({ key, place: -1 });
    const placeOf = (id: string | null | undefined) => entries.find((entry) => entry.id === id)?.place;
    const place = placeOf(after);
    if (place !== undefined) return E.right({ key, place });
    const following = await find({ ...query, count: 1, withTotal: false }, end);
    if (E.isLeft(following)) return following;
    const nextPlace = placeOf(following.right.matches[0]?.id) ?? entries.length;
    return E.right({ key, place: nextPlace - 0.5 });
  };

  /** The newest states of some matches, by their ids. */
  const readMatches = async (
    { maxBytes, ...query }: FindQuery,
    anyOf: readonly string[],
  ): Promise<E.Either<ClinicalError, ReadonlyMap<string, FoundMatch>>> => {
    if (anyOf.length === 0) return E.right(new Map());
    const conditions = mergeConditions([...query.conditions, { on: 'id', anyOf }]);
    const asked = { ...query, conditions, count: anyOf.length, withTotal: false };
    const page = await find(asked, { offset: 0 });
    return E.isLeft(page) ? page : E.right(new Map(page.right.matches.map((match) => [match.id, match])));
  };

  /** The sorted entries from the beginning of a page on. */
  const entriesFrom = async (
    query: FindQuery,
    origin: PageOrigin,
    entries: readonly Entry[],
  ): Outcome<readonly Entry[]> => {
    const sorted = entries.toSorted(compare);
    if ('offset' in origin) return E.right(sorted.slice(origin.offset));
    const end = await findEnd(query, origin, entries);
    return E.isLeft(end) ? end : E.right(sorted.filter((entry) => compare(entry, end.right) > 0));
  };

  return async (query, origin) => {
    if (query.count === 0) return find(query, origin);
    const isAfterUnstored = 'after' in origin && origin.afterUnstored !== undefined;
    let missing: ReadonlySet<string> = new Set();
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const entries = await listEntries(query, isAfterUnstored ? origin : { offset: 0 });
      if (E.isLeft(entries)) return entries;
      const following = await entriesFrom(query, origin, entries.right);
      if (E.isLeft(following)) return following;
      const shown = following.right.slice(0, query.count);
      const ids = shown.map(({ id }) => id);
      const read = await readMatches(query, ids);
      if (E.isLeft(read)) return read;
      const missingNow = new Set(ids.filter((id) => !read.right.has(id)));
      // Others may have changed it once, but then it is not listed again.
      if (!missing.isDisjointFrom(missingNow)) return E.left(storeFailure('damaged-store', null));
      missing = missingNow;
      const found = shown.flatMap(({ id, key }) => {
        const match = read.right.get(id);
        return match !== undefined && keyOf(match) === key ? [match] : [];
      });
      // A match has moved since it was listed.
      if (found.length < shown.length) continue;
      const { matches } = takeMatches(found, query);
      const last = matches.length < following.right.length ? matches.at(-1) : undefined;
      return E.right({
        matches,
        total: query.withTotal ? entries.right.length : null,
        end: last === undefined ? null : endAfter(last, keyOf(last)),
      });
    }
    return E.left(storeFailure('too-contended', null));
  };
};
