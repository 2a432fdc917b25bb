import type pg from 'pg';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '../src/index.ts';

const tables = ['records', 'versions', 'searchable', 'entries', 'dates', 'terms', 'counts'];

/** Deletes all rows. To truncate the tables would cost ten times as much, and their plans. */
const clearTables = (schema: string): string =>
  [
    ...tables.map((table) => `delete from ${schema}.${table}`),
    `update ${schema}.head set position = 0, digest = '', fence = fence + 1`,
  ].join(';');

/** Opens stores in schemas that are empty, and used again after `remove`, which is faster than to create them. */
export const createClinics = (pool: pg.Pool, options: Omit<PostgresStoreOptions, 'pool' | 'schema'> = {}) => {
  const used: string[] = [];
  const free: string[] = [];
  let count = 0;
  return {
    open: (): PostgresStore => {
      const schema = free.pop() ?? `clinic_${++count}`;
      used.push(schema);
      return openPostgresStore({ pool, schema, ...options });
    },
    remove: async (): Promise<void> => {
      for (const schema of used.splice(0)) {
        const { rows } = await pool.query(`select to_regclass('${schema}.head') is not null as exists`);
        if (rows[0].exists) await pool.query(clearTables(schema));
        free.push(schema);
      }
    },
  };
};
