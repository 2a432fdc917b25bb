import {
  type ClinicalRecordsOptions,
  createClinicalRecords,
  extensionOf,
  withExtension,
} from '@clinical-records/core';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { newPool } from '../tenants/databases.ts';

const consent = { url: 'https://acme.example/consent', on: 'Immunization', value: 'boolean' } as const;
const reviewed = {
  url: 'https://acme.example/reviewed',
  on: 'Immunization.vaccineCode',
  value: 'date',
} as const;

test('fields of a host are stored, and found once the records are indexed by them', async () => {
  const store = openPostgresStore({ pool: await newPool({ max: 4 }) });
  const open = (extensions: NonNullable<ClinicalRecordsOptions['extensions']>) =>
    createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [], extensions });
  const before = open({ [consent.url]: consent, [reviewed.url]: reviewed });
  await before.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const body = {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: 'Patient/amy' },
    occurrenceDateTime: '2025-10-01',
    primarySource: false,
  } as const;
  const yes = withExtension(withExtension(body, consent, true), reviewed, '2026-03-01');
  const { id } = await before.immunizations.create(yes);
  await before.immunizations.create(withExtension(body, consent, false));

  const records = open({
    [consent.url]: { ...consent, search: 'acme-consent' },
    [reviewed.url]: { ...reviewed, search: 'acme-reviewed' },
  });
  const find = async (name: string, value: string) => {
    const { entry = [] } = await records.immunizations.search([
      ['patient', 'amy'],
      [name, value],
    ]);
    return entry.map(({ resource }) => [resource.id, extensionOf(resource, consent)]);
  };
  await expect(find('acme-consent', 'true')).rejects.toMatchObject({ issues: [{ rule: 'outdated-index' }] });
  await records.reindex();
  expect(await find('acme-consent', 'true')).toEqual([[id, true]]);
  expect(await find('acme-reviewed', 'ge2026-02')).toEqual([[id, true]]);
  expect(await find('acme-reviewed', 'lt2026-02')).toEqual([]);
  const { discrepancies, miscounted } = await records.verify();
  expect([discrepancies, miscounted]).toEqual([[], []]);
});
