import { requireFunction, type Transaction, type TransactionConnection } from '@clinical-records/core/store';
import { CompiledQuery } from 'kysely';
import { closesConnection, ToolError, TransactionEndedError } from '../postgres-errors.ts';
import type { PostgresQuery, QueryRunner } from '../postgres-pool.ts';
import { decodeText } from '../text.ts';
import { runQuery } from '../transaction.ts';
import {
  type HostConnection,
  joinStore,
  type OpenTransaction,
  selectAndLimit,
  turnsOn,
  unlimit,
} from './open-transaction.ts';

// The open transactions of tools, for `records.in`. No tool is a dependency: each is described by the part of it that is used.
// The writes of the records run on the connection of the tool, and its COMMIT gives them their places in the feed.

/**
 * Runs SQL on the connection of a transaction, and returns the rows, or an object that has them as `rows`. The SQL has `$1`,
 * `$2` and so on, once each and in this order. The values are texts or null. Rejects with an error that has the SQLSTATE of
 * PostgreSQL as its `code`, or that has such an error, or one of the connection, as a property.
 */
export type HostQuery = (text: string, values: readonly (string | null)[]) => PromiseLike<unknown>;

const endedSentence =
  'The transaction is not open on the connection of the tool. Begin one, pass what belongs to it, such as the argument of its callback, to a new call of its from… function, and await each call before its end.';

const overSentence =
  'The tool runs no more queries in the transaction, because it is over. Await everything that belongs to it before its callback ends.';

const isolationSentence = (isolation: string): string =>
  `The transaction has the isolation level ${isolation}, in which its COMMIT could not see what others have committed since it began. Begin it with READ COMMITTED.`;

/** The connection of a transaction, as `resolve` gets it. A query runs after what the records do on the connection. */
export const queriesOf = (
  transaction: unknown,
  query: HostQuery,
  inTurn: OpenTransaction['inTurn'],
): TransactionConnection => ({
  query: async (text, values = []) => {
    const rows = await inTurn(async () => rowsOf(await query(text, values)));
    return { rows: rows as readonly Readonly<Record<string, unknown>>[] };
  },
  transaction,
});

/** Runs queries on a client of pg. */
export const queryOn =
  (client: QueryRunner): HostQuery =>
  (text, values) =>
    runQuery(client, { text, values: [...values] });

/** A transaction on a connection. It is the one that is open at its first call. */
const transactionOn = (key: object, connection: HostConnection, query: HostQuery): Transaction => {
  let id: string | null = null;
  const inTurn = turnsOn(key);
  const transaction: OpenTransaction = {
    connection,
    enter: selectAndLimit,
    leave: unlimit,
    id: () => id,
    check: (current) => {
      if (current.isolation !== 'read committed')
        throw new TransactionEndedError(isolationSentence(current.isolation));
      id ??= current.id;
      if (current.id !== id) throw new TransactionEndedError(endedSentence);
    },
    endedSentence,
    placeBeforeCommit: null,
    inTurn,
  };
  return {
    join: (store) => joinStore(store, transaction),
    connection: queriesOf(key, query, inTurn),
    // It is not known when it ends.
    watch: () => {},
  };
};

/** Where Prisma has an error, or its reason, that is an object. */
const wrappers = ['cause', 'meta', 'driverAdapterError'];

/** The most errors that are looked at. Some refer to each other. */
const mostErrors = 32;

/**
 * An error of a tool, and what it wraps, from the outside to the inside. Each tool has its own name for the error of the driver,
 * so all of its own properties count.
 */
const chainOf = (cause: unknown): readonly Record<string, unknown>[] => {
  const chain = new Set([cause]);
  for (const error of chain) {
    const properties =
      typeof error === 'object' && error !== null ? Object.getOwnPropertyDescriptors(error) : {};
    for (const [name, { value }] of Object.entries<PropertyDescriptor>(properties)) {
      const isWrapped = value instanceof Error || wrappers.includes(name);
      if (isWrapped && chain.size < mostErrors) chain.add(value);
    }
  }
  return [...chain].filter((error) => typeof error === 'object' && error !== null) as Record<
    string,
    unknown
  >[];
};

