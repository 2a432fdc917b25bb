import { createClinicalRecords } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { newDatabase, openPool } from './databases.ts';

test('of creates on two stores at the same moment, each only if no immunization has the identifier, one creates it', async () => {
  const url = await newDatabase();
  const open = () => {
    const store = openPostgresStore({ pool: openPool(url, { max: 4 }) });
    return createClinicalRecords({
      store,
      extensionBase: 'https://clinic.example/fhir/extensions',
      careTeamRoles: [],
    });
  };
  const [first, second] = [open(), open()];
  await first.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  for (const value of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) {
    const body = {
      status: 'completed',
      vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
      patient: { reference: 'Patient/amy' },
      occurrenceDateTime: '2025-10-01',
      primarySource: false,
      identifier: [{ system: 'urn:x:registry', value }],
    } as const;
    const ifNoneExist = `identifier=urn:x:registry|${value}`;
    const creates = [first, second, first, second].map(({ immunizations }) =>
      immunizations.create(body, { ifNoneExist }),
    );
    const created = await Promise.all(creates);
    const found = await second.immunizations.search({ identifier: `urn:x:registry|${value}` });
    expect(found.total).toBe(1);
    expect(new Set(created.map(({ id }) => id))).toEqual(
      new Set(found.entry?.map(({ resource }) => resource.id)),
    );
  }
});
