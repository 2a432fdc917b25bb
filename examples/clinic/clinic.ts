import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';

/** The handle of the host's database, and the charts on it. */
export type Clinic = { readonly database: Database.Database; readonly records: ClinicalRecords };

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

const connect = (filename: string): Clinic => {
  const database = new Database(filename);
  // Readers do not wait for a writer, and every commit is on the disk.
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE IF NOT EXISTS appointments (
      id INTEGER PRIMARY KEY, patient_id TEXT NOT NULL, time TEXT NOT NULL, reason TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS blood_draws (
      time TEXT PRIMARY KEY, -- there is one chair
      appointment INTEGER NOT NULL REFERENCES appointments, service_request TEXT NOT NULL
    );
  `);
  const records = createClinicalRecords({
    store: openSqliteStore({ database, prefix: 'clinical_' }),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [cardiologist],
  });
  return { database, records };
};

/** Two doctors and a patient. Putting them again changes nothing. */
const seed = async ({ directory, careTeams }: ClinicalRecords): Promise<void> => {
  await directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  await directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  await directory.put('Practitioner', { id: '13', lastName: 'Gray', firstName: 'Bob' });
  await careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', { role: cardiologist });
};

export const openClinic = async (filename: string): Promise<Clinic> => {
  const clinic = connect(filename);
  await seed(clinic.records);
  return clinic;
};
