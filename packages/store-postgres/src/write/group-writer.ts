import type { RecordRef } from '@clinical-records/core/store';
import { ReadOnlyTenantError } from '../postgres-errors.ts';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import type { FeedHead } from '../schema.ts';
import { type QueryBuilder, runStatement, settingsOf } from '../statement.ts';
import { tenantGoneError } from '../tables/find-tenant.ts';
import {
  commitTransaction,
  InDoubtError,
  NotWrittenError,
  openTransaction,
  runAutocommit,
  runQuery,
  runTransaction,
} from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import { createErase } from './erase.ts';
import {
  createKnownHead,
  createSettle,
  type PlacedGroup,
  placeGroup,
  type SettledOutcome,
} from './feed-head.ts';
import { createHeadLock, createNameGuard, createVersionsStatement, type LockedHead } from './locks.ts';
import {
  type BoundGroup,
  bindGroup,
  isErasing,
  type PendingCommit,
  recordName,
  refsOf,
} from './prepared-commit.ts';
import { createTermWriter } from './term-writer.ts';
import { answerTimeout, idleTimeout, lockTimeout, msUntil, succeedBy, type WaitLimit } from './waiting.ts';
import { createWriteStatement, isHeadMoved, transactionSetting } from './write-statement.ts';

type GroupTransaction = {
  /** The versions of the records that exist, by their names. */
  readonly readVersions: (
    client: PostgresClient,
    refs: readonly RecordRef[],
    waitLimit: WaitLimit,
  ) => Promise<ReadonlyMap<string, number>>;
  /** Finds out which versions come next, where any is expected. */
  readonly bind: (
    client: PostgresClient,
    group: readonly PendingCommit[],
    waitLimit: WaitLimit,
  ) => Promise<BoundGroup>;
  /**
   * Writes a group behind the end of the feed where it is expected. If it throws anything but `InDoubtError`, nothing is or
   * will be written.
   */
  readonly writeAtOnce: (client: PostgresClient, group: PlacedGroup, waitLimit: WaitLimit) => Promise<void>;
  /** Begins the transaction of a group: locks what it needs, and reads the end of the feed. */
  readonly open: (
    client: PostgresClient,
    bound: BoundGroup,
    waitLimit: WaitLimit,
    last: FeedHead | null,
  ) => Promise<LockedHead>;
  /** Writes the group of a transaction that is open, and commits it. Its errors are those of `writeAtOnce`. */
  readonly finish: (client: PostgresClient, group: PlacedGroup, waitLimit: WaitLimit) => Promise<void>;
  /** Must be called once a group is committed. */
  readonly remember: (group: PlacedGroup) => void;
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
};

/**
 * Creates the queries that lock what a group needs but the end of the feed, which is locked last, so that nobody waits while
 * holding it. Without `waitsForLocks`, a locked record is an error. With it, the names of new records are guarded before.
 */
const createLocks = (builder: QueryBuilder) => {
  const lockAtOnce = createVersionsStatement(builder, 'for no key update of records nowait');
  const lockWaiting = createVersionsStatement(builder, 'for no key update of records');
  const guardNames = createNameGuard(builder);
  return ({ created, updated }: BoundGroup, { waitsForLocks }: WaitLimit): readonly PostgresQuery[] => [
    ...(waitsForLocks ? guardNames(created) : []),
    ...(updated.length > 0 ? [(waitsForLocks ? lockWaiting : lockAtOnce).bind(updated)] : []),
  ];
};

const createWrites = (builder: QueryBuilder, terms: ReturnType<typeof createTermWriter>) => {
  const writeFirst = createWriteStatement(builder, { hasNext: false, autocommits: false });
  const writeNext = createWriteStatement(builder, { hasNext: true, autocommits: false });
  const erase = createErase(builder);
  return (group: PlacedGroup): readonly PostgresQuery[] => {
    const newTerms = terms.queryFor(group.versions, group.head.fence);
    return [
      ...(newTerms === null ? [] : [newTerms]),
      (group.updated.length > 0 ? writeNext : writeFirst).bind(group),
      ...(isErasing(group.versions) ? erase(group.versions) : []),
    ];
  };
};

const transactionSettings = (builder: QueryBuilder, { end }: WaitLimit) => ({
  ...settingsOf(builder.tenant),
  lock_timeout: Math.min(lockTimeout, msUntil(end)),
  idle_in_transaction_session_timeout: idleTimeout,
  ...transactionSetting,
});

