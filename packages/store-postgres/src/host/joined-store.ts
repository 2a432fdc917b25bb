import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type ClinicalStore,
  endsWithTransactionError,
  misuseError,
  nestedTransactionError,
  type StoreError,
  type StoreOutcome,
} from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import { attempt } from '../postgres-errors.ts';
import { createFeedReader } from '../read/feed-reader.ts';
import { createRecordReader } from '../read/record-reader.ts';
import { createSearchInOrder } from '../search/ordered-search.ts';
import type { IsPreparedShape } from '../search/prepared-shapes.ts';
import { createSearch } from '../search/search.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { createTenantReader } from '../tables/find-tenant.ts';
import type { ReadRows } from '../tables/migrate.ts';
import type { createJoinedCommit } from './joined-commit.ts';
import { type OpenTransaction, readIn } from './open-transaction.ts';

const notMigratedError = misuseError(
  'The tables do not have the schema of this version. Call store.migrate() before the first transaction.',
);

const notPlacedError = misuseError(
  'Citus has no trigger that completes a write at the COMMIT of a tool. Write in a transaction of inTransaction.',
);

type JoinSettings = {
  readonly commit: ReturnType<typeof createJoinedCommit>;
  /** How many milliseconds a call waits for other transactions, unless the transaction says so. */
  readonly transactionTimeout: number;
  /** Is called after each write with the id of its transaction. */
  readonly noteTransaction: (id: string) => void;
  readonly isPreparedShape: IsPreparedShape;
  /** Does work while the store is open. */
  readonly whileOpen: <A>(work: () => Promise<Either<StoreError, A>>) => StoreOutcome<A>;
  /** Whether the tables have the schema of this version. A transaction does not migrate them. */
  readonly isMigrated: (read: ReadRows) => Promise<boolean>;
};

/** Creates a store that is part of a transaction of the host: all of its functions run on the connection of the transaction. */
export const createJoinedStore = (
  builder: QueryBuilder,
  { commit, isPreparedShape, whileOpen, isMigrated, noteTransaction, ...settings }: JoinSettings,
  given: OpenTransaction,
): ClinicalStore => {
  const transaction = { ...given, tenant: builder.tenant };
  const { connection, inTurn, transactionTimeout = settings.transactionTimeout } = transaction;
  const endOfWait = () => performance.now() + transactionTimeout;
  const reader = createTenantReader(
    builder,
    async <Args, Row>(statement: Statement<Args, Row>, args: Args) =>
      (await inTurn(() => readIn(transaction, statement.bind(args), endOfWait()))) as readonly Row[],
  );
  const records = createRecordReader(builder, reader);
  const feed = createFeedReader(builder, reader, { hasProvisional: true });
  // The counts do not have what the transaction has written, and all of its searches run on its connection.
  const search = createSearch(builder, { reader, broadSearches: null, hasCounts: false, isPreparedShape });
  const searchInOrder = createSearchInOrder(builder, { reader, isPreparedShape });
  const run = <A>(work: () => Promise<Either<StoreError, A>>) =>
    whileOpen(async () => {
      const migrated = await attempt(() => inTurn(() => isMigrated(connection.read)));
      if (migrated._tag === 'Left') return migrated;
      return migrated.right ? work() : left(notMigratedError);
    });
  return {
    read: (ref) => run(() => attempt(() => records.read(ref))),
    readResource: (ref) => run(() => attempt(() => records.readResource(ref))),
    search: (query) => run(() => search(query)),
    searchInOrder: (query) => run(() => attempt(() => searchInOrder(query))),
    commit: (requested) =>
      run(async () => {
        if (builder.tenant.isDistributed) {
          if (transaction.placeBeforeCommit === null) return left(notPlacedError);
          transaction.placeBeforeCommit(builder);
        }
        const committed = flatten(
          await attempt(() => inTurn(() => commit(transaction, requested, endOfWait()))),
        );
        const id = transaction.id();
        if (id !== null) noteTransaction(id);
        return committed;
      }),
    commitAll: async () => left(nestedTransactionError),
    readVersion: (ref) => run(() => attempt(() => records.readVersion(ref))),
    history: (range) => run(() => attempt(() => records.history(range))),
    changesSince: (range) => run(async () => flatten(await attempt(() => feed.changesSince(range)))),
    feedEnd: () => run(() => attempt(feed.feedEnd)),
    scan: (range) => run(async () => flatten(await attempt(() => feed.scan(range)))),
    indexedParameters: () => run(() => attempt(records.indexedParameters)),
    close: async () => {
      throw new ClinicalRecordsError(endsWithTransactionError);
    },
  };
};
