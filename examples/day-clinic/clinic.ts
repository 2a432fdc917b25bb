import { DatabaseSync } from 'node:sqlite';
import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import pg from 'pg';

type Rows = readonly Readonly<Record<string, string>>[];
/** Runs a statement with the values of `$1`, `$2` and so on. On SQLite it has run when the function returns. */
type Sql = (text: string, ...values: readonly string[]) => Rows | Promise<Rows>;
/** The host's own tables and the charts, in one database. `sqlOn` runs statements on the connection of a transaction. */
export type Clinic = { records: ClinicalRecords; sql: Sql; sqlOn: (connection: unknown) => Sql };

const openPostgres = async (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, pipeline: true });
  pool.on('error', console.error); // of an idle connection, which the pool then replaces
  const sqlOn = (client: unknown): Sql => {
    return async (text, ...values) => (await (client as pg.ClientBase).query(text, [...values])).rows;
  };
  const store = openPostgresStore({ pool });
  await store.migrate();
  return { store, sql: sqlOn(pool), sqlOn };
};

const openSqlite = (filename: string) => {
  const database = new DatabaseSync(filename);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const sql: Sql = (text, ...values) => {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return database.prepare(text).all(named) as Rows;
  };
  return { store: openSqliteStore({ database, prefix: 'chart_' }), sql, sqlOn: () => sql };
};

/** Opens the PostgreSQL of a URL, or a SQLite file. */
export const openClinic = async (at: string): Promise<Clinic> => {
  const { store, ...own } = at.startsWith('postgres:') ? await openPostgres(at) : openSqlite(at);
  const extensionBase = 'https://clinic.example/fhir/extensions';
  return { records: createClinicalRecords<unknown>({ store, extensionBase, careTeamRoles: [] }), ...own };
};
