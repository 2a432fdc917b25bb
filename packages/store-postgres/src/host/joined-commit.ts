import { type Commit, misuseError } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import {
  isDeadlock,
  isTransient,
  ReadOnlyTenantError,
  staysLockedError,
  TransactionEndedError,
} from '../postgres-errors.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../statement.ts';
import { tenantGoneError } from '../tables/find-tenant.ts';
import { createNameGuard, createVersionsStatement, type LockedVersion } from '../write/locks.ts';
import {
  type BoundGroup,
  bindGroup,
  type CommitResult,
  checkChanges,
  conflictOf,
  type PreparedCommit,
  prepareCommit,
  recordName,
  refsOf,
  toInteger,
} from '../write/prepared-commit.ts';
import { createChangeParameters } from '../write/reindex.ts';
import { createTermWriter } from '../write/term-writer.ts';
import { msUntil } from '../write/waiting.ts';
import { type OpenTransaction, runInSavepoint, selectTransaction } from './open-transaction.ts';
import { createProvisionalWriteStatement, withContentHash } from './provisional-versions.ts';
import { createWriteCall, type JoinedWrite, type WriteAnswer } from './write-function.ts';

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

/** The versions of the records that exist, by their names. */
type CurrentVersions = ReadonlyMap<string, number>;

type WriteJoined = (
  transaction: OpenTransaction,
  prepared: PreparedCommit,
  end: number,
) => Promise<CommitResult>;

const versionsOf = ({ versions }: BoundGroup): CommitResult =>
  right(versions.map(({ before }) => before + 1));

/** Locks all records that a commit names, and returns the versions that they have from then on. */
const createLockRecords = (builder: QueryBuilder) => {
  const guardNames = createNameGuard(builder);
  const lockChanged = createVersionsStatement(builder, 'for no key update of records');
  const lockChecked = createVersionsStatement(builder, 'for share of records');
  return async (
    transaction: OpenTransaction,
    { expectations }: PreparedCommit,
    end: number,
  ): Promise<CurrentVersions> => {
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
    return new Map(rows.map(({ type, id, version }) => [recordName(type, id), version]));
  };
};

/** Writes distributed tables, statement by statement. */
const createWriteByStatements = (builder: QueryBuilder): WriteJoined => {
  const lockRecords = createLockRecords(builder);
  const writeFirst = createProvisionalWriteStatement(builder, { hasNext: false });
  const writeNext = createProvisionalWriteStatement(builder, { hasNext: true });
  const terms = createTermWriter(builder);
  return async (transaction, prepared, end) => {
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
    return versionsOf(bound);
  };
};

/** The version that each record of a commit must have, as far as it is known: 0 if it must not exist, null for any. */
const expectedOf = ({ expectations }: PreparedCommit, current: CurrentVersions): readonly (number | null)[] =>
  expectations.map(({ expects, name, version }) => {
    if (expects._tag === 'Version') return toInteger(expects.version);
    if (expects._tag === 'Absent') return 0;
    return version === null ? null : (current.get(name) ?? 0);
  });

/** A call of the function that writes a commit. */
export type WriteCall = {
  readonly query: PostgresQuery;
  /** The result of the commit; or the versions of its records, which are locked now, if any were expected. */
  readonly resultOf: (
    rows: readonly unknown[],
    transaction: OpenTransaction,
  ) => CommitResult | CurrentVersions;
};

/** Creates the calls of the function. A record of which any version is expected is taken for new unless its version is known. */
export const createWriteCalls = (builder: QueryBuilder) => {
  const write = createWriteCall(builder);
  return (
    prepared: PreparedCommit,
    current: CurrentVersions,
    options: Pick<JoinedWrite, 'transaction' | 'wait'>,
  ): WriteCall => {
    const { expectations } = prepared;
    const bound = bindGroup([prepared], current);
    const expected = expectedOf(prepared, current);
    return {
      query: write.bind({
        ...options,
        expectations,
        expected,
        versions: bound.versions.map(withContentHash),
      }),
      resultOf: ([row], { check, endedSentence }) => {
        const answer: WriteAnswer = JSON.parse((row as { readonly answer: string }).answer);
        if (answer.result === 'elsewhere' && answer.isolation === 'read committed')
          throw new TransactionEndedError(endedSentence);
        check(answer);
        if (answer.result === 'removed') throw tenantGoneError(builder);
        if (answer.result === 'read-only') throw new ReadOnlyTenantError(builder.tenant.name);
        if (answer.result === 'failed')
          throw Object.assign(new Error(answer.message), { code: answer.code, severity: 'ERROR' });
        if (answer.result !== 'conflict') return versionsOf(bound);
        const { actual } = answer;
        const versions = new Map(
          expectations.flatMap(({ name }, at) => {
            const version = actual[at] ?? 0;
            return version > 0 ? [[name, version]] : [];
          }),
        );
        const conflict = conflictOf(prepared, versions);
        return conflict === null ? versions : left(conflict);
      },
    };
  };
};

/** Writes by one call of a function. */
const createWriteByFunction = (builder: QueryBuilder): WriteJoined => {
  const callFor = createWriteCalls(builder);

  const send = async (
    { connection: { run, readInTransaction }, id }: OpenTransaction,
    query: PostgresQuery,
  ): Promise<readonly unknown[]> => {
    const marked = id() === null ? [run(selectTransaction)] : [];
    if (readInTransaction !== null) await Promise.all(marked);
    const [rows] = await Promise.all([run(query), ...marked]);
    return rows;
  };

  return async (transaction, prepared, end) => {
    let current: CurrentVersions = new Map();
    for (;;) {
      const { query, resultOf } = callFor(prepared, current, {
        transaction: transaction.id(),
        wait: msUntil(end),
      });
      try {
        const result = resultOf(await send(transaction, query), transaction);
        if ('_tag' in result) return result;
        current = result;
      } catch (cause) {
        // After a deadlock, the other transaction waits for what this one has locked before.
        if (!isTransient(cause) || isDeadlock(cause) || performance.now() > end) throw cause;
      }
    }
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
  const writeByFunction = createWriteByFunction(builder);
  const writeByStatements = createWriteByStatements(builder);
  const changeParameters = createChangeParameters(builder);

  return async (transaction, commit, end) => {
    const error = checkChanges(commit);
    if (error !== null) return left(error);
    const { reindexing } = commit;
    if (reindexing !== undefined && reindexing.records.length > 0) return refuseReindexing;
    if (commit.changes.some(({ priorStates }) => priorStates !== undefined)) return refuseErasure;
    const write = builder.tenant.isDistributed ? writeByStatements : writeByFunction;
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
