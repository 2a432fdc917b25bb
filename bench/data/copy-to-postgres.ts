import { createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { Client, Pool } from 'pg';
import { extensionBase } from './clinic.ts';

/** Copies the clinic of a file of ours to an empty database. */
export const copyToPostgres = async (filename: string, url: string): Promise<void> => {
  const source = openSqliteStore({ filename });
  const pool = new Pool({ connectionString: url, pipeline: true });
  const target = openPostgresStore({ pool });
  await createClinicalRecords({ store: source, extensionBase, careTeamRoles: [] }).copyTo(target);
  await target.close();
  await pool.end();
  await source.close();
};

/** Does at once what PostgreSQL would do some time after many rows were written. */
export const settlePostgres = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
};
