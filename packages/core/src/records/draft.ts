import * as E from 'fp-ts/lib/Either.js';
import { conflictOf } from '../store/conflict.ts';
import { Absent, Version } from '../store/expected-version.ts';
import type {
  Change,
  ClinicalStore,
  Commit,
  Premise,
  RecordRef,
  StoredRecord,
  StoreError,
} from '../store/port.ts';
import { createRecentRecords } from './recent-records.ts';

/** A commit in the making: a store to decide on, whose writes are kept back until they are committed as one. */
export type Draft = {
  /** `commit` keeps writes back; `read` answers what is kept back, or what the store had at first; the store answers all else. */
  readonly store: ClinicalStore;
  /** All that was written. Several versions of a record have become one, its last. */
  readonly commit: () => Commit;
  /** How many records its commit would write or rely on. */
  readonly size: () => number;
  /** Begins another draft once this one is committed: it remembers records that were read or written, as the store has them now. */
  readonly next: () => void;
  /** Begins another draft that has read nothing. */
  readonly clear: () => void;
};

/**
 * How many records are remembered, at least: those that many others refer to. What others write meanwhile is found out by
 * the commit, as far as that relies on it.
 */
const mostRemembered = 10_000;

/** A record as it was read, what is to be written of it, and whether what is written relies on it. */
type Sheet = {
  readonly ref: RecordRef;
  readonly read: StoredRecord | null;
  /** The version at which it stands in the draft: each write adds one, though they are committed as one. */
  version: number | null;
  change: Change | null;
  isPremise: boolean;
};

const asRead = ({ read }: Sheet) => (read === null ? Absent : Version(read.version));

/** The record as it stands in the draft. */
const standing = ({ read, version, change }: Sheet): StoredRecord | null => {
  if (change === null || version === null) return read;
  const { index: _index, expects: _expects, ...record } = change;
  return { ...record, version };
};

/** The record as it stands in the store once the draft is committed. */
const committed = ({ read, change }: Sheet): StoredRecord | null => {
  if (change === null) return read;
  const { index: _index, expects: _expects, ...record } = change;
  return { ...record, version: (read?.version ?? 0) + 1 };
};

/** Begins a draft. What it relies on without writing it is a premise of its commit. */
export const createDraft = (
  store: ClinicalStore,
  isRemembered: (type: string) => boolean = () => false,
): Draft => {
  const remembered = createRecentRecords(mostRemembered);
  let sheets: Sheet[] = [];
  let size = 0;
  const byType = new Map<string, Map<string, Sheet>>();

  const startOver = () => {
    sheets = [];
    size = 0;
    byType.clear();
  };

  const sheetsOf = (type: string): Map<string, Sheet> => {
    const ofType = byType.get(type) ?? new Map<string, Sheet>();
    byType.set(type, ofType);
    return ofType;
  };

  const begin = (ref: RecordRef, read: StoredRecord | null): Sheet => {
    const sheet = { ref, read, version: read?.version ?? null, change: null, isPremise: false };
    sheetsOf(ref.type).set(ref.id, sheet);
    sheets.push(sheet);
    return sheet;
  };

  /** The sheet of a record that is demanded. One that is to be new is not looked for: that it is, the commit of the draft sees. */
  const sheetFor = ({ type, id, expects }: Premise): Sheet | undefined =>
    sheetsOf(type).get(id) ?? (expects._tag === 'Absent' ? begin({ type, id }, null) : undefined);

  /** The sheet of a record, which is read once. */
  const sheetOf = async ({ type, id }: RecordRef): Promise<E.Either<StoreError, Sheet>> => {
    const ofType = sheetsOf(type);
    const known = ofType.get(id);
    if (known !== undefined) return E.right(known);
    const ref = { type, id };
    const recent = remembered.get(ref);
    const read = recent === null ? await store.read(ref)() : E.right(recent);
    if (E.isLeft(read)) return read;
    return E.right(ofType.get(id) ?? begin(ref, read.right));
  };

  const commit: ClinicalStore['commit'] =
    ({ changes, premises }) =>
    async () => {
      const demands = [...changes, ...premises];
      const demanded: Sheet[] = [];
      for (const demand of demands) {
        const known = sheetFor(demand);
        const sheet = known === undefined ? await sheetOf(demand) : E.right(known);
        if (E.isLeft(sheet)) return sheet;
        demanded.push(sheet.right);
      }
      // From here on nothing is waited for, so that nobody else's commit comes in between.
      for (const [at, demand] of demands.entries()) {
        const conflict = conflictOf(demand, (demanded[at] as Sheet).version);
        if (conflict !== null) return E.left(conflict);
      }
      for (const sheet of demanded) {
        if (!sheet.isPremise) size += 1;
        sheet.isPremise = true;
      }
      return E.right(
        changes.map((change, at) => {
          const sheet = demanded[at] as Sheet;
          sheet.change = change;
          sheet.version = (sheet.version ?? 0) + 1;
          return sheet.version;
        }),
      );
    };

  return {
    store: {
      read: (ref) => async () => {
        const sheet = await sheetOf(ref);
        return E.isLeft(sheet) ? sheet : E.right(standing(sheet.right));
      },
      commit,
      readResource: (ref) => store.readResource(ref),
      search: (query) => store.search(query),
      history: (ref) => store.history(ref),
      changesSince: (since) => store.changesSince(since),
      scan: (since) => store.scan(since),
      close: () => store.close(),
    },
    commit: () => ({
      changes: sheets.flatMap((sheet) =>
        sheet.change === null ? [] : [{ ...sheet.change, expects: asRead(sheet) }],
      ),
      premises: sheets.flatMap((sheet) =>
        sheet.isPremise && sheet.change === null ? [{ ...sheet.ref, expects: asRead(sheet) }] : [],
      ),
    }),
    size: () => size,
    next: () => {
      for (const sheet of sheets) {
        const record = isRemembered(sheet.ref.type) ? committed(sheet) : null;
        if (record !== null) remembered.put(record);
      }
      startOver();
    },
    clear: () => {
      remembered.clear();
      startOver();
    },
  };
};
