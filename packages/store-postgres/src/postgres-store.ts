import { ClinicalRecordsError } from '@clinical-records/core';
import type { ClinicalStore, Commit, StoreError, StoreOutcome } from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import { makeJoinable } from './host/join-store.ts';
import { createJoinedCommit } from './host/joined-commit.ts';
import { createJoinedStore } from './host/joined-store.ts';
import { createIndexCheck } from './index-version.ts';
import { attempt, storeClosedError } from './postgres-errors.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';
import type { QueryBuilder } from './query-builder.ts';
import { createFeedReader } from './read/feed-reader.ts';
import { createRecordReader } from './read/record-reader.ts';
import { createReaders } from './readers.ts';
import { createBroadSearches } from './search/broad-searches.ts';
import { createPreparedShapes } from './search/prepared-shapes.ts';
import { createSearch } from './search/search.ts';
import { createExclusiveClient } from './use-client.ts';
import { createGroupCommit, createWriteGroup } from './write/group-commit.ts';
import { createGroupWriter } from './write/group-writer.ts';
import { createReindex, createWriteIndex } from './write/reindex.ts';

type PostgresStoreSettings = {
  /** Pools of standby servers, which are read, too. */
  readonly replicas: readonly PostgresPool[];
  /** How many milliseconds a commit waits for other transactions, or for a server that is gone. */
  readonly transactionTimeout: number;
  /** Resolves once the tables have the schema of this version. */
  readonly prepare: () => Promise<void>;
  /** Whether the tables have that schema. */
  readonly isMigrated: (client: PostgresClient) => Promise<boolean>;
  /** Whether resources are found by their names at once, once the tables have that schema. */
  readonly findByName: () => boolean;
};

/** Creates the store on a pool. */
export const createPostgresStore = (
  pool: PostgresPool,
  builder: QueryBuilder,
  { replicas, transactionTimeout, prepare, isMigrated, findByName }: PostgresStoreSettings,
): ClinicalStore => {
  const use = createExclusiveClient(pool);
  const readers = createReaders(pool, replicas, builder, prepare);
  const { read } = createRecordReader(builder, readers.primary, { findByName });
  const { readResource, history } = createRecordReader(builder, readers.any, { findByName });
  // A position of the feed or of a scan may be one that only another store has seen.
  const { changesSince, feedEnd, scan } = createFeedReader(builder, readers.primary, {
    hasProvisional: false,
  });
  const broadSearches = createBroadSearches(readers.broad, [pool, ...replicas]);
  // Another store may have reindexed the records, and a replica may not show that yet.
  const isIndexed = createIndexCheck(builder, readers.any);
  const isIndexedOnPrimary = createIndexCheck(builder, readers.primary);
  const isPreparedShape = createPreparedShapes();
  const search = createSearch(builder, {
    reader: readers.any,
    broadSearches,
    hasCounts: true,
    isPreparedShape,
    hasIndex: async (version) => (await isIndexed(version)) || isIndexedOnPrimary(version),
  });
  const groupWriter = createGroupWriter(builder, use);
  const commitChanges = createGroupCommit(createWriteGroup(groupWriter, use, { transactionTimeout }));
  const reindex = createReindex(use, createWriteIndex(builder), { transactionTimeout });
  const write = (commit: Commit) =>
    commit.reindexing === undefined ? commitChanges(commit) : reindex(commit.reindexing);
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const whileOpen = async <A>(work: () => Promise<Either<StoreError, A>>): StoreOutcome<A> => {
    if (!isOpen) return left(storeClosedError);
    const result = work();
    running.add(result);
    try {
      return await result;
    } finally {
      running.delete(result);
    }
  };

  const store: ClinicalStore = {
    read: (ref) => whileOpen(() => attempt(() => read(ref))),
    readResource: (ref) => whileOpen(() => attempt(() => readResource(ref))),
    search: (query) => whileOpen(() => search(query)),
    commit: (commit) =>
      whileOpen(async () => {
        const prepared = await attempt(prepare);
        return prepared._tag === 'Left' ? prepared : write(commit).finally(readers.noteWrite);
      }),
    history: (ref) => whileOpen(() => attempt(() => history(ref))),
    changesSince: (range) => whileOpen(async () => flatten(await attempt(() => changesSince(range)))),
    feedEnd: () => whileOpen(() => attempt(feedEnd)),
    scan: (range) => whileOpen(async () => flatten(await attempt(() => scan(range)))),
    close: async () => {
      if (!isOpen) throw new ClinicalRecordsError(storeClosedError);
      isOpen = false;
      await Promise.allSettled(running);
    },
  };
  const joinedCommit = createJoinedCommit(builder);
  return makeJoinable(store, (transaction) => {
    transaction.onEnd(readers.noteWrite);
    return createJoinedStore(
      builder,
      { commit: joinedCommit, isPreparedShape, whileOpen, isMigrated },
      transaction,
    );
  });
};
