import type { RecordRef } from '@clinical-records/core/store';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { runStatement } from '../statement.ts';
import { commitTransaction, openTransaction, runAutocommit, runTransaction } from '../transaction.ts';
import { within } from '../within.ts';
import { type BoundGroup, bindGroup, refsOf } from './bind-group.ts';
import { createErase, isErasing } from './erase.ts';
import type { FeedHead, PlacedGroup } from './feed-head.ts';
import { createNameGuard } from './guard-names.ts';
import { createHeadLock, type LockedHead, lockTimeout } from './lock-head.ts';
import { nameOf, type PendingCommit } from './pending-commit.ts';
import { createVersionsStatement } from './record-versions.ts';
import { createTermWriter } from './term-writer.ts';
import { createWriteStatement, transactionSetting } from './write-statement.ts';

/**
 * The time in milliseconds after which PostgreSQL ends a transaction whose client sends no more. If the client's machine is
 * gone, others wait so long for the end of the feed. A process that only stood still writes the group again.
 */
export const idleTimeout = 2000;

/** The milliseconds until a time, as a limit: at least 1, because 0 would mean no limit. */
export const msUntil = (end: number): number => Math.max(1, Math.ceil(end - performance.now()));

/**
 * How many milliseconds a commit that has so much time waits for an answer. The other half is for finding out on another
 * connection what became of it. A lock is not waited for so long.
 */
export const answerTimeout = (end: number): number => Math.max(2 * lockTimeout, msUntil(end) / 2);

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
    patience: Patience,
  ) => Promise<ReadonlyMap<string, number>>;
  /** Finds out which versions come next, where any is expected. */
  readonly bind: (
    client: PostgresClient,
    group: readonly PendingCommit[],
    patience: Patience,
  ) => Promise<BoundGroup>;
  /**
   * Writes a group behind the end of the feed where it is expected. If it throws anything but `InDoubtError`, nothing is or
   * will be written.
   */
  readonly writeAtOnce: (client: PostgresClient, group: PlacedGroup, patience: Patience) => Promise<void>;
  /** Begins the transaction of a group: locks what it needs, and reads the end of the feed. */
  readonly open: (
    client: PostgresClient,
    bound: BoundGroup,
    patience: Patience,
    last: FeedHead | null,
  ) => Promise<LockedHead>;
  /** Writes the group of a transaction that is open, and commits it. Its errors are those of `writeAtOnce`. */
  readonly finish: (client: PostgresClient, group: PlacedGroup, patience: Patience) => Promise<void>;
  /** Must be called once a group is committed. */
  readonly remember: (group: PlacedGroup) => void;
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
  const lockHead = createHeadLock(builder);
  const { eraseVersions, eraseTerms } = createErase(builder);

  /**
   * The queries that lock what a group needs but the end of the feed, which is locked last, so that nobody waits while
   * holding it. Without `isPatient`, a locked record is an error. With it, the names of new records are guarded before.
   */
  const locksFor = ({ created, updated }: BoundGroup, { isPatient }: Patience): readonly PostgresQuery[] => [
    ...(isPatient ? guardNames(created) : []),
    ...(updated.length > 0 ? [(isPatient ? lockPatiently : lockAtOnce).bind(updated)] : []),
  ];

  const writesFor = (group: PlacedGroup): readonly PostgresQuery[] => {
    const newTerms = terms.queryFor(group.versions, group.head.fence);
    return [
      ...(newTerms === null ? [] : [newTerms]),
      (group.updated.length > 0 ? writeNext : writeFirst).bind(group),
      ...(isErasing(group.versions) ? [eraseVersions(group.versions), ...eraseTerms()] : []),
    ];
  };

  const settingsFor = ({ end }: Patience) => ({
    lock_timeout: Math.min(lockTimeout, msUntil(end)),
    idle_in_transaction_session_timeout: idleTimeout,
    ...transactionSetting,
  });

  const readVersions: GroupTransaction['readVersions'] = async (client, refs, { end }) => {
    const rows = await within(answerTimeout(end), runStatement(client, versionsOf, refs));
    return new Map(rows.map(({ type, id, version }) => [nameOf(type, id), version]));
  };

  return {
    readVersions,
    bind: async (client, group, patience) => {
      const open = group.flatMap(({ expectations }) =>
        expectations.filter(({ expects, version }) => expects._tag === 'Any' && version !== null),
      );
      return bindGroup(
        group,
        open.length === 0 ? new Map() : await readVersions(client, refsOf(open), patience),
      );
    },
    writeAtOnce: async (client, group, patience) => {
      const isFirst = group.updated.length === 0 && group.checks.length === 0;
      if (isFirst && terms.queryFor(group.versions, group.head.fence) === null) {
        await runAutocommit(client, writeAndCommit.bind(group), answerTimeout(patience.end));
        return;
      }
      await runTransaction(
        client,
        [...locksFor(group, patience), ...writesFor(group)],
        settingsFor(patience),
        answerTimeout(patience.end),
      );
    },
    open: async (client, bound, patience, last) => {
      const queries = [...locksFor(bound, patience), lockHead.bind(last)];
      const responses = await openTransaction(
        client,
        queries,
        settingsFor(patience),
        answerTimeout(patience.end),
      );
      const [head] = responses.at(-1) as readonly [LockedHead];
      return head;
    },
    finish: async (client, group, { end }) => {
      // An erasure looks at all terms.
      const limit = isErasing(group.versions) ? undefined : answerTimeout(end);
      await commitTransaction(client, writesFor(group), limit);
    },
    remember: ({ versions, end }) => terms.remember(versions, end.fence),
    forget: terms.forget,
  };
};
