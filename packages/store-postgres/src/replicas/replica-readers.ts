import { isCanceled } from '../postgres-errors.ts';
import type { PostgresPool } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { type Reader, retryUnprepared } from '../reader.ts';
import type { Readers } from '../readers.ts';
import type { TransactionSettings } from '../transaction.ts';
import { createExclusiveClient, createSharedClient, type UseClient } from '../use-client.ts';
import { createFreshRead } from './fresh-read.ts';
import type { Freshness } from './freshness.ts';
import { createLastSeen } from './last-seen.ts';
import { createReplica, type Replica } from './replica.ts';

/**
 * Creates readers on a primary and its replicas. A replica is read once it shows all that the store has seen.
 * Otherwise the primary is read, so that nobody waits for a replica.
 *
 * Decisions read the primary, and their searches see at least as much. So a decision that is made again after a conflict
 * sees what it conflicted with.
 */
export const createReplicaReaders = (
  pool: PostgresPool,
  replicaPools: readonly PostgresPool[],
  builder: QueryBuilder,
  broadLimits: TransactionSettings,
): Readers => {
  const lastSeen = createLastSeen();
  const freshRead = createFreshRead(builder);
  const replicas = replicaPools.map((one) => createReplica(one, freshRead));
  let turn = 0;

  /** The replicas that are fresh enough, in turn. The others are asked how fresh they are. */
  const nextReplica = (least: Freshness): Replica | undefined => {
    const ready = replicas.filter(({ isAsFresh }) => isAsFresh(least));
    turn += 1;
    return ready[turn % ready.length];
  };

  const createPrimaryReader =
    (use: UseClient, settings: TransactionSettings | null): Reader =>
    async (statement, args) => {
      const end = lastSeen.begin();
      const { rows, shown } = await retryUnprepared(() =>
        use((client) => freshRead.readRows(client, statement, args, { least: null, settings })),
      );
      end(shown);
      return rows;
    };

  const createAnyReader =
    (primary: Reader, settings: TransactionSettings | null): Reader =>
    async (statement, args) => {
      const least = lastSeen.least();
      const replica = least === null ? undefined : nextReplica(least);
      if (least === null || replica === undefined) return primary(statement, args);
      const end = lastSeen.begin();
      try {
        const result = await replica.read(statement, args, { least, settings });
        end(result.shown);
        return result.rows;
      } catch (cause) {
        if (isCanceled(cause)) throw cause;
        return primary(statement, args);
      }
    };

  const primary = createPrimaryReader(createSharedClient(pool), null);
  const broad = createPrimaryReader(createExclusiveClient(pool), broadLimits);
  return {
    primary,
    any: createAnyReader(primary, null),
    broad: createAnyReader(broad, broadLimits),
    noteWrite: lastSeen.forget,
  };
};
