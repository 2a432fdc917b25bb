import { auditTableSql, migrationSql } from '@clinical-records/store-postgres';
import type pg from 'pg';

const schema = 'clinical_records';

/**
 * The tables of a store and of its audit log with all rows, as SQL that a superuser runs on an empty database. The statements that
 * create the tables are those of this version of the library.
 */
export const dumpPostgres = async (pool: pg.Pool): Promise<string> => {
  const { rows: tables } = await pool.query(
    'select tablename as name from pg_tables where schemaname = $1 order by 1',
    [schema],
  );
  const rowsOf = async ({ name }: { readonly name: string }): Promise<string> => {
    const table = `${schema}.${name}`;
    const { rows } = await pool.query(`select to_json(t)::text as row from ${table} as t order by 1`);
    const insert = `insert into ${table}\n  select (json_populate_record(null::${table}, row::json)).* from (values\n`;
    return [
      `delete from ${table};`,
      ...(rows.length === 0
        ? []
        : [`${insert}${rows.map(({ row }) => `  ($json$${row}$json$)`).join(',\n')}\n  ) as rows (row);`]),
    ].join('\n');
  };
  const filled = await Promise.all(tables.map(rowsOf));
  return [
    migrationSql(),
    auditTableSql(),
    '-- Without the triggers, which would refuse or repeat what is here.',
    'set session_replication_role = replica;',
    ...filled,
    'set session_replication_role = origin;\n',
  ].join('\n');
};
