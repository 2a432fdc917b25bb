import {
  type Change,
  type Commit,
  conflictOf,
  type Premise,
  type RecordRef,
  type StoreError,
} from '@clinical-records/core';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Terms } from '../terms.ts';
import { indexEntries } from './index-entries.ts';
import { type Standing, versions } from './versions.ts';

export type CommitWriter = {
  /** Must be called as a write transaction begins: others may have written since the last one. */
  readonly begin: () => void;
  /**
   * Throws where a record that was to be new is there already, where one is named twice, and where SQLite cannot write:
   * then all of it must be undone.
   */
  readonly write: (commit: Commit) => Either<StoreError, readonly number[]>;
  /** The first expectation of a commit that is not met; null where all are. */
  readonly conflictIn: (commit: Commit) => StoreError | null;
  /** Must be called where what was written may be undone. */
  readonly forget: () => void;
};

/** A change or a premise, and how its record stands; null where there is none, or none was looked for. */
type Met<A extends RecordRef> = { readonly demand: A; readonly before: Standing | null };

const conflictAmong = (met: readonly Met<Premise>[]): StoreError | null =>
  met
    .map(({ demand, before }) => conflictOf(demand, before?.version ?? null))
    .find((conflict) => conflict !== null) ?? null;

/**
 * Writes one commit inside a write transaction: nobody else writes between its checks and its changes.
 * Versions and premises are looked at before the first change, so that a conflict of theirs leaves nothing to take back. A
 * record that is to be new is not looked for: nearly always it is new, and the index of names refuses it if it is not.
 */
export const commitWriter = (database: SqliteDatabase, db: QueryBuilder, terms: Terms): CommitWriter => {
  const { standing, first, next, forget } = versions(database, db);
  const index = indexEntries(database, db, terms);

  const meet = <A extends RecordRef>(demand: A): Met<A> => ({ demand, before: standing(demand) });
  const meetUnlessNew = (change: Change): Met<Change> =>
    change.expects._tag === 'Absent' ? { demand: change, before: null } : meet(change);

  const conflictIn = ({ changes, premises }: Commit): StoreError | null =>
    conflictAmong([...changes, ...premises].map(meet));

  const write = ({ demand, before }: Met<Change>): number => {
    const now = before === null ? first(demand) : next(demand, before);
    if (before?.readable === 1) index.clear(now.position);
    if (demand.resource !== null) index.add(now.position, demand.type, demand.index);
    return now.version;
  };

  const writeAll = (commit: Commit): Either<StoreError, readonly number[]> => {
    const met = commit.changes.map(meetUnlessNew);
    const conflict = conflictAmong([...met, ...commit.premises.map(meet)]);
    // What conflicts first may be a record that was to be new, and was not looked for.
    return conflict === null ? right(met.map(write)) : left(conflictIn(commit) ?? conflict);
  };

  return {
    begin: forget,
    write: writeAll,
    conflictIn,
    forget: () => {
      forget();
      terms.forget();
    },
  };
};
