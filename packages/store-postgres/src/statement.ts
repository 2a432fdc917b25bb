import { hash } from 'node:crypto';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { PostgresClient, PostgresQuery } from './postgres-pool.ts';
import { columnsOf, type Tables } from './schema.ts';
import { decodeText, encodePlainly, encodeTextArray, splitTexts, type TextArray } from './text.ts';
import { runQuery, runTransaction, type TransactionSettings } from './transaction.ts';

/** The clinic whose records a store has, among those of the same tables. */
export type Tenant = {
  readonly name: string;
  /** The `tenant` of its rows; null until it is read. */
  number: number | null;
  /** Whether PostgreSQL shows the user of the pool the rows of one tenant only, which each transaction must name. */
  isGuarded: boolean;
  /** Whether Citus distributes the rows by tenant. */
  isDistributed: boolean;
};

export const tenantOf = (name: string): Tenant => ({
  name,
  number: null,
  isGuarded: false,
  isDistributed: false,
});

/** The tenant that the tables begin with. */
export const firstTenant = 'default';

/** Builds SQL without running it. The store runs it on the host's clients, where several queries share a round trip. */
export type QueryBuilder = {
  readonly db: Kysely<Tables>;
  readonly schema: string;
  readonly tenant: Tenant;
  /** The full name of a table with the rows of all tenants. To read those of the tenant, use `rows` of a placeholder. */
  readonly table: (name: keyof Tables) => RawBuilder<unknown>;
  /** Whether statements may be prepared under names, which connections remember. */
  readonly preparedStatements: boolean;
  /** Whether values are texts or null, which any driver and tool passes on. Otherwise pg gets them as it is fastest. */
  readonly plainValues: boolean;
};

export const createQueryBuilder = (
  schema: string,
  {
    tenant = tenantOf(firstTenant),
    preparedStatements = true,
    plainValues = false,
  }: Partial<Pick<QueryBuilder, 'tenant' | 'preparedStatements' | 'plainValues'>> = {},
): QueryBuilder => ({
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(schema),
  schema,
  tenant,
  table: (name) => sql.id(schema, name),
  preparedStatements,
  plainValues,
});

/** The types of SQL that a placeholder can have. */
export type SqlType =
  | 'text'
  | 'bigint'
  | 'integer'
  | 'boolean'
  | 'jsonb'
  | 'uuid'
  | 'text[]'
  | 'bigint[]'
  | 'integer[]'
  | 'uuid[]';

/**
 * The rows of a table that belong to the tenant, as what a statement reads from. If the tenant has been removed, the statement
 * divides by zero.
 */
export type Rows = (name: keyof Tables) => RawBuilder<unknown>;

/** Creates placeholders in a statement, which get their values from its arguments each time it runs. */
export type Placeholder<Args> = {
  <T>(type: SqlType, read: (args: Args) => unknown): RawBuilder<T>;
  /** The placeholder of the number of the tenant. */
  readonly tenant: () => RawBuilder<number>;
  readonly rows: Rows;
};

/** The call that a statement belongs to. A comment in it says so to a reader of `pg_stat_statements` and `pg_stat_activity`. */
export type Call =
  | 'read'
  | 'readResource'
  | 'readVersion'
  | 'history'
  | 'search'
  | 'changes'
  | 'feedEnd'
  | 'scan'
  | 'commit'
  | 'erase'
  | 'reindex'
  /** Finds out what became of a commit without a response. */
  | 'settle'
  /** Finds out how much a replica shows. */
  | 'freshness';

export type Statement<Args, Row = object> = {
  readonly bind: (args: Args) => PostgresQuery;
  readonly row?: Row;
};

/** The parsers of the types that statements return, by their numbers in PostgreSQL. All others are texts. */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, Number],
  [23, Number],
  // A `varchar`, which no table has.
  [1043, splitTexts],
]);

/** The host may have set other parsers for its own queries. */
const types = { getTypeParser: (type: number) => parsers.get(type) ?? decodeText };

