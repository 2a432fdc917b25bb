import { randomUUID, scryptSync } from 'node:crypto';
import type { Clinic } from './clinic.ts';

/** Creates the host's own tables, with a doctor and a patient in each of two departments. */
export const seed = async ({ sql, records: { directory } }: Clinic): Promise<void> => {
  await sql('CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, department TEXT, salt TEXT, hash TEXT)');
  await sql('CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, user_id TEXT REFERENCES users)');
  await sql('CREATE TABLE IF NOT EXISTS patients (id TEXT PRIMARY KEY, department TEXT)');
  await sql('CREATE TABLE IF NOT EXISTS visits (room TEXT PRIMARY KEY, patient_id TEXT, dose_id TEXT)');
  for (const [doctor, patient, department] of [
    ['ada', 'amy', 'travel'],
    ['bob', 'tom', 'children'],
  ] as const) {
    const salt = randomUUID();
    const hash = scryptSync(`${doctor}-secret`, salt, 32).toString('hex');
    await sql(
      'INSERT INTO users VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
      doctor,
      department,
      salt,
      hash,
    );
    await sql('INSERT INTO patients VALUES ($1, $2) ON CONFLICT DO NOTHING', patient, department);
    await directory.put('Practitioner', { id: doctor, lastName: 'Doctor', firstName: doctor });
    await directory.put('Patient', { id: patient, lastName: 'Patient', firstName: patient });
  }
};
