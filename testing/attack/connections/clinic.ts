import { mkdirSync } from 'node:fs';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';

export const patient = 'patient-1';

const resources = 300;

/** Fills a file with one patient and immunizations of this many bytes each, which make the largest pages. */
export const fillClinic = async (folder: string, filename: string, bytes: number): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const store = openSqliteStore({ filename });
  const records = createClinicalRecords({
    ...{ store, extensionBase: 'https://clinical-records.example/extensions', careTeamRoles: [] },
  });
  await records.directory.put('Patient', { id: patient, lastName: 'Shaw', firstName: 'Amy' });
  const handler = createHttpHandler(records, {
    authenticate: () => ({ subject: 'Practitioner/1', scopes: ['user/*.*'] }),
  });
  const body = JSON.stringify({
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
    patient: { reference: `Patient/${patient}` },
    occurrenceDateTime: '2001',
    primarySource: false,
    note: [{ text: 'x'.repeat(bytes) }],
  });
  for (let at = 0; at < resources; at += 1) {
    const { status } = await handler({
      ...{ method: 'POST', url: '/Immunization', body },
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    });
    if (status !== 201) throw new Error(`An immunization was answered with ${status}.`);
  }
  await store.close();
};