/** The codes of Prisma begin with P1 to P6, those of PostgreSQL do not. */
const isSqlState = (code: unknown): code is string =>
  typeof code === 'string' && /^(?!P[1-9])[0-9A-Z]{5}$/.test(code);

/** Whether an error is one of a connection, as Node, Prisma or pg says it. */
const isOfConnection = ({ code, message }: Record<string, unknown>): boolean =>
  /^(E[A-Z]+|P1\d{3})$/.test(String(code)) ||
  /connection terminated|not queryable|read timeout/i.test(String(message));

/** The error of a tool as one of pg. */
const toPostgresError = (cause: unknown): Error => {
  const chain = chainOf(cause);
  const code = chain.flatMap(({ code, originalCode }) => [code, originalCode]).find(isSqlState);
  if (code !== undefined) {
    const severity = closesConnection(code) ? 'FATAL' : 'ERROR';
    return Object.assign(new Error('A query of the tool has failed.', { cause }), { code, severity });
  }
  return chain.some(isOfConnection)
    ? new ToolError('The connection of the tool is lost.', { cause })
    : new TransactionEndedError(overSentence, { cause });
};

const rowsOf = (result: unknown): readonly unknown[] =>
  Array.isArray(result) ? result : (result as { readonly rows: readonly unknown[] }).rows;

/** A query whose rows are one text of JSON, which no tool parses or changes in its own way, with the transaction in which it runs. */
const inJson = (text: string): string => `
  select json_build_object(
    'current', json_build_object(
      'id', pg_current_xact_id()::text,
      'isolation', current_setting('transaction_isolation')
    ),
    'rows', coalesce(json_agg(found), '[]')
  )::text as answer
  from (${text}) as found`;

/** The connection of a tool. */
const toolConnection = (query: HostQuery): HostConnection => {
  const run = async ({ text, values = [] }: PostgresQuery) => {
    try {
      return rowsOf(await query(text, values as (string | null)[]));
    } catch (cause) {
      throw toPostgresError(cause);
    }
  };
  const readInTransaction = async ({ text, ...rest }: PostgresQuery) => {
    const [{ answer } = { answer: '' }] = (await run({ ...rest, text: inJson(text) })) as readonly {
      readonly answer: string;
    }[];
    return JSON.parse(answer, (_, value) => (typeof value === 'string' ? decodeText(value) : value));
  };
  return { run, read: async (sent) => (await readInTransaction(sent)).rows, readInTransaction };
};

/** The connection of a client of pg. Without a pipeline, it is used like that of a tool, so that each call is one query. */
export const connectionOf = (client: QueryRunner): HostConnection => {
  if (!client.pipeline) return toolConnection(queryOn(client));
  const read = async (query: PostgresQuery) => (await runQuery(client, query)).rows;
  return { run: read, read, readInTransaction: null };
};

/**
 * The transaction of any tool, which runs SQL through a function on the connection of the transaction. The `connection` is what
 * the tool has for it, one object for each connection, and the `transaction` that `resolve` gets.
 *
 * @example
 * await sql.begin(async (tx) => { // postgres.js
 *   await records.in(fromQuery(tx, (text, values) => tx.unsafe(text, [...values]))).immunizations.create(body, { by });
 * });
 */
export const fromQuery = (connection: object, query: HostQuery): Transaction =>
  transactionOn(connection, toolConnection(query), query);

/**
 * The transaction that was begun on a client of pg with BEGIN. Call it in each transaction. Its COMMIT makes durable what
 * `records.in(…)` has written, and its ROLLBACK undoes that.
 *
 * @example
 * await client.query('begin');
 * await records.in(fromPg(client)).immunizations.create(body, { by });
 * await client.query('commit');
 */
export const fromPg = (client: QueryRunner): Transaction => {
  requireFunction(client, 'query', 'fromPg needs a client of pg, on which a transaction was begun.');
  return transactionOn(client, connectionOf(client), queryOn(client));
};

/** The part of a transaction of Kysely that is used. */
export type KyselyTransaction = {
  /** Runs a `CompiledQuery`. */
  executeQuery(query: unknown): Promise<{ readonly rows: unknown[] }>;
};

