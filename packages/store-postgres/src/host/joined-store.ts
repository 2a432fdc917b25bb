import { ClinicalRecordsError } from '@clinical-records/core';
import type { ClinicalStore, StoreError, StoreOutcome } from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import { attempt, misuseError } from '../postgres-errors.ts';
import type { PostgresClient } from '../postgres-pool.ts';
import { createFeedReader } from '../read/feed-reader.ts';
import { createRecordReader } from '../read/record-reader.ts';
import type { Reader } from '../readers.ts';
import { createIndexCheck, createSearch, type IsPreparedShape } from '../search/search.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import type { createJoinedCommit } from './joined-commit.ts';
import { type OpenTransaction, runInSavepoint } from './open-transaction.ts';

const endsWithTransactionError = misuseError('This store is a part of a transaction, and ends with it.');

const nestedError = misuseError(
  'A transaction cannot begin within another. Call the records of records.in(tx) themselves.',
);

const notMigratedError = misuseError(
  'The tables do not have the schema of this version. Call store.migrate() before the first transaction.',
);

/** How a store joins transactions. */
type JoinSettings = {
  readonly commit: ReturnType<typeof createJoinedCommit>;
  readonly isPreparedShape: IsPreparedShape;
  /** Does work while the store is open. */
  readonly whileOpen: <A>(work: () => Promise<Either<StoreError, A>>) => StoreOutcome<A>;
  /** Whether the tables have the schema of this version. A transaction does not migrate them. */
  readonly isMigrated: (client: PostgresClient) => Promise<boolean>;
};

/** Creates a store that is part of a transaction of the host: all of its functions run on the client of the transaction. */
export const createJoinedStore = (
  builder: QueryBuilder,
  { commit, isPreparedShape, whileOpen, isMigrated }: JoinSettings,
  transaction: OpenTransaction,
): ClinicalStore => {
  const { client, inTurn, transactionTimeout } = transaction;
  const reader: Reader = async <Args, Row>(statement: Statement<Args, Row>, args: Args) => {
    const end = performance.now() + transactionTimeout;
    const [rows = []] = await runInSavepoint(transaction, [statement.bind(args)], end);
    return rows as readonly Row[];
  };
  const records = createRecordReader(builder, reader, { findByName: () => false });
  const feed = createFeedReader(builder, reader, { hasProvisional: true });
  const run = <A>(work: () => Promise<Either<StoreError, A>>) =>
    whileOpen(() =>
      inTurn(async () => {
        const migrated = await attempt(() => isMigrated(client));
        if (migrated._tag === 'Left') return migrated;
        return migrated.right ? work() : left(notMigratedError);
      }),
    );
  return {
    read: (ref) => run(() => attempt(() => records.read(ref))),
    readResource: (ref) => run(() => attempt(() => records.readResource(ref))),
    // The counts do not have what the transaction has written, and all of its searches run on its client.
    search: (query) =>
      run(() =>
        createSearch(builder, {
          reader,
          broadSearches: null,
          hasCounts: false,
          isPreparedShape,
          hasIndex: createIndexCheck(builder, reader),
        })(query),
      ),
    commit: (requested) => run(async () => flatten(await attempt(() => commit(transaction, requested)))),
    commitAll: async () => left(nestedError),
    readVersion: (ref) => run(() => attempt(() => records.readVersion(ref))),
    history: (range) => run(() => attempt(() => records.history(range))),
    changesSince: (range) => run(async () => flatten(await attempt(() => feed.changesSince(range)))),
    feedEnd: () => run(() => attempt(feed.feedEnd)),
    scan: (range) => run(async () => flatten(await attempt(() => feed.scan(range)))),
    close: async () => {
      throw new ClinicalRecordsError(endsWithTransactionError);
    },
  };
};
