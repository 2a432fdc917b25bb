import { type Commit, misuseError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import { isTransient, staysLockedError } from '../postgres-errors.ts';
import type { QueryBuilder } from '../statement.ts';
import { createNameGuard, createVersionsStatement, type LockedVersion } from '../write/locks.ts';
import {
  bindGroup,
  type CommitResult,
  checkChanges,
  conflictOf,
  nameOf,
  type PreparedCommit,
  prepareCommit,
  refsOf,
} from '../write/prepared-commit.ts';
import { createChangeParameters } from '../write/reindex.ts';
import { createTermWriter } from '../write/term-writer.ts';
import { type OpenTransaction, runInSavepoint } from './open-transaction.ts';
import { createProvisionalWriteStatement, withContentHash } from './provisional-versions.ts';

const refuseReindexing = left(
  misuseError(
    'Index entries cannot be written again in a transaction of the host. Call reindex on the records themselves.',
  ),
);

const refuseErasure = left(
  misuseError(
    'An erasure cannot be part of a transaction of the host on PostgreSQL. Call it on the records themselves.',
  ),
);

/** Locks all records that a commit names, and returns the versions that they have from then on. */
const createLockRecords = (builder: QueryBuilder) => {
  const guardNames = createNameGuard(builder);
  const lockChanged = createVersionsStatement(builder, 'for no key update of records');
  const lockChecked = createVersionsStatement(builder, 'for share of records');
  return async (
    transaction: OpenTransaction,
    { expectations }: PreparedCommit,
    end: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const changed = refsOf(expectations.filter(({ version }) => version !== null));
    const checked = refsOf(expectations.filter(({ version }) => version === null));
    const locked = await runInSavepoint(
      transaction,
      {
        writes: guardNames(refsOf(expectations)),
        reads: [lockChanged.bind(changed), lockChecked.bind(checked)],
      },
      end,
    );
    const rows = locked.flat() as readonly LockedVersion[];
    return new Map(rows.map(({ type, id, version }) => [nameOf(type, id), version]));
  };
};

/**
 * Writes commits in a transaction of the host until a time by `performance.now()`. Their positions are provisional, so that nobody
 * waits for the end of the feed while it is open.
 *
 * It locks every record that a commit names until the end of the transaction: the changed ones against any lock, the
 * checked ones against changes. It guards the names of absent records. Its decision remains right, because nobody changes them
 * before its end, other transactions of hosts included.
 *
 * Other commits check versions without locking. They fail if the end of the feed was moved after their snapshot. Each
 * of them locks the records that it updates before, so that it waits for this transaction, and then sees what that has
 * written. For the key of a record that it creates it may wait afterwards, while it holds the end of the feed. This
 * transaction cannot commit meanwhile, so nothing that was checked changes, and the other commit soon gives way. If the
 * other was first, this transaction waits for it, and sees what it has written.
 */
export const createJoinedCommit = (
  builder: QueryBuilder,
): ((transaction: OpenTransaction, commit: Commit, end: number) => Promise<CommitResult>) => {
  const lockRecords = createLockRecords(builder);
  const writeFirst = createProvisionalWriteStatement(builder, { hasNext: false });
  const writeNext = createProvisionalWriteStatement(builder, { hasNext: true });
  const terms = createTermWriter(builder);
  const changeParameters = createChangeParameters(builder);

  const write = async (
    transaction: OpenTransaction,
    prepared: PreparedCommit,
    end: number,
  ): Promise<CommitResult> => {
    const current = await lockRecords(transaction, prepared, end);
    const conflict = conflictOf(prepared, current);
    if (conflict !== null) return left(conflict);
    const bound = bindGroup([prepared], current);
    const versions = bound.versions.map(withContentHash);
    if (versions.length === 0) return right([]);
    // Terms that are not committed yet are not remembered.
    const newTerms = terms.queryFor(versions, null);
    const query = (bound.updated.length > 0 ? writeNext : writeFirst).bind({ versions });
    await runInSavepoint(transaction, { writes: newTerms === null ? [query] : [newTerms, query] }, end);
    return right(versions.map(({ before }) => before + 1));
  };

  return async (transaction, commit, end) => {
    const error = checkChanges(commit);
    if (error !== null) return left(error);
    const { reindexing } = commit;
    if (reindexing !== undefined && reindexing.records.length > 0) return refuseReindexing;
    if (commit.changes.some(({ priorStates }) => priorStates !== undefined)) return refuseErasure;
    try {
      if (reindexing?.parameters === undefined) return await write(transaction, prepareCommit(commit), end);
      await runInSavepoint(transaction, { writes: [changeParameters.bind(reindexing.parameters)] }, end);
      return right([]);
    } catch (cause) {
      if (isTransient(cause)) return left(staysLockedError(cause));
      throw cause;
    }
  };
};