const encodeValue = (type: SqlType, plainValues: boolean): ((value: unknown) => unknown) => {
  if (plainValues) return encodePlainly;
  return type === 'text[]' ? (value) => encodeTextArray(value as TextArray) : (value) => value;
};

const compile = <Args>(
  { db, table, tenant, plainValues }: QueryBuilder,
  call: Call,
  build: (placeholder: Placeholder<Args>) => RawBuilder<unknown>,
  isPrepared: boolean,
): Statement<Args>['bind'] => {
  const readers = new Map<unknown, (args: Args) => unknown>();
  const createPlaceholder = <T>(type: SqlType, read: (args: Args) => unknown) => {
    const marker = {};
    const encode = encodeValue(type, plainValues);
    readers.set(marker, (args) => encode(read(args)));
    const value = sql<T>`${marker}::${sql.raw(type)}`;
    // PostgreSQL plans a prepared statement again and again if its values, or the lengths of its lists, make a plan look
    // cheaper. It cannot see through a subquery, and then keeps one plan.
    return isPrepared ? sql<T>`(select ${value})::${sql.raw(type)}` : value;
  };
  const tenantNumber = () => createPlaceholder<number>('integer', () => tenant.number);
  /** The row of a tenant that has been removed stays: then it divides by zero. */
  const divided = (dividend: RawBuilder<unknown>) => sql`(
    select ${dividend} / (own.removed is null)::integer from ${table('tenants')} as own where own.tenant = ${tenantNumber()})`;
  const isOwn = () => {
    if (tenant.isDistributed) return sql`tenant = ${tenantNumber()}`;
    // PostgreSQL knows the value when it plans a statement that is not prepared.
    return isPrepared
      ? sql`tenant = ${divided(sql`own.tenant`)}`
      : sql`tenant = ${tenantNumber()} and ${divided(sql`1`)} = 1`;
  };
  const placeholder: Placeholder<Args> = Object.assign(createPlaceholder, {
    tenant: tenantNumber,
    rows: (name: keyof Tables) => sql`(select ${columnsOf(name)} from ${table(name)} where ${isOwn()})`,
  });
  const { sql: statement, parameters } = build(placeholder).compile(db);
  const text = `/* clinical-records: ${call} */ ${statement.trim()}`;
  const argumentReaders = parameters.map((parameter) => readers.get(parameter) ?? (() => parameter));
  const named = isPrepared ? { name: `clinical_records_${hash('sha1', text)}` } : {};
  return (args) => ({ ...named, text, values: argumentReaders.map((read) => read(args)), types });
};

/**
 * A statement of the query that `build` returns for its placeholders. It is compiled when it is first used, and
 * prepared under a name, unless it is to be planned each time, or the host wants no prepared statements.
 */
export const createStatement = <Args, Row = object>(
  builder: QueryBuilder,
  call: Call,
  build: (placeholder: Placeholder<Args>) => RawBuilder<Row>,
  { isPrepared = true }: { readonly isPrepared?: boolean } = {},
): Statement<Args, Row> => {
  let bind: Statement<Args>['bind'] | null = null;
  // Citus plans each statement for its tenant, whose number must not be in a subquery.
  const mayBePrepared = () => builder.preparedStatements && !builder.tenant.isDistributed;
  return {
    bind: (args) => {
      bind ??= compile(builder, call, build, isPrepared && mayBePrepared());
      return bind(args);
    },
  };
};

export const settingsOf = ({ number, isGuarded, isDistributed }: Tenant): TransactionSettings => ({
  ...(isDistributed ? { 'citus.propagate_set_commands': 'local' } : {}),
  ...(isGuarded ? { 'clinical_records.tenant': `${number}` } : {}),
});

/** Runs a statement, and returns its rows. */
export const runStatement = async <Args, Row>(
  { tenant }: Pick<QueryBuilder, 'tenant'>,
  client: PostgresClient,
  statement: Statement<Args, Row>,
  args: Args,
): Promise<readonly Row[]> => {
  const query = statement.bind(args);
  if (!tenant.isGuarded) return (await runQuery(client, query)).rows as Row[];
  const [rows = []] = await runTransaction(client, [query], settingsOf(tenant));
  return rows as readonly Row[];
};
