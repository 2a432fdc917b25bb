import type { ClinicalStore, StoreError } from '@clinical-records/core';
import { type Either, left } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SqliteDatabase } from './database.ts';
import { groupRead } from './group-read.ts';
import type { QueryBuilder } from './query-builder.ts';
import { reading } from './reading.ts';
import { scanning } from './scanning.ts';
import { searching } from './search/searching.ts';
import { terms } from './terms.ts';
import { attempt, closed } from './unavailable.ts';
import { groupCommit } from './write/group-commit.ts';
import { commitWriter } from './write/write-commit.ts';

/** The store on a database whose tables are there. `letGo` is called once, when it is closed. */
export const sqliteStore = (database: SqliteDatabase, db: QueryBuilder, letGo: () => void): ClinicalStore => {
  const vocabulary = terms(database, db);
  const { current, resource, history, changesSince } = reading(database, db);
  const scan = scanning(database, db);
  const search = searching(database, db, vocabulary);
  const writes = groupCommit(database, commitWriter(database, db, vocabulary));
  const reads = groupRead(database);
  let isOpen = true;

  const whileOpen =
    <A>(answer: () => Promise<Either<StoreError, A>>): TaskEither<StoreError, A> =>
    () =>
      isOpen ? answer() : Promise.resolve(left(closed));

  const asked = <A>(work: () => A) => whileOpen(() => reads.read(work));

  return {
    read: (ref) => asked(() => current(ref)),
    readResource: (ref) => asked(() => resource(ref)),
    search: (query) => asked(() => search(query)),
    commit: (wanted) => whileOpen(() => writes.commit(wanted)),
    history: (ref) => asked(() => history(ref)),
    changesSince: (since) => asked(() => changesSince(since)),
    scan: (since) => asked(() => scan(since)),
    close: () =>
      whileOpen(async () => {
        isOpen = false;
        return attempt(() => {
          reads.flush();
          writes.flush();
          letGo();
        });
      }),
  };
};
