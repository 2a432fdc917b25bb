import type { ClinicalStore, Page, Query } from '@clinical-records/core';
import { altered, isFound, keyOf, mutant, searching, telling } from './mutant.ts';

const answering =
  (different: (page: Page, query: Query) => Page) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    search: (query) => altered(store.search(query), (page) => different(page, query)),
  });

const asking =
  (different: (query: Query) => Query) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({ search: (query) => store.search(different(query)) });

export const pageMutants = [
  mutant(
    'an order by id',
    'a search of all records answers in the order of creation, with positions that grow',
    (store) =>
      searching(store, isFound, (records) => records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))),
  ),
  mutant(
    'an order that differs from one search to the next',
    'a page by a token is any stretch of that order, and its total all that match',
    (store) => {
      let searches = 0;
      return searching(store, isFound, (records) => {
        searches += 1;
        return searches % 2 === 0 ? records.toReversed() : records;
      });
    },
  ),
  mutant(
    'a place that moves with each version',
    'a record keeps its place, whatever versions it goes through',
    (store) => {
      const written = new Map<string, number>();
      let writes = 0;
      return {
        ...telling(store, (changes) => {
          for (const change of changes) {
            writes += 1;
            written.set(keyOf(change), writes);
          }
        }),
        ...searching(store, isFound, (records) =>
          records
            .map((record) => ({ ...record, position: written.get(keyOf(record)) ?? 0 }))
            .toSorted((a, b) => a.position - b.position),
        ),
      };
    },
  ),
  mutant(
    'the total of the page instead of all',
    'a page of none has the total',
    answering(({ matches }) => ({ matches, total: matches.length })),
  ),
  mutant(
    'the total of what comes after a position',
    'a page of a chart can begin after any match, and its total is all that match',
    (store) =>
      searching(
        store,
        (query) => (record) =>
          isFound(query)(record) && !('after' in query.start && record.position <= query.start.after),
      ),
  ),
  mutant(
    'an offset off by one',
    'a page of all records is any stretch of that order, and its total all that match',
    asking((query) =>
      'offset' in query.start && query.start.offset > 0
        ? { ...query, start: { offset: query.start.offset - 1 } }
        : query,
    ),
  ),
  mutant(
    'a page that begins with the record it is to begin after',
    'a page of all records can begin after any match, and its total is all that match',
    asking((query) =>
      'after' in query.start ? { ...query, start: { after: query.start.after - 1 } } : query,
    ),
  ),
  mutant(
    'a position taken for an offset among the matches',
    'a page begins past the record at a position, whether that is a match or not',
    asking((query) => ('after' in query.start ? { ...query, start: { offset: query.start.after } } : query)),
  ),
  mutant(
    'a count that is ignored',
    'a page by ids is any stretch of that order, and its total all that match',
    asking((query) => ({ ...query, count: 100 })),
  ),
  mutant(
    'a count of 0 taken for all',
    'a page of none has the total',
    asking((query) => ({ ...query, count: query.count || 100 })),
  ),
  mutant(
    'a record found once for each criterion that holds',
    'a date condition finds a record by any of its criteria, and once',
    (store) => ({
      search: (query) =>
        altered(store.search(query), (page) => {
          const [first, ...others] = query.conditions;
          if (first === undefined || others.length > 0) return page;
          const found = page.matches.flatMap((one) => first.anyOf.slice(0, 2).map(() => one));
          return { matches: found, total: found.length };
        }),
    }),
  ),
  mutant(
    'a match that tells the first version of its record',
    'a match tells the id and the resource of its record as it stands, and no more',
    (store) => {
      const first = new Map<string, string | null>();
      return {
        ...telling(store, (changes) => {
          for (const { id, resource } of changes) first.set(id, first.get(id) ?? resource);
        }),
        ...answering((page) => ({
          ...page,
          matches: page.matches.map((one) => ({ ...one, resource: first.get(one.id) ?? one.resource })),
        }))(store),
      };
    },
  ),
  mutant(
    'a match that tells the state as well',
    'a match tells the id and the resource of its record as it stands, and no more',
    answering((page) => ({ ...page, matches: page.matches.map((one) => ({ ...one, state: '{}' })) })),
  ),
];