const createGroupTransaction = (builder: QueryBuilder): GroupTransaction => {
  const terms = createTermWriter(builder);
  const locksFor = createLocks(builder);
  const writesFor = createWrites(builder, terms);
  const writeAndCommit = createWriteStatement(builder, { hasNext: false, autocommits: true });
  const versionsOf = createVersionsStatement(builder, null);
  const lockHead = createHeadLock(builder);

  const readVersions: GroupTransaction['readVersions'] = async (client, refs, { end }) => {
    const rows = await within(answerTimeout(end), runStatement(builder, client, versionsOf, refs));
    return new Map(rows.map(({ type, id, version }) => [recordName(type, id), version]));
  };

  return {
    readVersions,
    bind: async (client, group, waitLimit) => {
      const open = group.flatMap(({ expectations }) =>
        expectations.filter(({ expects, version }) => expects._tag === 'Any' && version !== null),
      );
      return bindGroup(
        group,
        open.length === 0 ? new Map() : await readVersions(client, refsOf(open), waitLimit),
      );
    },
    writeAtOnce: async (client, group, waitLimit) => {
      const limit = answerTimeout(waitLimit.end);
      const { isGuarded, isDistributed } = builder.tenant;
      const isOneStatement =
        group.updated.length === 0 && terms.queryFor(group.versions, group.head.fence) === null;
      // Others need the settings of a transaction.
      if (isOneStatement && !isGuarded && !isDistributed)
        return runAutocommit(client, writeAndCommit.bind(group), limit);
      const queries = [...locksFor(group, waitLimit), ...writesFor(group)];
      await runTransaction(client, queries, transactionSettings(builder, waitLimit), limit);
    },
    open: async (client, bound, waitLimit, last) => {
      const queries = [...locksFor(bound, waitLimit), lockHead.bind(last)];
      const responses = await openTransaction(
        client,
        queries,
        transactionSettings(builder, waitLimit),
        answerTimeout(waitLimit.end),
      );
      const [head] = responses.at(-1) as readonly (LockedHead | undefined)[];
      if (head !== undefined && !head.read_only) return head;
      await runQuery(client, { text: 'rollback' });
      throw head === undefined ? tenantGoneError(builder) : new ReadOnlyTenantError(builder.tenant.name);
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

export type GroupWriter = {
  /**
   * Writes a group once, and returns what was written.
   *
   * Throws an `InDoubtError` if it is not known what was written. If it throws anything else, nothing was: a
   * `NotWrittenError` after a connection was lost in the transaction.
   */
  readonly tryWrite: (group: readonly PendingCommit[], waitLimit: WaitLimit) => Promise<BoundGroup>;
  readonly readVersions: GroupTransaction['readVersions'];
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
};

/** A try to write a group, and the places of its versions once they are sent. */
type Attempt = { readonly group: readonly PendingCommit[]; placed: PlacedGroup | null };

/** Finds out until a time whether a group was written. */
const createSettleUntil = (builder: QueryBuilder, use: UseClient) => {
  const settleOn = createSettle(builder);
  return async (group: PlacedGroup, end: number): Promise<SettledOutcome> => {
    const outcome = await succeedBy(end, () => {
      const limits = {
        ...settingsOf(builder.tenant),
        lock_timeout: msUntil(end),
        idle_in_transaction_session_timeout: idleTimeout,
      };
      return use((client) => settleOn(client, group, limits), msUntil(end));
    });
    return outcome ?? 'unknown';
  };
};

/** Writes groups of commits, each in one transaction, and finds out what became of those without a response. */
export const createGroupWriter = (builder: QueryBuilder, use: UseClient): GroupWriter => {
  const transaction = createGroupTransaction(builder);
  const settle = createSettleUntil(builder, use);
  const knownHead = createKnownHead();

  const forget = (): void => {
    transaction.forget();
    knownHead.forget();
  };

  /** Sends the transaction of a group, at once if the end of the feed is where it is expected. */
  const send = async (
    client: PostgresClient,
    attempt: Attempt,
    waitLimit: WaitLimit,
  ): Promise<PlacedGroup> => {
    const bound = await transaction.bind(client, attempt.group, waitLimit);
    // An erased text is lost. So nothing is erased until its transaction has begun.
    const mustOpen = waitLimit.waitsForLocks || isErasing(bound.versions);
    const expected = mustOpen ? null : knownHead.expected();
    if (expected !== null) {
      attempt.placed = placeGroup(bound, expected);
      try {
        await transaction.writeAtOnce(client, attempt.placed, waitLimit);
        return attempt.placed;
      } catch (cause) {
        if (!isHeadMoved(cause)) throw cause;
      }
    }
    const head = await transaction.open(client, bound, waitLimit, knownHead.last());
    if (!knownHead.onRead(head)) transaction.forget();
    attempt.placed = placeGroup(bound, head);
    await transaction.finish(client, attempt.placed, waitLimit);
    return attempt.placed;
  };

  return {
    tryWrite: async (group, waitLimit) => {
      const attempt: Attempt = { group, placed: null };
      try {
        const placed = await use((client) => send(client, attempt, waitLimit), msUntil(waitLimit.end));
        knownHead.onWritten(placed.end);
        transaction.remember(placed);
        return placed;
      } catch (cause) {
        if (attempt.placed === null || !(cause instanceof InDoubtError)) throw cause;
        // The server may be another one now.
        forget();
        const outcome = await settle(attempt.placed, waitLimit.end);
        if (outcome === 'unknown') throw cause;
        if (outcome === 'not written')
          throw new NotWrittenError('The transaction was lost.', { cause: cause.cause });
        return attempt.placed;
      }
    },
    readVersions: transaction.readVersions,
    forget,
  };
};
