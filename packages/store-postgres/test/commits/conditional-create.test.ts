import { createClinicalRecords } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const openTwo = async () => {
  const url = await newDatabase();
  const open = () =>
    createClinicalRecords({
      store: openPostgresStore({ pool: openPool(url, { max: 4 }) }),
      extensionBase: 'https://clinic.example/fhir/extensions',
      careTeamRoles: [],
    });
  const [first, second] = [open(), open()];
  await first.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  return { first, second };
};

const body = (value: string) =>
  ({
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: 'Patient/amy' },
    occurrenceDateTime: '2025-10-01',
    primarySource: false,
    identifier: [{ system: 'urn:x:registry', value }],
  }) as const;

test('of creates on two stores at the same moment, each only if no immunization has the identifier, one creates it', async () => {
  const { first, second } = await openTwo();
  for (const value of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) {
    const ifNoneExist = `identifier=urn:x:registry|${value}`;
    const creates = [first, second, first, second].map(({ immunizations }) =>
      immunizations.create(body(value), { ifNoneExist }),
    );
    const created = await Promise.all(creates);
    const found = await second.immunizations.search({ identifier: `urn:x:registry|${value}` });
    expect(found.total).toBe(1);
    expect(new Set(created.map(({ id }) => id))).toEqual(
      new Set(found.entry?.map(({ resource }) => resource.id)),
    );
  }
});

test('of imports on two stores and a create at the same moment, one records the immunization', async () => {
  const { first, second } = await openTwo();
  for (const value of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5']) {
    const imports = [first, second, first].map(({ importer }, index) =>
      importer.load([{ resourceType: 'Immunization', id: `${value}-${index}`, ...body(value) }]),
    );
    const create = second.immunizations.create(body(value), {
      ifNoneExist: `identifier=urn:x:registry|${value}`,
    });
    const reports = await Promise.all(imports);
    const { id } = await create;
    const found = await second.immunizations.search({ identifier: `urn:x:registry|${value}` });
    expect(found.entry?.map(({ resource }) => resource.id)).toEqual([id]);
    const imported = reports.map((report) => report.imported.Immunization ?? 0);
    expect(imported.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
    expect(reports.every(({ issues }) => issues.length === 0)).toBe(true);
  }
});
