import type { ClinicalTask } from '../errors.ts';
import { runTask } from '../result.ts';
import { maxCount } from '../search/paging.ts';
import type { SearchPage } from '../store/port.ts';
import type { SearchQuery } from '../store/query.ts';

/** The start of a walk, and its conditions. */
type Walk = Omit<SearchQuery, 'count' | 'withTotal'>;

/** Yields the resources that match. A page is read when its first resource is requested. Throws a `ClinicalRecordsError`. */
export const walkPages = (find: (query: SearchQuery) => ClinicalTask<SearchPage>) =>
  async function* (walk: Walk): AsyncGenerator<string, void> {
    let next: Walk | null = walk;
    while (next !== null) {
      // With an offset, the total shows where matches begin that are not stored yet.
      const withTotal: boolean = 'offset' in next.start && next.start.offset > 0;
      const { matches, hasMore }: SearchPage = await runTask(find({ ...next, count: maxCount, withTotal }));
      for (const { resource } of matches) yield resource;
      const last = matches.at(-1);
      next = hasMore && last !== undefined ? { ...walk, start: { after: last.id } } : null;
    }
  };
