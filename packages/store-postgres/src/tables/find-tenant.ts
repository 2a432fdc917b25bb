import { type RawBuilder, sql } from 'kysely';
import { errorCode, TablesError } from '../postgres-errors.ts';
import type { Reader } from '../readers.ts';
import { relationName } from '../schema.ts';
import { createStatement, type QueryBuilder } from '../statement.ts';
import { areDistributed, type ReadRows } from './migrate.ts';

/** Throws if a name is not one of a tenant. */
export const requireTenant = (name: string): void => {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(name))
    throw new Error('`tenant` must be a name of 1 to 64 letters, digits and hyphens, such as clinic-7.');
};

const isNowhere = ({ schema, tenant }: QueryBuilder): string =>
  `The schema ${schema} has no tenant ${tenant.name}.`;

/** The error of a store whose tenant has been removed. */
export const tenantGoneError = (builder: QueryBuilder): TablesError => new TablesError(isNowhere(builder));

/** The error of a store whose tenant nobody has created. */
export const noTenantError = (builder: QueryBuilder): TablesError =>
  new TablesError(`${isNowhere(builder)} Create it with createTenant, unless its name is misspelt.`);

/** Whether a row has nothing of a record: no text, and no number but 0. */
const isEmptyRow = (row: unknown): boolean =>
  Object.values(row as object).every((value) => value === null || value === 0 || typeof value === 'boolean');

/**
 * A reader that throws if the tenant has been removed, instead of finding nothing. A statement divides by zero then, but not on
 * Citus, where the tenant is looked for after a statement that finds nothing.
 */
export const createTenantReader = (builder: QueryBuilder, reader: Reader): Reader => {
  const { table, tenant } = builder;
  const findName = createStatement<null>(
    builder,
    'read',
    (placeholder) => sql`
      select from ${table('tenants')} as tenants
      where tenants.tenant = ${placeholder.tenant()} and tenants.removed is null`,
  );
  return async (statement, args) => {
    try {
      const rows = await reader(statement, args);
      const isFound = !tenant.isDistributed || !rows.every(isEmptyRow);
      if (isFound || (await reader(findName, null)).length > 0) return rows;
    } catch (cause) {
      if (errorCode(cause) !== '22012') throw cause;
    }
    throw tenantGoneError(builder);
  };
};

/** Runs a statement, and returns its rows. */
export const runSql = (read: ReadRows, { db }: QueryBuilder, query: RawBuilder<unknown>) => {
  const { sql: text, parameters } = query.compile(db);
  return read({ text, values: [...parameters] });
};

/** The number of the tenant, or null if there is none of its name. */
const numberOf = ({ schema, tenant }: QueryBuilder): RawBuilder<number | null> =>
  sql`${sql.id(schema, 'tenant_number')}(${tenant.name}::text)`;

/** Reads the number of the tenant, unless it is known. Throws if there is no such tenant. */
export const findTenant = async (read: ReadRows, builder: QueryBuilder): Promise<number> => {
  const { tenant } = builder;
  if (tenant.number !== null) return tenant.number;
  const [row] = await runSql(
    read,
    builder,
    sql`
    select ${numberOf(builder)}::text as number, row_security_active(${relationName(builder, 'records')}::text)::text as "isGuarded",
      (${areDistributed(builder)})::text as "isDistributed"`,
  );
  const { number, isGuarded, isDistributed } = row as {
    readonly number: string | null;
    readonly isGuarded: string;
    readonly isDistributed: string;
  };
  if (number === null) throw noTenantError(builder);
  tenant.isGuarded = isGuarded === 'true';
  tenant.isDistributed = isDistributed === 'true';
  tenant.number = Number(number);
  return tenant.number;
};

/** Whether a tenant whose number is known has not been removed. */
export const hasTenant = async (read: ReadRows, builder: QueryBuilder): Promise<boolean> => {
  const [row] = await runSql(read, builder, sql`select ${numberOf(builder)}::text as number`);
  return (row as { readonly number: string | null }).number === `${builder.tenant.number}`;
};

/** The message of the error of a pool whose user may not do what only an administrator may. */
export const notOwnerSentence = (schema: string): string =>
  `The user of the pool does not own the tables of the schema ${schema}.`;

/** Throws unless the tenant with a number has been removed, and the user is an owner of the tables. */
export const requireRemoved = async (
  read: ReadRows,
  builder: QueryBuilder,
  number: number,
): Promise<void> => {
  const { table, schema } = builder;
  const isOwner = sql`(
    select pg_has_role(relowner, 'usage') from pg_catalog.pg_class
    where oid = ${relationName(builder, 'tenants')}::regclass
  )`;
  const [row] = await runSql(
    read,
    builder,
    sql`select ${isOwner} as "isOwner" from ${table('tenants')} where tenant = ${number} and removed is not null`,
  );
  if (row === undefined)
    throw new TablesError(`The schema ${schema} has no removed tenant of the number ${number}.`);
  if (!(row as { readonly isOwner: boolean }).isOwner) throw new TablesError(notOwnerSentence(schema));
};
