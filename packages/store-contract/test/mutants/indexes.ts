import type { ClinicalStore, IndexEntry, Position, RecordChange } from '@clinical-records/core/store';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import {
  before,
  everything,
  keyOf,
  type Mutant,
  mapResult,
  matchesQuery,
  mutant,
  observeCommits,
  replaceSearch,
  rewriteChanges,
} from './mutant.ts';

const textOf = (entry: IndexEntry): string => JSON.stringify(entry);

/** Remembers an index of its own for each record, which is what `kept` makes of the one before and a change. */
const replaceIndex =
  (kept: (before: readonly IndexEntry[], change: RecordChange) => readonly IndexEntry[]) =>
  (store: ClinicalStore) => {
    const indexes = new Map<string, readonly IndexEntry[]>();
    const scan: ClinicalStore['scan'] = (options) =>
      mapResult(store.scan(options), (records) =>
        records.map((record) => ({ ...record, index: indexes.get(keyOf(record)) ?? [] })),
      );
    return {
      scan,
      ...observeCommits(store, (changes) => {
        for (const change of changes)
          indexes.set(keyOf(change), kept(indexes.get(keyOf(change)) ?? [], change));
      }),
      ...replaceSearch({ ...store, scan }, matchesQuery),
    };
  };

const changeScan =
  (different: (store: ClinicalStore) => ClinicalStore['scan']) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({ scan: different(store) });

const distinct = (index: readonly IndexEntry[]) => [
  ...new Map(index.map((entry) => [textOf(entry), entry])).values(),
];

export const indexMutants: readonly Mutant[] = [
  mutant(
    'entries of the previous version that are still found',
    'a new version is found by its own index entries, and no longer by those of the version before',
    replaceIndex((before, change) => distinct([...before, ...change.index])),
  ),
  mutant(
    'entries that are lost if a new version keeps them',
    'a new version is still found by the index entries that it keeps',
    replaceIndex((before, { index }) => {
      const known = new Set(before.map(textOf));
      return index.filter((entry) => !known.has(textOf(entry)));
    }),
  ),
  mutant(
    'an entry that is not stored',
    'a repeated index entry counts once',
    rewriteChanges((change) => ({ ...change, index: distinct(change.index).slice(0, -1) })),
  ),
  mutant(
    'an entry that all records lose when one of them does',
    'index entries of one record do not depend on those of another',
    (store) => {
      const dropped = new Set<string>();
      const held = new Map<string, readonly IndexEntry[]>();
      return {
        ...observeCommits(store, (changes) => {
          for (const change of changes) {
            for (const entry of held.get(keyOf(change)) ?? []) dropped.add(textOf(entry));
            held.set(keyOf(change), change.index);
          }
        }),
        ...replaceSearch(
          store,
          (query) => (record) =>
            matchesQuery(query)({
              ...record,
              index: record.index.filter((entry) => !dropped.has(textOf(entry))),
            }),
        ),
      };
    },
  ),
  mutant(
    'a record that is found in the chart it has left',
    'a record that moves to another chart is found only there',
    (store) => {
      const first = new Map<string, string | null>();
      return {
        ...observeCommits(store, (changes) => {
          for (const { type, id, patientId } of changes)
            first.set(keyOf({ type, id }), first.get(keyOf({ type, id })) ?? patientId);
        }),
        ...replaceSearch(
          store,
          (query) => (record) =>
            matchesQuery(query)({ ...record, patientId: first.get(keyOf(record)) ?? null }),
        ),
      };
    },
  ),
  mutant(
    'a scan that leaves out records without a resource',
    'a scan shows the current version of every record, with a resource or without, in the order of creation',
    changeScan(
      (store) => (options) =>
        mapResult(store.scan(options), (records) => records.filter(({ resource }) => resource !== null)),
    ),
  ),
  mutant(
    'a scan with stale entries',
    'a scan shows only the index entries of the current version, and none without a resource',
    (store) => {
      const { commit, scan } = replaceIndex((before, { index }) => distinct([...before, ...index]))(store);
      return { commit, scan };
    },
  ),
  mutant(
    'a scan with the entries of records without a resource',
    'a scan shows only the index entries of the current version, and none without a resource',
    (store) => {
      const { commit, scan } = replaceIndex((_before, { index }) => distinct(index))(store);
      return { commit, scan };
    },
  ),
  mutant(
    'a scan that repeats an entry as often as it was given',
    'a scan shows the index entries of a record, without repeats',
    replaceIndex((_before, { index, resource }) => (resource === null ? [] : index)),
  ),
  mutant(
    'a scan that begins with the record at its position',
    'a scan continues after any position, and returns at most the limit',
    changeScan(
      (store) =>
        ({ position, limit }) =>
          store.scan({ position: before(position), limit }),
    ),
  ),
  mutant(
    'a scan that begins with the first record if it does not know the position',
    'a scan cannot begin at a position that none of its records has',
    changeScan((store) => async (range) => {
      const outcome = await store.scan(range);
      return isLeft(outcome) ? store.scan({ limit: range.limit }) : outcome;
    }),
  ),
  mutant(
    'an empty scan after a position that does not exist yet',
    'a scan cannot begin at a position that none of its records has',
    changeScan((store) => async (range) => {
      const outcome = await store.scan(range);
      return isLeft(outcome) && Number(range.position) > 0 ? right([]) : outcome;
    }),
  ),
  mutant(
    'a position that moves with each version of its record',
    'each record has a position of its own, which never changes',
    (store) => {
      const versions = new Map<string, number>();
      return {
        ...observeCommits(store, (changes) => {
          for (const one of changes) versions.set(keyOf(one), (versions.get(keyOf(one)) ?? 0) + 1);
        }),
        ...changeScan(
          (inner) => (range) =>
            mapResult(inner.scan(range), (records) =>
              records.map((record) => ({
                ...record,
                position: `${record.position}.${versions.get(keyOf(record))}` as Position,
              })),
            ),
        )(store),
      };
    },
  ),
  mutant(
    'a scan that returns more than the limit',
    'a scan continues after any position, and returns at most the limit',
    changeScan(
      (store) =>
        ({ position }) =>
          store.scan({ ...everything, position }),
    ),
  ),
  mutant(
    'a scan without a limit of bytes',
    'a page of a scan ends with the record that reaches its bytes, and has at least one',
    changeScan(
      (store) =>
        ({ position, limit }) =>
          store.scan({ position, limit }),
    ),
  ),
  mutant(
    'a scan with an order of its own',
    'a scan has the same order as a search',
    changeScan(
      (store) => (since) =>
        mapResult(store.scan(since), (records) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
    ),
  ),
];
