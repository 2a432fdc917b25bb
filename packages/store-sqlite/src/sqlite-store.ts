import type { ClinicalStore, StoreError } from '@clinical-records/core';
import { left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { reading } from './reading.ts';
import { scanning } from './scanning.ts';
import { searching } from './search/searching.ts';
import { terms } from './terms.ts';
import { closed, unavailable } from './unavailable.ts';
import { groupCommit } from './write/group-commit.ts';
import { commitWriter } from './write/write-commit.ts';

/** The store on a database whose tables are there. `letGo` is called once, when it is closed. */
export const sqliteStore = (database: SqliteDatabase, db: QueryBuilder, letGo: () => void): ClinicalStore => {
  const vocabulary = terms(database, db);
  const { current, resource, history, changesSince } = reading(database, db);
  const scan = scanning(database, db);
  const search = searching(database, db, vocabulary);
  const { commit, flush } = groupCommit(database, commitWriter(database, db, vocabulary));
  let isOpen = true;

  const attempt =
    <A>(work: () => A): TaskEither<StoreError, A> =>
    async () => {
      if (!isOpen) return left(closed);
      try {
        return right(work());
      } catch (cause) {
        return left(unavailable(cause));
      }
    };

  return {
    read: (ref) => attempt(() => current(ref)),
    readResource: (ref) => attempt(() => resource(ref)),
    search: (query) => attempt(() => search(query)),
    commit: (wanted) => async () => (isOpen ? commit(wanted)() : left(closed)),
    history: (ref) => attempt(() => history(ref)),
    changesSince: (since) => attempt(() => changesSince(since)),
    scan: (since) => attempt(() => scan(since)),
    close: () =>
      attempt(() => {
        isOpen = false;
        flush();
        letGo();
      }),
  };
};
