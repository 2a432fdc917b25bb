import {
  type Commit,
  findConflict,
  type IndexEntry,
  type RecordChange,
  type RecordRef,
  type Reindexing,
  type StoreError,
  termOf,
  type VersionCheck,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import { handleStateOf } from '../host-transaction.ts';
import type { QueryBuilder, Tables } from '../schema.ts';
import { createParameterTexts, prepareStatement, type TermDictionary } from '../statement.ts';
import { type CurrentVersion, createVersionWriter } from './version-writer.ts';

export type CommitWriter = {
  /**
   * Must be called when a write transaction begins, because others may have written since the last one. Throws if another version
   * of the library has migrated the tables.
   */
  readonly begin: () => void;
  /**
   * Throws if a record that should be new exists, if the commit names a record twice, or if SQLite cannot write. All of
   * the commit must then be undone.
   */
  readonly write: (commit: Commit) => Either<StoreError, readonly number[]>;
  /** The first expectation of a commit that does not hold; null if all hold. */
  readonly findCommitConflict: (commit: Commit) => StoreError | null;
  /** Must be called if the written changes may be rolled back. */
  readonly forget: () => void;
};

/**
 * A change or a version check, and the current version of its record. It is null if there is none, or it was not looked
 * up.
 */
type CurrentRecord<A extends RecordRef> = { readonly target: A; readonly current: CurrentVersion | null };

const firstConflict = (lookups: readonly CurrentRecord<VersionCheck>[]): StoreError | null =>
  lookups
    .map(({ target, current }) => findConflict(target, current?.version ?? null))
    .find((conflict) => conflict !== null) ?? null;

type CommitWriterSettings = {
  readonly terms: TermDictionary;
  /** Throws if another version of the library has migrated the tables. */
  readonly requireSameSchema: () => void;
};

/**
 * Notices that another process, or another store on the handle, has written: it may have deleted terms that are kept in memory, or
 * have migrated the tables.
 */
const createNoticeOthers = (database: SqliteDatabase, { terms, requireSameSchema }: CommitWriterSettings) => {
  const dataVersion = database.prepare('PRAGMA data_version');
  const handle = handleStateOf(database);
  let lastDataVersion: unknown;
  let lastTermDeletions = 0;
  return (): void => {
    const { data_version } = dataVersion.get() as { data_version: unknown };
    if (data_version !== lastDataVersion || handle.termDeletions !== lastTermDeletions) {
      requireSameSchema();
      terms.forget();
    }
    lastDataVersion = data_version;
    lastTermDeletions = handle.termDeletions;
  };
};

/**
 * Writes one commit inside a write transaction, so that nothing else writes between its checks and its changes.
 * Versions and version checks are compared before the first change, so that such a conflict has nothing to undo. A
 * record that should be new is not looked up. It nearly always is new, and otherwise the index of names refuses it.
 */
export const createCommitWriter = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { terms, requireSameSchema }: CommitWriterSettings,
): CommitWriter => {
  const { findCurrent, writeFirst, writeNext, forget } = createVersionWriter(database, db);
  const index = createIndexEntryWriter(database, db, terms);
  const parameterTexts = createParameterTexts(database, db);
  const handle = handleStateOf(database);
  const noticeOthers = createNoticeOthers(database, { terms, requireSameSchema });

  const lookUp = <A extends RecordRef>(target: A): CurrentRecord<A> => ({
    target,
    current: findCurrent(target),
  });
  const lookUpUnlessNew = (change: RecordChange): CurrentRecord<RecordChange> =>
    change.expects._tag === 'Absent' ? { target: change, current: null } : lookUp(change);

  const findCommitConflict = ({ changes, versionChecks, reindexing }: Commit): StoreError | null =>
    firstConflict([...changes, ...versionChecks, ...(reindexing?.records ?? [])].map(lookUp));

  const write = ({ target, current }: CurrentRecord<RecordChange>): number => {
    const written = current === null ? writeFirst(target) : writeNext(target, current);
    const entries = target.resource === null ? [] : target.index;
    if (current?.readable === 1) index.replace(written.position, target.type, entries);
    else index.add(written.position, target.type, entries);
    return written.version;
  };

  const reindex = ({ records, parameters }: Reindexing): Either<StoreError, readonly number[]> => {
    const lookups = records.map(lookUp);
    const conflict = firstConflict(lookups);
    if (conflict !== null) return left(conflict);
    for (const { target, current } of lookups) {
      if (current?.readable === 1) index.replace(current.position, target.type, target.index);
    }
    if (parameters !== undefined) parameterTexts.change(parameters);
    return right([]);
  };

  const writeAll = (commit: Commit): Either<StoreError, readonly number[]> => {
    if (commit.reindexing !== undefined) return reindex(commit.reindexing);
    const lookups = commit.changes.map(lookUpUnlessNew);
    const conflict = firstConflict([...lookups, ...commit.versionChecks.map(lookUp)]);
    // The first conflict may be a record that should be new and was not looked up.
    if (conflict !== null) return left(findCommitConflict(commit) ?? conflict);
    const versions = lookups.map(write);
    // The contents of its index entries are erased, too.
    if (commit.changes.some(({ priorStates }) => priorStates !== undefined)) {
      terms.deleteUnused();
      handle.termDeletions += 1;
    }
    return right(versions);
  };

  return {
    begin: () => {
      forget();
      noticeOthers();
    },
    write: writeAll,
    findCommitConflict,
    forget: () => {
      forget();
      terms.forget();
    },
  };
};

type RecordKey = { readonly record: number };
type EntryRow = Tables['entries'];

type IndexEntryWriter = {
  /** Adds the entries of a record that has none. */
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  /** Deletes and adds the entries in which a record differs. */
  readonly replace: (record: number, type: string, index: readonly IndexEntry[]) => void;
};

const createIndexEntryWriter = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: TermDictionary,
): IndexEntryWriter => {
  const insert = prepareStatement<EntryRow>(database, (placeholder) =>
    db
      .insertInto('entries')
      .values({
        term: placeholder.of('term'),
        from: placeholder.of('from'),
        until: placeholder.of('until'),
        record: placeholder.of('record'),
      })
      // A repeated entry is stored once.
      .onConflict((conflict) => conflict.doNothing()),
  );
  const entriesOf = prepareStatement<RecordKey, EntryRow>(database, (placeholder) =>
    db.selectFrom('entries').selectAll().where('record', '=', placeholder.of('record')),
  );
  const remove = prepareStatement<EntryRow>(database, (placeholder) =>
    db
      .deleteFrom('entries')
      .where('term', '=', placeholder.of('term'))
      .where('from', '=', placeholder.of('from'))
      .where('until', '=', placeholder.of('until'))
      .where('record', '=', placeholder.of('record')),
  );

  const rowOf = (record: number, type: string, entry: IndexEntry): EntryRow => {
    const term = terms.findOrAdd(termOf(type, entry));
    const { from, until } = entry.kind === 'date' ? entry : { from: 0, until: 0 };
    return { term, from, until, record };
  };
  const keyOf = ({ term, from, until }: EntryRow): string => `${term} ${from} ${until}`;

  return {
    add: (record, type, index) => {
      for (const entry of index) insert.run(rowOf(record, type, entry));
    },
    replace: (record, type, index) => {
      const missing = new Map<string, EntryRow>();
      for (const entry of index) {
        const row = rowOf(record, type, entry);
        missing.set(keyOf(row), row);
      }
      for (const row of entriesOf.all({ record })) if (!missing.delete(keyOf(row))) remove.run(row);
      for (const row of missing.values()) insert.run(row);
    },
  };
};
