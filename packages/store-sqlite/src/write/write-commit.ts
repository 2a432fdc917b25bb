import {
  type Change,
  type Commit,
  type ExpectedVersion,
  isExpected,
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
  readonly write: (commit: Commit) => Either<StoreError, readonly number[]>;
  /** Must be called where what was written may not stay. */
  readonly forget: () => void;
};

/** A change, or a premise, and what it is about as it stands. */
type Met<A extends RecordRef> = { readonly demand: A; readonly before: Standing | null };

const conflictOf = ({ demand, before }: Met<RecordRef & { expects: ExpectedVersion }>): StoreError | null => {
  const actual = before?.version ?? null;
  return isExpected(demand.expects, actual)
    ? null
    : { _tag: 'Conflict', ref: { type: demand.type, id: demand.id }, actual };
};

/**
 * Writes one commit inside of a write transaction: nobody else writes between its checks and its changes.
 * It looks at every expectation before the first change, so that a conflict leaves nothing to take back.
 */
export const commitWriter = (database: SqliteDatabase, db: QueryBuilder, terms: Terms): CommitWriter => {
  const { standing, first, next } = versions(database, db);
  const index = indexEntries(database, db, terms);

  const meet = <A extends RecordRef>(demand: A): Met<A> => ({ demand, before: standing(demand) });

  const write = ({ demand, before }: Met<Change>): number => {
    const now = before === null ? first(demand) : next(demand, before);
    if (before?.readable === 1) index.clear(now.position);
    if (demand.resource !== null) index.add(now.position, demand.type, demand.index);
    return now.version;
  };

  const writeAll = ({ changes, premises }: Commit): Either<StoreError, readonly number[]> => {
    const met = changes.map(meet);
    const conflict = [...met, ...premises.map(meet)].map(conflictOf).find((found) => found !== null) ?? null;
    return conflict === null ? right(met.map(write)) : left(conflict);
  };

  return { write: writeAll, forget: terms.forget };
};
