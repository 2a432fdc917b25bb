import type { ClinicalStore, Commit, StoreError } from '@clinical-records/core';
import { type Either, left } from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { SqliteDatabase } from './database.ts';
import type { FileWatch } from './file-watch.ts';
import { groupRead } from './group-read.ts';
import { outsideHostTransactions } from './host-transaction.ts';
import { makeJoinable } from './joined-store.ts';
import type { QueryBuilder } from './query-builder.ts';
import { reading } from './reading.ts';
import { scanning } from './scanning.ts';
import { searching } from './search/searching.ts';
import { terms } from './terms.ts';
import { attempt, closed, fileGone, refusal, unavailable } from './unavailable.ts';
import { groupCommit } from './write/group-commit.ts';
import { commitWriter } from './write/write-commit.ts';

type Settings = {
  readonly file: FileWatch;
  /** How many milliseconds to wait for a transaction of the host. */
  readonly patience: number;
  /** Called when something was committed. */
  readonly committed: () => void;
  /** Called once, when the store is closed. */
  readonly letGo: () => Promise<void>;
};

/** How a store does its work: at once in a transaction of the host, or together with other work outside of any. */
type Doing = {
  readonly read: <A>(work: () => A) => TE.TaskEither<StoreError, A>;
  readonly search: ClinicalStore['search'];
  readonly commit: (commit: Commit) => TE.TaskEither<StoreError, readonly number[]>;
  readonly close: () => TE.TaskEither<StoreError, void>;
};

const endsWithTransaction = refusal('This store is a part of a transaction, and ends with it.');

/** The store on a database whose tables are there. */
export const sqliteStore = (
  database: SqliteDatabase,
  db: QueryBuilder,
  { file, patience, committed, letGo }: Settings,
): ClinicalStore => {
  const vocabulary = terms(database, db);
  const { current, resource, history, changesSince } = reading(database, db);
  const scan = scanning(database, db);
  let isOpen = true;

  const outside = outsideHostTransactions(database, { patience, isWanted: () => isOpen });
  const reads = groupRead(database, outside);
  const searches = searching(database, db, { reads, terms: vocabulary });
  const writes = groupCommit(database, {
    writer: commitWriter(database, db, vocabulary),
    outside,
    file,
    committed,
    isThere: ({ changes }, versions) =>
      changes.every((change, at) =>
        history(change).some(
          ({ version, at: time, by, state }) =>
            version === versions[at] && time === change.at && by === change.by && state === change.state,
        ),
      ),
  });

  /** Why nothing can be done; null where it can. */
  const amiss = (): StoreError | null => {
    if (!isOpen) return closed;
    return file.wasSame() ? null : fileGone;
  };

  const unless =
    <A>(
      isAmiss: () => StoreError | null,
      answer: () => Promise<Either<StoreError, A>>,
    ): TE.TaskEither<StoreError, A> =>
    () => {
      const error = isAmiss();
      return error === null ? answer() : Promise.resolve(left(error));
    };

  const storeThat = ({ read, search, commit, close }: Doing): ClinicalStore => ({
    read: (ref) => read(() => current(ref)),
    readResource: (ref) => read(() => resource(ref)),
    search,
    commit,
    history: (ref) => read(() => history(ref)),
    changesSince: (since) => read(() => changesSince(since)),
    scan: (since) => read(() => scan(since)),
    close,
  });

  const store = storeThat({
    read: (work) => unless(amiss, () => reads.read(work)),
    search: (query) => unless(amiss, () => searches.search(query)),
    commit: (wanted) => unless(amiss, () => writes.commit(wanted)),
    close: () => async () => {
      if (!isOpen) return left(closed);
      isOpen = false;
      const givenUp = searches.close();
      reads.flush();
      writes.flush();
      outside.wake();
      await givenUp;
      return TE.tryCatch(letGo, unavailable)();
    },
  });

  return makeJoinable(
    { ...store, begin: outside.begin },
    {
      database,
      join: (isTransactionAmiss) => {
        const isAmiss = () => amiss() ?? isTransactionAmiss();
        return storeThat({
          read: (work) => unless(isAmiss, async () => attempt(work)),
          search: (query) => unless(isAmiss, async () => searches.inOneGo(query)),
          commit: (wanted) => unless(isAmiss, async () => writes.commitInside(wanted)),
          close: () => async () => left(endsWithTransaction),
        });
      },
    },
  );
};