/**
 * The transaction of Kysely.
 *
 * @example
 * await db.transaction().execute(async (trx) => {
 *   await records.in(fromKysely(trx)).immunizations.create(body, { by });
 * });
 */
export const fromKysely = (trx: KyselyTransaction): Transaction => {
  requireFunction(trx, 'executeQuery', 'fromKysely needs a transaction of Kysely.');
  return fromQuery(trx, (text, values) => trx.executeQuery(CompiledQuery.raw(text, [...values])));
};

/** The part of a transaction of Drizzle that is used. */
export type DrizzleTransaction = {
  /** Runs a query that `sql` made. */
  execute(query: never): PromiseLike<unknown>;
};

/** The part of `sql` of drizzle-orm that is used. */
export type DrizzleSql = {
  /** Makes SQL of a text. */
  raw(text: string): unknown;
  /** Makes a parameter of a value. */
  param(value: unknown): unknown;
  /** Joins pieces of SQL. */
  join(chunks: never[]): unknown;
};

/**
 * The transaction of Drizzle, with the `sql` of drizzle-orm.
 *
 * @example
 * await db.transaction(async (tx) => {
 *   await records.in(fromDrizzle(tx, sql)).immunizations.create(body, { by });
 * });
 */
export const fromDrizzle = (tx: DrizzleTransaction, sql: DrizzleSql): Transaction => {
  requireFunction(tx, 'execute', 'fromDrizzle needs a transaction of Drizzle.');
  requireFunction(sql, 'raw', 'fromDrizzle needs the `sql` of drizzle-orm as its second argument.');
  return fromQuery(tx, (text, values) => {
    const chunks = text
      .split(/\$\d+/)
      .flatMap((part, at) => (at === 0 ? [sql.raw(part)] : [sql.param(values[at - 1]), sql.raw(part)]));
    return tx.execute(sql.join(chunks as never[]) as never);
  });
};

/** The part of a transaction of Knex that is used. */
export type KnexTransaction = {
  /** Runs SQL with bindings, and returns what the driver does. */
  raw(text: string, bindings: readonly (string | null)[]): PromiseLike<unknown>;
};

/**
 * The transaction of Knex.
 *
 * @example
 * await knex.transaction(async (trx) => {
 *   await records.in(fromKnex(trx)).immunizations.create(body, { by });
 * });
 */
export const fromKnex = (trx: KnexTransaction): Transaction => {
  requireFunction(trx, 'raw', 'fromKnex needs a transaction of Knex.');
  return fromQuery(trx, (text, values) =>
    trx.raw(text.replaceAll('?', '\\?').replace(/\$\d+/g, '?'), values),
  );
};

/** An entity manager of TypeORM in a transaction, or its query runner. */
export type TypeOrmTransaction = {
  /** Runs SQL with its values, and returns the rows. */
  query(text: string, values?: unknown[]): Promise<unknown>;
};

/**
 * The transaction of TypeORM.
 *
 * @example
 * await dataSource.transaction(async (manager) => {
 *   await records.in(fromTypeOrm(manager)).immunizations.create(body, { by });
 * });
 */
export const fromTypeOrm = (manager: TypeOrmTransaction): Transaction => {
  requireFunction(manager, 'query', 'fromTypeOrm needs an entity manager of TypeORM, or a query runner.');
  return fromQuery(manager, (text, values) => manager.query(text, [...values]));
};

/** The part of an interactive transaction of Prisma that is used. */
export type PrismaTransaction = {
  /** Runs SQL with its values, and returns the rows. */
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
};

/**
 * The interactive transaction of Prisma.
 *
 * @example
 * await prisma.$transaction(async (tx) => {
 *   await records.in(fromPrisma(tx)).immunizations.create(body, { by });
 * });
 */
export const fromPrisma = (tx: PrismaTransaction): Transaction => {
  requireFunction(tx, '$queryRawUnsafe', 'fromPrisma needs an interactive transaction of Prisma.');
  return fromQuery(tx, (text, values) => tx.$queryRawUnsafe(text, ...values));
};
