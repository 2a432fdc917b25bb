import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import type pg from 'pg';

/** The clinics of a database. Each has its records in a schema of its own. */
export type Clinics = {
  /** Adds a clinic, unless it exists, and returns its records. */
  readonly add: (name: string) => Promise<ClinicalRecords>;
  /** The records of a clinic; null if there is no such clinic. */
  readonly find: (name: string) => Promise<ClinicalRecords | null>;
};

/** The name is a part of the schema's name. */
const isName = (text: string): boolean => /^[a-z][a-z0-9_]{0,39}$/.test(text);

/** Opens the clinics of a database. All of them share the pool. Other processes may add clinics meanwhile. */
export const openClinics = async (pool: pg.Pool): Promise<Clinics> => {
  // Not in the schema public, in which not every user may create tables.
  await pool.query(
    'create schema if not exists app; create table if not exists app.clinics (name text primary key)',
  );
  const opened = new Map<string, ClinicalRecords>();

  /** Opening costs no query. The first use of the records creates the schema and its tables, if they do not exist. */
  const open = (name: string): ClinicalRecords => {
    const records =
      opened.get(name) ??
      createClinicalRecords({
        store: openPostgresStore({ pool, schema: `clinic_${name}` }),
        extensionBase: 'https://clinic.example/fhir/extensions',
        careTeamRoles: [],
      });
    opened.set(name, records);
    return records;
  };

  return {
    add: async (name) => {
      if (!isName(name)) throw new Error('A clinic has a name of 1 to 40 of a-z, 0-9 and _.');
      await pool.query('insert into app.clinics (name) values ($1) on conflict do nothing', [name]);
      const records = open(name);
      await records.directory.read('Patient', 'none');
      return records;
    },
    find: async (name) => {
      if (opened.has(name)) return open(name);
      const found = await pool.query('select from app.clinics where name = $1', [name]);
      return found.rowCount === 0 ? null : open(name);
    },
  };
};
