import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { createHttpHandler, type HttpHandler } from '../../src/index.ts';

const snomed = (code: string, display: string) => ({ system: 'http://snomed.info/sct', code, display });
const cardiologist = snomed('17561000', 'Cardiologist');

const cholesterol = { system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' } as const;
const hemoglobin = { system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' } as const;
const chestXray = { system: 'http://loinc.org', code: '36643-5', display: 'XR Chest 2 Views' } as const;

/** The content of the chart of patient 7 before the first request. */
const fillChart = async ({ directory, chart, careTeams }: ClinicalRecords): Promise<void> => {
  await directory.put('Patient', {
    id: '7',
    lastName: 'Shaw',
    firstName: 'Amy',
    gender: 'female',
    birthDate: '1958-04-12',
    identifier: [{ system: 'https://clinic.example/records', value: 'R-1007' }],
  });
  await directory.put('Patient', { id: '8', lastName: 'Okoro', firstName: 'Ben' });
  await directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  await directory.put('Practitioner', { id: '13', lastName: 'Gray', firstName: 'Bob' });
  await directory.put('Organization', { id: '31', name: 'Home Care Ltd' });
  await directory.put('Encounter', { id: 'visit-1', patientId: '7' });
  await careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', { role: cardiologist });

  const by = { by: 'Practitioner/12' } as const;
  for (const code of [cholesterol, hemoglobin]) {
    await chart.record({ kind: 'labOrder', patientId: '7', code: { coding: [code] } }, by);
  }
  await chart.stage({ kind: 'imagingOrder', patientId: '7', code: { coding: [chestXray] } });
  const goal = { kind: 'goal', patientId: '7', description: 'Walk 5 km a day' } as const;
  await chart.record({ ...goal, dueDate: '2026-06-01', progress: 'Walks 2 km.' }, by);
};

/** A clinic in which every id and every time is the same in each run. */
export const openClinic = async (): Promise<HttpHandler> => {
  let ids = 0;
  let now = Date.parse('2026-03-01T08:00:00Z');
  const records = createClinicalRecords({
    store: createMemoryStore(),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [cardiologist, snomed('224535009', 'Registered nurse')],
    clock: () => {
      now += 60_000;
      return new Date(now);
    },
    newId: () => {
      ids += 1;
      return `6b1f0c9e-6f0f-4a4b-9d52-${String(ids).padStart(12, '0')}`;
    },
  });
  await fillChart(records);
  return createHttpHandler(records, {
    basePath: '/fhir',
    chartCommands: true,
    corrections: true,
    authenticate: (token) => {
      if (token === 'doctor')
        return { subject: 'Practitioner/12', scopes: ['user/*.*', 'user/Correction.cr'] };
      return token === 'reader' ? { subject: 'Person/reader', scopes: ['user/*.read'] } : null;
    },
  });
};
