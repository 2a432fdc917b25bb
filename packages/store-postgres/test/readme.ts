import { createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import pg from 'pg';

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  pipeline: true,
  // A server that is gone without a word is noticed.
  connectionTimeoutMillis: 10_000,
  query_timeout: 15_000,
  keepAlive: true,
});
// A connection that breaks while nobody uses it is replaced. Without a listener, it would end the process.
pool.on('error', (cause) => console.error(cause));

const store = openPostgresStore({ pool });
// Creates or migrates the tables. A transaction of yours cannot do it.
await store.migrate();

export const records = createClinicalRecords({
  store,
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
