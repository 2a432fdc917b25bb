import {
  type ClinicalStore,
  type OrderedQuery,
  type SearchPage,
  type SearchQuery,
  takeMatches,
} from '@clinical-records/core/store';
import { isLeft, isRight, left, right } from 'fp-ts/lib/Either.js';
import {
  everything,
  keyOf,
  mapResult,
  matchesQuery,
  mutant,
  observeCommits,
  replaceSearch,
} from './mutant.ts';

const changePage =
  (different: (page: SearchPage, query: SearchQuery) => SearchPage) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    search: (query) => mapResult(store.search(query), (page) => different(page, query)),
  });

const changeQuery =
  (different: (query: SearchQuery) => SearchQuery) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({ search: (query) => store.search(different(query)) });

/** A search in the order of a time, but for something slightly different. */
const changeOrderedQuery =
  (different: (query: OrderedQuery) => OrderedQuery) =>
  (store: ClinicalStore): Partial<ClinicalStore> => {
    const searchInOrder = store.searchInOrder?.bind(store);
    return searchInOrder === undefined ? {} : { searchInOrder: (query) => searchInOrder(different(query)) };
  };

export const pageMutants = [
  mutant('an order by id', 'a search of all records returns records in the order of creation', (store) =>
    replaceSearch(store, matchesQuery, (records) =>
      records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    ),
  ),
  mutant(
    'an order that differs from one search to the next',
    'a page by a token can be any range of that order, and its total counts all matches',
    (store) => {
      let searches = 0;
      return replaceSearch(store, matchesQuery, (records) => {
        searches += 1;
        return searches % 2 === 0 ? records.toReversed() : records;
      });
    },
  ),
  mutant(
    'a place that moves with each version',
    'a record keeps its place in all of its versions',
    (store) => {
      const written = new Map<string, number>();
      let writes = 0;
      return {
        ...observeCommits(store, (changes) => {
          for (const change of changes) {
            writes += 1;
            written.set(keyOf(change), writes);
          }
        }),
        ...replaceSearch(store, matchesQuery, (records) =>
          records.toSorted((a, b) => (written.get(keyOf(a)) ?? 0) - (written.get(keyOf(b)) ?? 0)),
        ),
      };
    },
  ),
  mutant(
    'the total of the page instead of all',
    'an empty page has the total',
    changePage((page) => ({ ...page, total: page.matches.length })),
  ),
  mutant(
    'the total of the rest, after a record',
    'a page of a chart can begin after any match, and its total counts all matches',
    (store) => ({
      search: async (query) => {
        const page = await store.search(query);
        const rest = await store.search({ ...query, count: 100 });
        if (!('after' in query.start) || isLeft(page) || isLeft(rest)) return page;
        return right({ ...page.right, total: rest.right.matches.length });
      },
    }),
  ),
  mutant(
    'an offset off by one',
    'a page of all records can be any range of that order, and its total counts all matches',
    changeQuery((query) =>
      'offset' in query.start && query.start.offset > 0
        ? { ...query, start: { offset: query.start.offset - 1 } }
        : query,
    ),
  ),
  mutant(
    'a page that begins with the record after which it should begin',
    'a page of all records can begin after any match, and its total counts all matches',
    (store) => ({
      search: async (query) => {
        const page = await store.search(query);
        if (!('after' in query.start) || isLeft(page)) return page;
        const last = { id: query.start.after, version: 1, at: 0, resource: '{"resource":1}' };
        return right({ ...page.right, matches: [last, ...page.right.matches].slice(0, query.count) });
      },
    }),
  ),
  mutant(
    'a page that begins after a record only if that is a match',
    'a page begins after the record with an id, whether that record matches or not',
    (store) => ({
      search: async (query) => {
        const { start } = query;
        const all = await store.search({ ...query, start: { offset: 0 }, count: 100 });
        if (!('after' in start) || isLeft(all)) return store.search(query);
        const place = all.right.matches.findIndex(({ id }) => id === start.after);
        const rest = place < 0 ? [] : all.right.matches.slice(place + 1);
        return right({ ...takeMatches(rest, query), total: all.right.total });
      },
    }),
  ),
  mutant(
    'a page from the beginning after an absent record',
    'nothing comes after a record that does not exist, and the total counts all matches',
    (store) => ({
      search: async (query) => {
        const { start, type } = query;
        const record = 'after' in start ? await store.read({ type, id: start.after }) : null;
        const isNowhere = record !== null && isRight(record) && record.right === null;
        return store.search(isNowhere ? { ...query, start: { offset: 0 } } : query);
      },
    }),
  ),
  mutant(
    'a total that was not requested',
    'a total that is not requested is null, and the page is the same',
    changeQuery((query) => ({ ...query, withTotal: true })),
  ),
  mutant(
    'bytes that are ignored',
    'a page of all records ends before the match that would exceed its bytes, and reports that more follow',
    changeQuery(({ maxBytes: _, ...query }) => query),
  ),
  mutant(
    'bytes counted as UTF-16 units',
    'a page by a token ends before the match that would exceed its bytes, and reports that more follow',
    (store) => ({
      search: (query) =>
        mapResult(store.search({ ...query, maxBytes: Number.POSITIVE_INFINITY }), (page) => {
          let units = 0;
          const matches = page.matches.filter(({ resource }, at) => {
            units += resource.length;
            return at === 0 || units <= (query.maxBytes ?? Number.POSITIVE_INFINITY);
          });
          return { ...page, matches, hasMore: page.hasMore || matches.length < page.matches.length };
        }),
    }),
  ),
  mutant(
    'an empty page if the first match is too large',
    'a page by a date ends before the match that would exceed its bytes, and reports that more follow',
    (store) => ({
      search: (query) =>
        mapResult(store.search(query), (page) => {
          const isTooLarge = (page.matches[0]?.resource.length ?? 0) > (query.maxBytes ?? 1000);
          return isTooLarge ? { ...page, matches: [] } : page;
        }),
    }),
  ),
  mutant(
    'a page that reports no more matches although some follow',
    'pages of all records that are read one after the other repeat no record and skip none',
    changePage((page) => ({ ...page, hasMore: false })),
  ),
  mutant(
    'the count at the end of the allowed steps',
    'a search that needs more steps than it may take is TooCostly, or returns everything',
    changePage((page, { maxSteps = Number.POSITIVE_INFINITY }) => ({
      ...page,
      total: page.total && Math.min(page.total, maxSteps),
    })),
  ),
  mutant(
    'a search for one patient that looks at all records',
    'a search for one record, or in the small chart of one patient, takes fewer than a hundred steps',
    (store) => ({
      search: async (query) => {
        const all = await store.scan(everything);
        const isBeyond = isRight(all) && all.right.length > (query.maxSteps ?? Number.POSITIVE_INFINITY);
        return isBeyond ? left({ _tag: 'TooCostly' }) : store.search(query);
      },
    }),
  ),
  mutant(
    'a count that is ignored',
    'a page by ids can be any range of that order, and its total counts all matches',
    changeQuery((query) => ({ ...query, count: 100 })),
  ),
  mutant(
    'a count of 0 mistaken for all',
    'an empty page has the total',
    changeQuery((query) => ({ ...query, count: query.count || 100 })),
  ),
  mutant(
    'a record found once for each criterion that holds',
    'a date condition finds a record by any of its criteria, and once',
    (store) => ({
      search: (query) =>
        mapResult(store.search(query), (page) => {
          const [first, ...others] = query.conditions;
          if (first === undefined || !('anyOf' in first) || others.length > 0) return page;
          const found = page.matches.flatMap((one) => first.anyOf.slice(0, 2).map(() => one));
          return { ...page, matches: found, total: found.length };
        }),
    }),
  ),
  mutant(
    'a match with the first version of its record',
    'a match has the id, the current version, its time and its resource, and no more',
    (store) => {
      const first = new Map<string, string | null>();
      return {
        ...observeCommits(store, (changes) => {
          for (const { id, resource } of changes) first.set(id, first.get(id) ?? resource);
        }),
        ...changePage((page) => ({
          ...page,
          matches: page.matches.map((one) => ({ ...one, resource: first.get(one.id) ?? one.resource })),
        }))(store),
      };
    },
  ),
  mutant(
    'a match with the number of the first version',
    'a match has the id, the current version, its time and its resource, and no more',
    changePage((page) => ({ ...page, matches: page.matches.map((one) => ({ ...one, version: 1 })) })),
  ),
  mutant(
    'a match without the time of its version',
    'a match has the id, the current version, its time and its resource, and no more',
    changePage((page) => ({ ...page, matches: page.matches.map((one) => ({ ...one, at: 0 })) })),
  ),
  mutant(
    'a match with the state',
    'a match has the id, the current version, its time and its resource, and no more',
    changePage((page) => ({ ...page, matches: page.matches.map((one) => ({ ...one, state: '{}' })) })),
  ),
  mutant(
    'an order of a time that has only one direction',
    'matches of a chart, the earliest first: those without a time come last, and ties as created',
    changeOrderedQuery((query) => ({ ...query, order: { ...query.order, isDescending: true } })),
  ),
  mutant(
    'an ordered page that begins after all matches of the same time',
    'a page of a chart, the latest first can be any range, and can begin after any match',
    changeOrderedQuery((query) => {
      const { start, order } = query;
      if (!('after' in start) || start.time === null) return query;
      return { ...query, start: { ...start, time: start.time + (order.isDescending ? -1 : 1) } };
    }),
  ),
];
