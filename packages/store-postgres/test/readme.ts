import { createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import pg from 'pg';

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, pipeline: true });

export const records = createClinicalRecords({
  store: openPostgresStore({ pool }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
