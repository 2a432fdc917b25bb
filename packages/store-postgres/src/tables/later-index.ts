import { type RawBuilder, sql } from 'kysely';
import { isTransient } from '../postgres-errors.ts';
import type { PostgresClient } from '../postgres-pool.ts';
import type { Tables } from '../schema.ts';
import type { QueryBuilder } from '../statement.ts';
import { inOwnTransaction } from '../transaction.ts';
import { pause } from '../write/waiting.ts';
import { dividedTables, type Layout } from './migrations.ts';

/** An index on a table that may hold data. It is built while others write. */
export type LaterIndex = {
  readonly index: string;
  readonly table: keyof Tables;
  /** The columns, such as `(type, record)`. */
  readonly content: RawBuilder<unknown>;
};

/** An index on one table, or on one partition of it. */
type IndexPart = { readonly index: string; readonly table: string; readonly content: RawBuilder<unknown> };

export const isLaterIndex = (step: object): step is LaterIndex => 'index' in step;

const isDivided = ({ table }: LaterIndex, { partitions }: Layout): boolean =>
  partitions > 0 && dividedTables.some((divided) => divided === table);

/** The indexes that are built one by one, because PostgreSQL builds none on all partitions while others write. */
export const partsOf = (later: LaterIndex, layout: Layout): readonly IndexPart[] =>
  isDivided(later, layout)
    ? Array.from({ length: layout.partitions }, (_, remainder) => ({
        ...later,
        index: `${later.index}_${remainder}`,
        table: `${later.table}_${remainder}`,
      }))
    : [later];

const dropIndex = ({ schema }: QueryBuilder, { index }: IndexPart) =>
  sql`drop index if exists ${sql.id(schema, index)}`;

const createIndex = ({ schema }: QueryBuilder, { index, table, content }: IndexPart) =>
  sql`create index concurrently if not exists ${sql.id(index)} on ${sql.id(schema, table)} ${content}`;

/** The statements that build an index by hand. Each runs outside of a transaction. */
export const buildStatements =
  (builder: QueryBuilder) =>
  (part: IndexPart): readonly RawBuilder<unknown>[] => [dropIndex(builder, part), createIndex(builder, part)];

/** The statements that make one index of the parts. They find the parts, so that they build nothing. */
export const joinStatements = (
  { table }: QueryBuilder,
  layout: Layout,
  later: LaterIndex,
): readonly RawBuilder<unknown>[] =>
  isDivided(later, layout)
    ? [sql`create index ${sql.id(later.index)} on ${table(later.table)} ${later.content}`]
    : [];

/** How many milliseconds a lock is waited for. Others wait behind it, so it is short, and tried again after a pause. */
export const migrationLockTimeout = 100;

/** Does work again until no other transaction, such as that of a dump, is in its way. */
const tryUntilUnlocked = async (work: () => Promise<void>): Promise<void> => {
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isTransient(cause)) throw cause;
      await pause(3 * migrationLockTimeout);
    }
  }
};

/** Does work in a transaction of its own that waits for no lock for long. */
export const untilUnlocked = (client: PostgresClient, work: () => Promise<void>): Promise<void> =>
  tryUntilUnlocked(() => inOwnTransaction(client, work, { lock_timeout: migrationLockTimeout }));

/** An index of a large table takes longer than any other query: as long as a timer of Node can wait. */
const longest = 2 ** 31 - 1;

/** Returns whether an index is complete, and removes what a killed process has left of it. */
const isBuilt = (client: PostgresClient, builder: QueryBuilder, part: IndexPart): Promise<boolean> => {
  const run = (statement: RawBuilder<unknown>) => client.query({ text: statement.compile(builder.db).sql });
  const find = async () => {
    const { rows } = await client.query({
      text: `select indisvalid as "isValid" from pg_catalog.pg_index
        join pg_catalog.pg_class on pg_class.oid = indexrelid
        join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
        where nspname = $1 and relname = $2`,
      values: [builder.schema, part.index],
    });
    return (rows[0] as { isValid: boolean } | undefined)?.isValid ?? false;
  };
  return inOwnTransaction(
    client,
    async () => {
      // A process that builds an index on the table has this lock until the index is complete.
      await run(sql`lock table only ${sql.id(builder.schema, part.table)} in share update exclusive mode`);
      const isValid = await find();
      if (!isValid) await run(dropIndex(builder, part));
      return isValid;
    },
    { lock_timeout: migrationLockTimeout },
  );
};

/** Builds an index, unless it exists, while others write. Processes that build the same one take turns. */
export const buildIndex = async (
  client: PostgresClient,
  builder: QueryBuilder,
  part: IndexPart,
): Promise<void> => {
  let isDone = false;
  while (!isDone) {
    // Another process may build the index. Or two began at the same moment, waited for each other, and one was ended.
    await tryUntilUnlocked(async () => {
      isDone = await isBuilt(client, builder, part);
      if (isDone) return;
      await client.query({
        text: createIndex(builder, part).compile(builder.db).sql,
        query_timeout: longest,
      });
    });
  }
};
