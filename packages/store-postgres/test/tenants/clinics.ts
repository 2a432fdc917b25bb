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
    from ${schema}.${table} group by tenant`;
};

/** After so many tests, the tables are compared with those before. To read them takes longer than most tests. */
const comparedTests = 25;

/**
 * Opens stores of empty tenants of the same tables, each beside those of all tests before, which have records of the same names.
 * Expects that nothing of tenants of earlier tests is changed.
 */
export const createClinics = (
  pool: pg.Pool,
  options: Omit<PostgresStoreOptions, 'pool' | 'tenant'> = {},
  owners = pool,
) => {
  const { schema = 'clinical_records', distributed = false } = options;
  const readTables = async (): Promise<readonly (readonly [tenant: string, rows: string])[]> => {
    const { rows } = await owners.query(
      tenantTables.map((table) => rowsOf({ schema, distributed }, table)).join(' union all '),
    );
    return rows.map(({ tenant, rows }) => [tenant, rows] as const).sort();
  };
  const used = new Set<string>();
  let before: ReturnType<typeof readTables> | null = null;
  let count = 0;

  const compare = async () => {
    const after = await readTables();
    const ofOthers = (found: typeof after) => found.filter(([tenant]) => !used.has(tenant));
    expect(ofOthers(after)).toEqual(ofOthers((await before) ?? []));
    used.clear();
    before = Promise.resolve(after);
  };

  afterAll(compare);

  const migrate = async () => {
    await openPostgresStore({ ...options, pool: owners }).migrate();
    return readTables();
  };

  return {
    open: async (): Promise<PostgresStore> => {
      before ??= migrate();
      await before;
      // Their numbers follow that of the first.
      const tenant = `clinic-${++count}`;
      await createTenant({ pool: owners, schema, tenant });
      used.add(`${count}`);
      return openPostgresStore({ pool, tenant, ...options });
    },
    remove: async (): Promise<void> => {
      if (used.size >= comparedTests) await compare();
    },
  };
};
