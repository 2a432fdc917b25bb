import { createClinicalRecords, type Verification } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../src/index.ts';

const role = (code: string) => ({ system: 'https://clinic.example/roles', code, display: `Role ${code}` });
const careTeamRoles = ['ada', 'bob'].map(role);

export const openRecords = (options: Parameters<typeof openSqliteStore>[0]) => {
  const store = openSqliteStore(options);
  const extensionBase = 'https://clinic.example/fhir';
  return { store, records: createClinicalRecords({ store, extensionBase, careTeamRoles }) };
};

/** A clinic in which every table has rows, and several records a past. Its newest version is that of a record by itself. */
export const fillClinicFile = async (filename: string): Promise<Verification> => {
  const { store, records } = openRecords({ filename });
  const { directory, careTeams, chart, immunizations } = records;
  await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  await directory.put('Practitioner', { id: 'bob', lastName: 'Gray', firstName: 'Bob' });
  await directory.put('Encounter', { id: 'visit', patientId: 'amy' });
  const member = (id: string) => ({
    member: { reference: `Practitioner/${id}` as const },
    role: [{ coding: [role(id)] }],
  });
  await careTeams.update('amy', { id: 'amy', participant: [member('ada'), member('bob')] });
  await careTeams.update('amy', { id: 'amy', participant: [member('ada')] });
  await chart.record(
    { kind: 'goal', id: 'walk', patientId: 'amy', description: 'Walk' },
    { by: 'Practitioner/ada' },
  );
  await chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'A mile' }, { by: 'Practitioner/bob' });
  const statement = {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    note: [{ text: 'In the left arm' }],
    patient: { reference: 'Patient/amy' },
    occurrenceDateTime: '2025-10-01',
    primarySource: false,
  } as const;
  const encounter = { reference: 'Encounter/visit' } as const;
  await immunizations.create({ ...statement, encounter }, { by: 'Practitioner/ada' });
  await immunizations.create(statement, { by: 'Practitioner/bob' });
  const code = { coding: [{ system: 'http://loinc.org' as const, code: '718-7' }] };
  await chart.record({ kind: 'labOrder', patientId: 'amy', code }, { by: 'Practitioner/ada' });
  await directory.put('Organization', { id: 'lab', name: 'Lab' });
  const verification = await records.verify();
  await store.close();
  return verification;
};

/** Whether anything is wrong with a file, by SQLite's own checks and by `verify`. */
export const isSound = async (filename: string, head?: string): Promise<boolean> => {
  const database = new Database(filename);
  const damages = database.pragma('integrity_check') as { integrity_check: string }[];
  const dangling = database.pragma('foreign_key_check') as unknown[];
  const { store, records } = openRecords({ database });
  const found = await records.verify({ head });
  await store.close();
  database.close();
  if (damages.some(({ integrity_check }) => integrity_check !== 'ok')) return false;
  const count = dangling.length + found.discrepancies.length + found.miscounted.length;
  return count === 0 && !found.isHeadMissing;
};
