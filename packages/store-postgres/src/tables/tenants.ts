import { checkOptionNames, orThrow } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { attempt, errorCode, TablesError } from '../postgres-errors.ts';
import { defaultSchema, type PostgresStoreOptions, requirePool, requireSchema } from '../postgres-options.ts';
import type { PostgresClient } from '../postgres-pool.ts';
import { relationName } from '../schema.ts';
import { createQueryBuilder, firstTenant, type QueryBuilder, tenantOf } from '../statement.ts';
import { inOwnTransaction } from '../transaction.ts';
import { createExclusiveClient } from '../use-client.ts';
import { areDistributed, hasTables, migrate, type ReadRows, rowsOn } from './migrate.ts';
import { insertTenant, tenantTables } from './migrations.ts';

/** Throws if a name is not one of a tenant. */
export const requireTenant = (name: string): void => {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(name))
    throw new Error('`tenant` must be a name of 1 to 64 letters, digits and hyphens, such as clinic-7.');
};

const isNowhere = ({ schema, tenant }: QueryBuilder): string =>
  `The schema ${schema} has no tenant ${tenant.name}.`;

/** The error of a store whose tenant has been removed. */
export const tenantGoneError = (builder: QueryBuilder): TablesError => new TablesError(isNowhere(builder));

/** Reads the number of the tenant, unless it is known. Throws if there is no such tenant. */
export const findTenant = async (read: ReadRows, builder: QueryBuilder): Promise<number> => {
  const { db, table, tenant } = builder;
  if (tenant.number !== null) return tenant.number;
  const { sql: text, parameters } = sql`
    select tenant::text as number, row_security_active(${relationName(builder, 'records')}::text)::text as "isGuarded",
      (${areDistributed(builder)})::text as "isDistributed"
    from ${table('tenants')} where name = ${tenant.name}`.compile(db);
  const [row] = await read({ text, values: [...parameters] });
  if (row === undefined)
    throw new TablesError(`${isNowhere(builder)} Create it with createTenant, unless its name is misspelt.`);
  const { number, isGuarded, isDistributed } = row as Readonly<
    Record<'number' | 'isGuarded' | 'isDistributed', string>
  >;
  tenant.isGuarded = isGuarded === 'true';
  tenant.isDistributed = isDistributed === 'true';
  tenant.number = Number(number);
  return tenant.number;
};

/** Where a tenant is: the pool of an owner of the tables, and their schema. */
export type TenantOptions = Pick<PostgresStoreOptions, 'pool' | 'schema'> & {
  /** The name of the tenant: 1 to 64 letters, digits and hyphens. */
  readonly tenant: string;
};

const run = (client: PostgresClient, { db }: QueryBuilder, statement: RawBuilder<unknown>) => {
  const { sql: text, parameters } = statement.compile(db);
  return client.query({ text, values: [...parameters] });
};

/** Does work as the owner of the tables. Rejects with a `ClinicalRecordsError`. */
const asOwner = async <A>(
  { pool, schema = defaultSchema }: Pick<TenantOptions, 'pool' | 'schema'>,
  name: string,
  work: (client: PostgresClient, builder: QueryBuilder) => Promise<A>,
): Promise<A> => {
  requirePool(pool);
  requireSchema(schema);
  requireTenant(name);
  const builder = createQueryBuilder(schema, { tenant: tenantOf(name) });
  const done = attempt(async () => {
    try {
      return await createExclusiveClient(pool)((client) => work(client, builder));
    } catch (cause) {
      if (errorCode(cause) !== '42501') throw cause;
      throw new TablesError(`The user of the pool does not own the tables of the schema ${schema}.`);
    }
  });
  return orThrow(done);
};

/**
 * Creates an empty tenant, and its tables if there are none. Many tenants share the tables of a schema, and no store shows one
 * of them anything of another. Rejects with a `ClinicalRecordsError` if there is a tenant of that name.
 *
 * @example
 * await createTenant({ pool: ownersPool, tenant: 'clinic-7' });
 * const store = openPostgresStore({ pool, tenant: 'clinic-7' });
 */
export const createTenant = async (options: TenantOptions): Promise<void> => {
  checkOptionNames('createTenant', options, { pool: true, schema: true, tenant: true });
  await asOwner(options, options.tenant, async (client, builder) => {
    await migrate(client, builder, {});
    try {
      await inOwnTransaction(client, async () => {
        // So that two do not get the same number.
        await run(client, builder, sql`lock table ${builder.table('tenants')} in share row exclusive mode`);
        await run(client, builder, insertTenant(builder, sql`${options.tenant}`));
      });
    } catch (cause) {
      if (errorCode(cause) !== '23505') throw cause;
      throw new TablesError(`The schema ${builder.schema} has a tenant ${options.tenant} already.`);
    }
  });
};

/**
 * Removes a tenant with all of its records, for good. Close its stores before: those that are open find nothing any more, and
 * refuse to write. Rejects with a `ClinicalRecordsError` if there is no such tenant.
 *
 * @example
 * await removeTenant({ pool: ownersPool, tenant: 'clinic-7' });
 */
export const removeTenant = async (options: TenantOptions): Promise<void> => {
  checkOptionNames('removeTenant', options, { pool: true, schema: true, tenant: true });
  await asOwner(options, options.tenant, async (client, builder) => {
    const number = await findTenant(rowsOn(client), builder);
    // The end of the feed is the first, so that nobody else writes.
    await inOwnTransaction(client, async () => {
      for (const name of tenantTables)
        await run(client, builder, sql`delete from ${builder.table(name)} where tenant = ${number}`);
      // Its row stays, so that its number does not come again.
      await run(
        client,
        builder,
        sql`update ${builder.table('tenants')} set name = null where tenant = ${number}`,
      );
    });
  });
};

/**
 * The names of all tenants of a schema, in their order. Without tables, there are none.
 *
 * @example
 * for (const tenant of await listTenants({ pool })) console.log(tenant);
 */
export const listTenants = async (
  options: Pick<TenantOptions, 'pool' | 'schema'>,
): Promise<readonly string[]> => {
  checkOptionNames('listTenants', options, { pool: true, schema: true });
  return asOwner(options, firstTenant, async (client, builder) => {
    if (!(await hasTables(rowsOn(client), builder))) return [];
    const { rows } = await run(
      client,
      builder,
      sql`select name from ${builder.table('tenants')} where name is not null order by name`,
    );
    return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
  });
};
