import {
  type Commit,
  findConflict,
  type RecordChange,
  type RecordRef,
  type StoreError,
  type VersionCheck,
} from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { TermDictionary } from '../term-dictionary.ts';
import { createIndexEntryWriter } from './index-entry-writer.ts';
import { type CurrentVersion, createVersionWriter } from './version-writer.ts';

export type CommitWriter = {
  /** Must be called as a write transaction begins: others may have written since the last one. */
  readonly begin: () => void;
  /**
   * Throws where a record that was to be new is there already, where one is named twice, and where SQLite cannot write:
   * then all of it must be undone.
   */
  readonly write: (commit: Commit) => Either<StoreError, readonly number[]>;
  /** The first expectation of a commit that is not met; null where all are. */
  readonly findCommitConflict: (commit: Commit) => StoreError | null;
  /** Must be called where what was written may be undone. */
  readonly forget: () => void;
};

/** A change or a premise, and how its record stands; null where there is none, or none was looked for. */
type RecordLookup<A extends RecordRef> = { readonly target: A; readonly current: CurrentVersion | null };

const firstConflict = (lookups: readonly RecordLookup<VersionCheck>[]): StoreError | null =>
  lookups
    .map(({ target, current }) => findConflict(target, current?.version ?? null))
    .find((conflict) => conflict !== null) ?? null;

/**
 * Writes one commit inside a write transaction: nobody else writes between its checks and its changes.
 * Versions and premises are looked at before the first change, so that a conflict of theirs leaves nothing to take back. A
 * record that is to be new is not looked for: nearly always it is new, and the index of names refuses it if it is not.
 */
export const createCommitWriter = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: TermDictionary,
): CommitWriter => {
  const { findCurrent, writeFirst, writeNext, forget } = createVersionWriter(database, db);
  const index = createIndexEntryWriter(database, db, terms);

  const lookUp = <A extends RecordRef>(target: A): RecordLookup<A> => ({
    target,
    current: findCurrent(target),
  });
  const lookUpUnlessNew = (change: RecordChange): RecordLookup<RecordChange> =>
    change.expects._tag === 'Absent' ? { target: change, current: null } : lookUp(change);

  const findCommitConflict = ({ changes, versionChecks }: Commit): StoreError | null =>
    firstConflict([...changes, ...versionChecks].map(lookUp));

  const write = ({ target, current }: RecordLookup<RecordChange>): number => {
    const written = current === null ? writeFirst(target) : writeNext(target, current);
    if (current?.readable === 1) index.clear(written.position);
    if (target.resource !== null) index.add(written.position, target.type, target.index);
    return written.version;
  };

  const writeAll = (commit: Commit): Either<StoreError, readonly number[]> => {
    const lookups = commit.changes.map(lookUpUnlessNew);
    const conflict = firstConflict([...lookups, ...commit.versionChecks.map(lookUp)]);
    // What conflicts first may be a record that was to be new, and was not looked for.
    return conflict === null ? right(lookups.map(write)) : left(findCommitConflict(commit) ?? conflict);
  };

  return {
    begin: forget,
    write: writeAll,
    findCommitConflict,
    forget: () => {
      forget();
      terms.forget();
    },
  };
};
