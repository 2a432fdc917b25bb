import { checkOptionNames, orThrow } from '@clinical-records/core/store';
import { sql } from 'kysely';
import { attempt, errorCode, TablesError } from '../postgres-errors.ts';
import { defaultSchema, type PostgresStoreOptions, requirePool, requireSchema } from '../postgres-options.ts';
import type { PostgresClient } from '../postgres-pool.ts';
import { createQueryBuilder, firstTenant, type QueryBuilder, tenantOf } from '../statement.ts';
import { inOwnTransaction } from '../transaction.ts';
import { createExclusiveClient } from '../use-client.ts';
import { findTenant, notOwnerSentence, requireTenant, runSql } from './find-tenant.ts';
import { hasTables, migrate, rowsOn } from './migrate.ts';
import { insertTenant, tenantTables } from './migrations.ts';

/** Where a tenant is: the pool of an owner of the tables, and their schema. */
export type TenantOptions = Pick<PostgresStoreOptions, 'pool' | 'schema'> & {
  /** The name of the tenant: 1 to 64 letters, digits and hyphens. */
  readonly tenant: string;
};

/** Does work as the owner of the tables. Rejects with a `ClinicalRecordsError`. */
export const asOwner = async <A>(
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
      throw new TablesError(notOwnerSentence(schema));
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
        await runSql(
          rowsOn(client),
          builder,
          sql`lock table ${builder.table('tenants')} in share row exclusive mode`,
        );
        await runSql(rowsOn(client), builder, insertTenant(builder, sql`${options.tenant}`));
      });
    } catch (cause) {
      if (errorCode(cause) !== '23505') throw cause;
      throw new TablesError(`The schema ${builder.schema} has a tenant ${options.tenant} already.`);
    }
  });
};

/** Whether there is a tenant. */
export const isTenant = (options: TenantOptions): Promise<boolean> =>
  asOwner(options, options.tenant, async (client, builder) => {
    if (!(await hasTables(rowsOn(client), builder))) return false;
    const rows = await runSql(
      rowsOn(client),
      builder,
      sql`select from ${builder.table('tenants')} where name = ${options.tenant} and removed is null`,
    );
    return rows.length > 0;
  });

/**
 * Removes a tenant with all of its records, for good. Its open stores refuse all calls from then on. Its audit log stays, for
 * `openRemovedAuditStore`. Rejects with a `ClinicalRecordsError` if there is no such tenant.
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
        await runSql(
          rowsOn(client),
          builder,
          sql`delete from ${builder.table(name)} where tenant = ${number}`,
        );
      // Its row stays, so that its number does not come again, and its audit log is not that of another.
      await runSql(
        rowsOn(client),
        builder,
        sql`update ${builder.table('tenants')} set removed = now() where tenant = ${number}`,
      );
    });
  });
};

/**
 * Makes a tenant read-only, such as while it moves to another server, or lets it be written again. Once it returns, nothing is committed
 * for the tenant: a write is refused with `store-not-writable`, and the COMMIT of a transaction of the host that has written before
 * fails with SQLSTATE 40001. Reads go on. Rejects with a `ClinicalRecordsError` if there is no such tenant.
 *
 * @example
 * await setTenantReadOnly({ pool: ownersPool, tenant: 'clinic-7', isReadOnly: true });
 */
export const setTenantReadOnly = async ({
  isReadOnly,
  ...options
}: TenantOptions & { readonly isReadOnly: boolean }): Promise<void> => {
  checkOptionNames('setTenantReadOnly', options, { pool: true, schema: true, tenant: true });
  await asOwner(options, options.tenant, async (client, builder) => {
    const number = await findTenant(rowsOn(client), builder);
    // It waits for the commit that has locked the end of the feed.
    await runSql(
      rowsOn(client),
      builder,
      sql`update ${builder.table('head')} set read_only = ${isReadOnly} where tenant = ${number}`,
    );
  });
};

/** A tenant of a schema, and how large it is. */
export type TenantSummary = {
  readonly name: string;
  /** The number of all versions of its records, each of which takes some space. */
  readonly versions: number;
  /** The number of records with a resource. */
  readonly records: number;
  /** When its last version was written, in milliseconds since 1970; null if there is none. */
  readonly lastWrite: number | null;
  readonly isReadOnly: boolean;
};

/** The row of a tenant. PostgreSQL returns numbers of eight bytes as texts. */
type SummaryRow = Pick<TenantSummary, 'name' | 'isReadOnly'> &
  Readonly<Record<'versions' | 'records', string>> & { readonly lastWrite: string | null };

/**
 * All tenants of a schema, in the order of their names. Without tables, there are none. It looks up some rows for each, however large
 * they are.
 *
 * @example
 * for (const { name, versions } of await listTenants({ pool })) console.log(name, versions);
 */
export const listTenants = async (
  options: Pick<TenantOptions, 'pool' | 'schema'>,
): Promise<readonly TenantSummary[]> => {
  checkOptionNames('listTenants', options, { pool: true, schema: true });
  return asOwner(options, firstTenant, async (client, builder) => {
    if (!(await hasTables(rowsOn(client), builder))) return [];
    const { table } = builder;
    const rows = await runSql(
      rowsOn(client),
      builder,
      sql`select tenants.name, head.position::text as versions, head.read_only as "isReadOnly",
          (select coalesce(sum(readable), 0)::text from ${table('counts')} where tenant = tenants.tenant) as records,
          (select (extract(epoch from committed) * 1000)::bigint::text from ${table('versions')} as versions
            where versions.tenant = tenants.tenant and versions.position = head.position) as "lastWrite"
        from ${table('tenants')} as tenants join ${table('head')} as head on head.tenant = tenants.tenant
        where tenants.removed is null order by tenants.name`,
    );
    return (rows as readonly SummaryRow[]).map(({ name, versions, records, lastWrite, isReadOnly }) => ({
      name,
      versions: Number(versions),
      records: Number(records),
      lastWrite: lastWrite === null ? null : Number(lastWrite),
      isReadOnly,
    }));
  });
};

/** A tenant that has been removed. Several may have had the same name. */
export type RemovedTenant = {
  /** Its number, which no other tenant has. */
  readonly number: number;
  readonly name: string;
  /** When it was removed, in milliseconds since 1970. */
  readonly removed: number;
};

/**
 * The tenants of a schema that have been removed, in the order of their numbers.
 *
 * @example
 * for (const { number, name } of await listRemovedTenants({ pool })) console.log(number, name);
 */
export const listRemovedTenants = async (
  options: Pick<TenantOptions, 'pool' | 'schema'>,
): Promise<readonly RemovedTenant[]> => {
  checkOptionNames('listRemovedTenants', options, { pool: true, schema: true });
  return asOwner(options, firstTenant, async (client, builder) => {
    if (!(await hasTables(rowsOn(client), builder))) return [];
    const rows = await runSql(
      rowsOn(client),
      builder,
      sql`select tenant as number, name, (extract(epoch from removed) * 1000)::bigint::text as removed
        from ${builder.table('tenants')} where removed is not null order by tenant`,
    );
    return (rows as readonly (Omit<RemovedTenant, 'removed'> & { readonly removed: string })[]).map(
      ({ removed, ...tenant }) => ({ ...tenant, removed: Number(removed) }),
    );
  });
};
