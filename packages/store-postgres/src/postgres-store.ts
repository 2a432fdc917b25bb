import {
  type ClinicalStore,
  type Commit,
  createResult,
  type OpenStore,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, flatten, left } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { attempt, storeClosedError } from './postgres-errors.ts';
import type { PostgresPool } from './postgres-pool.ts';
import type { QueryBuilder } from './query-builder.ts';
import { createChangesSince } from './read/changes-since.ts';
import { createGroupRead } from './read/group-read.ts';
import { createHistory } from './read/history.ts';
import { createScan } from './read/scan.ts';
import { createReader } from './reader.ts';
import { createBroadSearches } from './search/broad-searches.ts';
import { createSearch } from './search/search.ts';
import { createExclusiveClient, createSharedClient } from './use-client.ts';
import { createGroupCommit } from './write/group-commit.ts';
import { createGroupWriter } from './write/group-writer.ts';
import { createWriteGroup } from './write/write-group.ts';

type PostgresStoreSettings = {
  /** How many milliseconds a commit waits for other transactions, or for a server that is gone. */
  readonly transactionTimeout: number;
  /** Resolves once the tables have the schema of this version. */
  readonly prepare: () => Promise<void>;
};

/** Creates the store on a pool. */
export const createPostgresStore = (
  pool: PostgresPool,
  builder: QueryBuilder,
  { transactionTimeout, prepare }: PostgresStoreSettings,
): OpenStore => {
  const use = createExclusiveClient(pool);
  const reader = createReader(createSharedClient(pool));
  const { read, readResource } = createGroupRead(builder, reader);
  const history = createHistory(builder, reader);
  const changesSince = createChangesSince(builder, reader);
  const scan = createScan(builder, reader);
  const search = createSearch(builder, { reader, broadSearches: createBroadSearches(use), hasCounts: true });
  const groupWriter = createGroupWriter(builder, use);
  const { commit } = createGroupCommit(createWriteGroup(groupWriter, use, { transactionTimeout }));
  const running = new Set<Promise<unknown>>();
  let isOpen = true;

  const whileOpen =
    <A>(work: () => Promise<Either<StoreError, A>>): TaskEither<StoreError, A> =>
    async () => {
      if (!isOpen) return left(storeClosedError);
      const result = attempt(prepare).then((prepared) => (prepared._tag === 'Left' ? prepared : work()));
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
    commit: (one: Commit) => whileOpen(() => commit(one)),
    history: (ref) => whileOpen(() => attempt(() => history(ref))),
    changesSince: (range) => whileOpen(async () => flatten(await attempt(() => changesSince(range)))),
    scan: (range) => whileOpen(async () => flatten(await attempt(() => scan(range)))),
    close: () => async () => {
      if (!isOpen) return left(storeClosedError);
      isOpen = false;
      await Promise.allSettled(running);
      return attempt(groupWriter.close);
    },
  };
  return { ...store, close: () => createResult(store.close()) };
};
