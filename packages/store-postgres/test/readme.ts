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

export const records = createClinicalRecords({
  store: openPostgresStore({ pool }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
