import type pg from 'pg';
import { afterAll, expect } from 'vitest';
import {
  createTenant,
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '../../src/index.ts';
import { tenantTables } from '../../src/tables/migrations.ts';

type Tables = { readonly schema: string; readonly distributed: boolean };

/**
 * How many rows each tenant has in a table, and which transaction wrote the last of them. Citus does not say that, so there it
 * is a digest of all of them, which takes as long as the tests when there are many.
 */
const rowsOf = ({ schema, distributed }: Tables, table: string): string => {
  const written = distributed ? `sum(hashtext(${table}::text))` : 'max(xmin::text::bigint)';
  return `select tenant::text, '${table} ' || count(*) || ' ' || ${written} as rows
    from ${schema}.${table} where $1::integer[] is null or tenant = any($1::integer[]) group by tenant`;
};

type TenantRows = readonly (readonly [tenant: string, rows: string])[];

/**
 * Opens stores of empty tenants of the same tables, each beside those of all tests before, which have records of the same names.
 * Expects at last that nothing of a tenant was changed after `remove`.
 */
export const createClinics = (
  pool: pg.Pool,
  options: Omit<PostgresStoreOptions, 'pool' | 'tenant'> = {},
  owners = pool,
) => {
  const { schema = 'clinical_records', distributed = false } = options;
  const readTables = async (tenants: readonly string[] | null = null): Promise<TenantRows> => {
    const { rows } = await owners.query(
      tenantTables.map((table) => rowsOf({ schema, distributed }, table)).join(' union all '),
      [tenants],
    );
    return rows.map(({ tenant, rows }) => [tenant, rows] as const);
  };
  const used = new Set<string>();
  let migration: Promise<void> | null = null;
  const removed: TenantRows[] = [];
  let count = 0;

  afterAll(async () => {
    const now = (await readTables()).filter(([tenant]) => !used.has(tenant));
    expect(now.sort()).toEqual(removed.flat().sort());
  });

  const migrate = async () => {
    await openPostgresStore({ ...options, pool: owners }).migrate();
    removed.push(await readTables());
  };

  return {
    open: async (): Promise<PostgresStore> => {
      migration ??= migrate();
      await migration;
      // Their numbers follow that of the first.
      const tenant = `clinic-${++count}`;
      await createTenant({ pool: owners, schema, tenant });
      used.add(`${count}`);
      return openPostgresStore({ pool, tenant, ...options });
    },
    remove: async (): Promise<void> => {
      removed.push(await readTables([...used]));
      used.clear();
    },
  };
};
