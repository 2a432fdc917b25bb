import type { RecordRef } from '@clinical-records/core/store';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { runStatement } from '../statement.ts';
import { runAutocommit, runTransaction } from '../transaction.ts';
import { type BoundGroup, bindGroup, refsOf } from './bind-group.ts';
import { createErase, isErasing } from './erase.ts';
import { createNameGuard } from './guard-names.ts';
import { createBriefHeadLock, lockTimeout } from './lock-head.ts';
import { nameOf, type PendingCommit } from './pending-commit.ts';
import { createVersionsStatement } from './record-versions.ts';
import { createTermWriter } from './term-writer.ts';
import { createWriteStatement } from './write-statement.ts';
import type { Writer } from './writer.ts';

/** The time in milliseconds after which PostgreSQL ends a transaction whose client sends no more. */
const idleTimeout = 10_000;

/** The milliseconds until a time, as a limit: at least 1, because 0 would mean no limit. */
export const msUntil = (end: number): number => Math.max(1, Math.ceil(end - performance.now()));

/** How long a group may wait. */
export type Patience = {
  /** The time by which all waiting is over, by `performance.now()`. */
  readonly end: number;
  /** Whether it waits for locked records for a moment. Otherwise a locked record is an error at once. */
  readonly isPatient: boolean;
};

/** The transaction that writes a group. */
export type GroupTransaction = {
  /** The versions of the records that exist, by their names. */
  readonly readVersions: (
    client: PostgresClient,
    refs: readonly RecordRef[],
  ) => Promise<ReadonlyMap<string, number>>;
  /** Finds out which versions come next, where any is expected. */
  readonly bind: (client: PostgresClient, group: readonly PendingCommit[]) => Promise<BoundGroup>;
  /** Writes the group. If it throws anything but `InDoubtError`, nothing is or will be written. */
  readonly write: (
    client: PostgresClient,
    bound: BoundGroup,
    writer: Writer,
    patience: Patience,
  ) => Promise<void>;
  /** Must be called once a group is committed. */
  readonly remember: (bound: BoundGroup) => void;
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
};

export const createGroupTransaction = (builder: QueryBuilder): GroupTransaction => {
  const terms = createTermWriter(builder);
  const writeAndCommit = createWriteStatement(builder, { hasNext: false, autocommits: true });
  const writeFirst = createWriteStatement(builder, { hasNext: false, autocommits: false });
  const writeNext = createWriteStatement(builder, { hasNext: true, autocommits: false });
  const versionsOf = createVersionsStatement(builder, null);
  const lockAtOnce = createVersionsStatement(builder, 'for no key update of records nowait');
  const lockPatiently = createVersionsStatement(builder, 'for no key update of records');
  const guardNames = createNameGuard(builder);
  const lockHead = createBriefHeadLock(builder);
  const { eraseVersions, eraseTerms } = createErase(builder);

  /**
   * The queries of a transaction, in the order in which they lock. The rows of records come first, and without
   * `isPatient` a locked one is an error. With it, the names of new records are guarded before. The end of the feed is
   * locked last, so that nobody waits while holding it.
   */
  const queriesFor = (
    bound: BoundGroup,
    writer: Writer,
    newTerms: PostgresQuery | null,
    isPatient: boolean,
  ): readonly PostgresQuery[] => {
    const hasNext = bound.updated.length > 0;
    return [
      ...(isPatient ? guardNames(bound.created) : []),
      ...(hasNext ? [(isPatient ? lockPatiently : lockAtOnce).bind(bound.updated)] : []),
      ...(newTerms === null ? [] : [newTerms]),
      lockHead.bind(null),
      (hasNext ? writeNext : writeFirst).bind({ ...bound, writer }),
      ...(isErasing(bound.versions) ? [eraseVersions(bound.versions), ...eraseTerms(writer.id)] : []),
    ];
  };

  const readVersions: GroupTransaction['readVersions'] = async (client, refs) => {
    const rows = await runStatement(client, versionsOf, refs);
    return new Map(rows.map(({ type, id, version }) => [nameOf(type, id), version]));
  };

  return {
    readVersions,
    bind: async (client, group) => {
      const open = group.flatMap(({ expectations }) =>
        expectations.filter(({ expects, version }) => expects._tag === 'Any' && version !== null),
      );
      return bindGroup(group, open.length === 0 ? new Map() : await readVersions(client, refsOf(open)));
    },
    write: async (client, bound, writer, { end, isPatient }) => {
      const newTerms = terms.queryFor(bound.versions);
      const expectsVersions = bound.updated.length > 0 || bound.checks.length > 0;
      if (!isPatient && !expectsVersions && newTerms === null) {
        await runAutocommit(client, writeAndCommit.bind({ ...bound, writer }));
        return;
      }
      await runTransaction(client, queriesFor(bound, writer, newTerms, isPatient), {
        lock_timeout: Math.min(lockTimeout, msUntil(end)),
        idle_in_transaction_session_timeout: idleTimeout,
        'clinical_records.transaction': writer.id,
      });
    },
    remember: ({ versions }) => {
      if (isErasing(versions)) terms.forget();
      else terms.remember(versions);
    },
    forget: terms.forget,
  };
};
