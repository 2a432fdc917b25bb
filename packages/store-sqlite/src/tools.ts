import { ClinicalRecordsError } from '@clinical-records/core';
import {
  misuseError,
  requireFunction,
  type StoreError,
  type Transaction,
} from '@clinical-records/core/store';
import { CompiledQuery } from 'kysely';
import type { SqliteDatabase, SqliteHandle } from './database.ts';
import { toSqliteDatabase } from './driver.ts';
import { type AvailabilityCheck, joinStore, requireHandle } from './host-transaction.ts';
import { type HostQuery, queriesOf, queriesOn } from './transaction-connection.ts';

// The open transactions of tools, for `records.in`. No tool is a dependency: each is described by the part of it that is
// used. On SQLite the tool and the store share a handle, so the store writes on the handle itself. It asks the tool only whether
// its transaction is open there.

const noTransactionError = misuseError(
  'No transaction is open on the handle of the store. Begin one, and pass what belongs to it, such as the argument of its callback. The tool and the store must share a handle: openSqliteStore({ database }).',
);

const otherHandleError = misuseError(
  'The tool has its transaction on another connection than the store. Open the store on the handle of the tool, with openSqliteStore({ database }), or use records.transaction.',
);

const overError = misuseError(
  'The transaction of the tool is over. Await everything that belongs to it before its callback ends.',
);

/** A function of SQL that exists only on handles that stores use, and returns a text that no other handle has. */
const handleFunction = 'clinical_records_handle';

const handleNames = new WeakMap<SqliteDatabase, string>();

/** The text by which a handle is known. Null if its driver does not have functions of SQL. */
const handleNameOf = (database: SqliteDatabase): string | null => {
  const existing = handleNames.get(database);
  if (existing !== undefined || database.function === undefined) return existing ?? null;
  const name = crypto.randomUUID();
  database.function(handleFunction, () => name);
  handleNames.set(database, name);
  return name;
};

/** Checks before each call that the transaction of a tool is open on a handle. */
const createCheck =
  (database: SqliteDatabase, query: HostQuery): AvailabilityCheck =>
  async () => {
    if (!database.inTransaction) return noTransactionError;
    const name = handleNameOf(database);
    try {
      const rows = await query(name === null ? 'select 1' : `select ${handleFunction}() as handle`, []);
      const [row] = rows as readonly { readonly handle?: unknown }[];
      if (name !== null && row?.handle !== name) return otherHandleError;
    } catch (cause) {
      return String(cause).includes('no such function') ? otherHandleError : overError;
    }
    return database.inTransaction ? null : overError;
  };

const transactionOf = (transaction: unknown, query: HostQuery): Transaction => ({
  join: (store) => joinStore(store, (database) => createCheck(database, query)),
  connection: queriesOf(transaction, query),
  // It is not known when it ends.
  watch: () => {},
});

/**
 * The transaction that was begun on the handle of the store with BEGIN. Use it only until the COMMIT: it joins whatever
 * transaction is open on the handle at the time of a call.
 *
 * @example
 * database.exec('BEGIN');
 * await records.in(fromSqlite(database)).immunizations.create(body, { by });
 * database.exec('COMMIT');
 */
export const fromSqlite = (connection: SqliteHandle): Transaction => {
  requireHandle('fromSqlite', connection);
  const database = toSqliteDatabase(connection);
  const check = (): StoreError | null => (database.inTransaction ? null : noTransactionError);
  return {
    join: (store) =>
      joinStore(store, (handle) => {
        if (handle !== database) throw new ClinicalRecordsError(otherHandleError);
        return check;
      }),
    connection: queriesOn(connection, check),
    watch: () => {},
  };
};

/** The part of a transaction of Kysely that is used. */
export type KyselyTransaction = {
  /** Runs a `CompiledQuery`. */
  executeQuery(query: unknown): Promise<{ readonly rows: unknown[] }>;
};

/**
 * The transaction of Kysely, whose `SqliteDialect` has the handle of the store.
 *
 * @example
 * await db.transaction().execute(async (trx) => {
 *   await records.in(fromKysely(trx)).immunizations.create(body, { by });
 * });
 */
export const fromKysely = (trx: KyselyTransaction): Transaction => {
  requireFunction(trx, 'executeQuery', 'fromKysely needs a transaction of Kysely.');
  return transactionOf(
    trx,
    async (text, values) => (await trx.executeQuery(CompiledQuery.raw(text, [...values]))).rows,
  );
};

/** The part of a transaction of Knex that is used. */
export type KnexTransaction = {
  /** Runs SQL with bindings, and returns the rows. */
  raw(text: string, bindings: readonly (string | null)[]): PromiseLike<unknown>;
};

/**
 * The transaction of Knex. The handle of the store is that of Knex: `await knex.client.acquireConnection()`.
 *
 * @example
 * await knex.transaction(async (trx) => {
 *   await records.in(fromKnex(trx)).immunizations.create(body, { by });
 * });
 */
export const fromKnex = (trx: KnexTransaction): Transaction => {
  requireFunction(trx, 'raw', 'fromKnex needs a transaction of Knex.');
  return transactionOf(trx, (text, values) => trx.raw(text, values));
};

/** An entity manager of TypeORM in a transaction, or its query runner. */
export type TypeOrmTransaction = {
  /** Runs SQL with its values, and returns the rows. */
  query(text: string, values?: unknown[]): Promise<unknown>;
};

/**
 * The transaction of TypeORM. The handle of the store is that of TypeORM: `dataSource.driver.databaseConnection`.
 *
 * @example
 * await dataSource.transaction(async (manager) => {
 *   await records.in(fromTypeOrm(manager)).immunizations.create(body, { by });
 * });
 */
export const fromTypeOrm = (manager: TypeOrmTransaction): Transaction => {
  requireFunction(manager, 'query', 'fromTypeOrm needs an entity manager of TypeORM, or a query runner.');
  return transactionOf(manager, (text, values) => manager.query(text, [...values]));
};

/**
 * Throws a `Misuse`: on better-sqlite3, the transaction of Drizzle is synchronous, and nothing can be awaited in it. In
 * `records.transaction`, its statements are called in `tx.write`.
 */
export const fromDrizzle = (_tx: unknown): never => {
  throw new ClinicalRecordsError(
    misuseError(
      'The transaction of Drizzle on better-sqlite3 is synchronous, and nothing can be awaited in it. Use records.transaction, and call the statements of Drizzle in tx.write.',
    ),
  );
};

/**
 * Throws a `Misuse`: on SQLite, Prisma has a connection of its own, which no store can use. In `records.transaction`, statements
 * on the handle of the store are called in `tx.write`.
 */
export const fromPrisma = (_tx: unknown): never => {
  throw new ClinicalRecordsError(
    misuseError(
      'Prisma has a connection of its own to SQLite, which the store cannot use. Use records.transaction, and call statements on the handle of the store in tx.write; or PostgreSQL.',
    ),
  );
};
