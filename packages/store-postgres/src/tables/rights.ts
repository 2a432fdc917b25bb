import { type RawBuilder, sql } from 'kysely';
import { writeFunction } from '../host/write-function.ts';
import type { Tables } from '../schema.ts';
import type { QueryBuilder } from '../statement.ts';
import { eraseFunction } from './erase-function.ts';
import { type Layout, tenantTables } from './migrations.ts';

/** The rights of an application on each table beside that to read it. Functions of the owner do the rest. */
const rightsToWrite: { readonly [Name in keyof Tables]: readonly ('insert' | 'update' | 'delete')[] } = {
  migrations: [],
  tenants: [],
  head: ['update'],
  // A guard is a row that is removed at once.
  records: ['insert', 'update', 'delete'],
  // Nothing that was written can be changed, but by an erasure.
  versions: ['insert'],
  searchable: ['insert', 'update', 'delete'],
  entries: ['insert', 'delete'],
  dates: ['insert', 'delete'],
  terms: ['insert'],
  counts: ['insert', 'update'],
  indexed_parameters: ['insert', 'update'],
  host_transactions: ['insert'],
};

/**
 * Beside these, the rights of the functions. Citus refuses a function that runs as their owner in a transaction in which the user has
 * written.
 */
const functionWrites: Partial<typeof rightsToWrite> = {
  versions: ['update'],
  entries: ['update'],
  dates: ['update'],
  terms: ['delete'],
  host_transactions: ['delete'],
};

const names = Object.keys(rightsToWrite) as readonly (keyof Tables)[];

/** The number of the tenant that a transaction has named. A setting that was never made is null, and one of a transaction before is empty. */
const ownTenant = `
declare
  named text := nullif(current_setting('clinical_records.tenant', true), '');
begin
  if named is null then
    raise exception 'This transaction names no tenant. Begin it with: set local clinical_records.tenant = its number.'
      using errcode = 'insufficient_privilege';
  end if;
  return named::integer;
end`;

/**
 * The statements by which PostgreSQL itself shows a user who does not own the tables the rows of one tenant only: that which the transaction
 * has named. Without a name, each statement fails, with SQLSTATE 42501.
 */
export const guardRows = ({ schema, table }: QueryBuilder): readonly RawBuilder<unknown>[] => [
  sql`create function ${sql.id(schema, 'own_tenant')}() returns integer language plpgsql stable
    set search_path = pg_catalog, pg_temp as ${sql.lit(ownTenant)}`,
  ...(['tenants', ...tenantTables] as const).flatMap((name) => [
    sql`alter table ${table(name)} enable row level security`,
    // It is called once for a statement.
    sql`create policy own_tenant on ${table(name)} using (tenant = (select ${sql.id(schema, 'own_tenant')}()))`,
  ]),
];

/** The statements that let a user read all that a store shows, and nothing else. */
export const grantReading = (
  { schema, table }: QueryBuilder,
  user: string,
): readonly RawBuilder<unknown>[] => [
  sql`grant usage on schema ${sql.id(schema)} to ${sql.id(user)}`,
  ...names.map((name) => sql`grant select on ${table(name)} to ${sql.id(user)}`),
];

/** The statements that let a user do all that a store does, but to create tables and tenants. */
export const grantWriting = (
  builder: QueryBuilder,
  { isDistributed }: Layout,
  user: string,
): readonly RawBuilder<unknown>[] => [
  ...grantReading(builder, user),
  ...names.flatMap((name) => {
    const rights = [...rightsToWrite[name], ...((isDistributed && functionWrites[name]) || [])];
    if (rights.length === 0) return [];
    return [sql`grant ${sql.raw(rights.join(', '))} on ${builder.table(name)} to ${sql.id(user)}`];
  }),
  // In a transaction of the host.
  sql`grant usage on sequence ${sql.id(builder.schema, 'provisional_positions')} to ${sql.id(user)}`,
  sql`grant execute on function ${eraseFunction(builder)} to ${sql.id(user)}`,
  ...(isDistributed ? [] : [sql`grant execute on function ${writeFunction(builder)} to ${sql.id(user)}`]),
];
