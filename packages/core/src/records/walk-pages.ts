import { orThrow } from '../outcome.ts';
import { maxCount, type PageOrigin } from '../search/paging.ts';
import type { Find, FindQuery, FoundMatch, FoundPage } from './find.ts';

/** Yields the matches. A page is read when its first match is requested. Throws a `ClinicalRecordsError`. */
export const walkPages = (find: Find) =>
  async function* (
    query: Omit<FindQuery, 'count' | 'withTotal'>,
    start: PageOrigin,
  ): AsyncGenerator<FoundMatch, void> {
    let origin: PageOrigin | null = start;
    while (origin !== null) {
      // With an offset, the total shows where matches begin that are not stored yet.
      const withTotal: boolean = 'offset' in origin && origin.offset > 0;
      const { matches, end }: FoundPage = await orThrow(
        find({ ...query, count: maxCount, withTotal }, origin),
      );
      yield* matches;
      origin = end;
    }
  };
