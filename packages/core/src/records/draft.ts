import * as E from 'fp-ts/lib/Either.js';
import { Absent, isExpected, Version } from '../store/expected-version.ts';
import type { Change, ClinicalStore, Commit, RecordRef, StoredRecord, StoreError } from '../store/port.ts';

/** A commit in the making: a store to decide on, whose writes are kept back until they are committed as one. */
export type Draft = {
  /** Reads what is kept back, or else what the store had when it was first read; all but commits goes to the store. */
  readonly store: ClinicalStore;
  /** All that was written. Several versions of a record have become one, its last. */
  readonly commit: () => Commit;
};

/** A record as it was read, as it stands in the draft, and what is to be written of it. */
type Sheet = {
  readonly read: StoredRecord | null;
  readonly standing: StoredRecord | null;
  readonly change: Change | null;
};

const keyOf = ({ type, id }: RecordRef) => `${type}/${id}`;

const asRead = ({ read }: Sheet) => (read === null ? Absent : Version(read.version));

const written = (sheet: Sheet, change: Change): Sheet => {
  const { index: _index, expects: _expects, ...record } = change;
  return { ...sheet, change, standing: { ...record, version: (sheet.standing?.version ?? 0) + 1 } };
};

/** Begins a draft. What it relies on without writing it is a premise of its commit. */
export const createDraft = (store: ClinicalStore): Draft => {
  const sheets = new Map<string, Sheet>();
  const relied = new Map<string, RecordRef>();

  /** The sheet of a record, which is read once. */
  const sheet = async (ref: RecordRef): Promise<E.Either<StoreError, Sheet>> => {
    const key = keyOf(ref);
    const known = sheets.get(key);
    if (known !== undefined) return E.right(known);
    const read = await store.read(ref)();
    if (E.isLeft(read)) return read;
    const first = sheets.get(key) ?? { read: read.right, standing: read.right, change: null };
    sheets.set(key, first);
    return E.right(first);
  };

  const commit: ClinicalStore['commit'] =
    ({ changes, premises }) =>
    async () => {
      const demands = [...changes, ...premises];
      for (const demand of demands) {
        const read = await sheet(demand);
        if (E.isLeft(read)) return read;
      }
      // From here on nothing is waited for, so that nobody else's commit comes in between.
      for (const { type, id, expects } of demands) {
        const actual = sheets.get(keyOf({ type, id }))?.standing?.version ?? null;
        if (!isExpected(expects, actual)) return E.left({ _tag: 'Conflict', ref: { type, id }, actual });
      }
      for (const { type, id } of premises) relied.set(keyOf({ type, id }), { type, id });
      const versions = changes.map((change) => {
        const next = written(sheets.get(keyOf(change)) as Sheet, change);
        sheets.set(keyOf(change), next);
        return next.standing?.version ?? 1;
      });
      return E.right(versions);
    };

  return {
    store: {
      read: (ref) => async () => E.map(({ standing }: Sheet) => standing)(await sheet(ref)),
      commit,
      readResource: (ref) => store.readResource(ref),
      search: (query) => store.search(query),
      history: (ref) => store.history(ref),
      changesSince: (since) => store.changesSince(since),
      scan: (since) => store.scan(since),
      close: () => store.close(),
    },
    commit: () => {
      const all = [...sheets.values()];
      return {
        changes: all.flatMap((one) => (one.change === null ? [] : [{ ...one.change, expects: asRead(one) }])),
        premises: [...relied].flatMap(([key, ref]) => {
          const one = sheets.get(key);
          return one === undefined || one.change !== null ? [] : [{ ...ref, expects: asRead(one) }];
        }),
      };
    },
  };
};
