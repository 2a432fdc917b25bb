import { ClinicalRecordsError, createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHostResources } from '../serve/host-resources.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';

test('a search finds people with the names that they have now, within the chart of a patient', async () => {
  const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles });
  const { searches = {} } = createHostResources(records, { hasDemo: false, usCore: true });
  const page = { count: 10, offset: 0, within: undefined };
  const find = async (name: string, limit = {}) => {
    const { total, resources } =
      (await searches.Patient?.find([['name', name]], { ...page, ...limit })) ?? {};
    return [total, resources?.map(({ id }) => id)];
  };
  await records.directory.put('Patient', { id: '1', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Patient', { id: '2', lastName: 'Shaw', firstName: 'Ben' });
  expect(await find('shaw')).toEqual([2, ['1', '2']]);
  await records.directory.put('Patient', { id: '1', lastName: 'Lane', firstName: 'Amy' });
  expect(await find('shaw')).toEqual([1, ['2']]);
  expect(await find('a', { within: ['2'] })).toEqual([0, []]);
  await expect(find('-')).rejects.toThrow(ClinicalRecordsError);
  expect(await searches.Patient?.find([], { ...page, count: 1, offset: 1 })).toMatchObject({
    total: 2,
    resources: [{ resourceType: 'Patient', id: '2', gender: 'unknown' }],
  });
});
