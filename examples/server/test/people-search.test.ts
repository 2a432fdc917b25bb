import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHostResources } from '../host-resources.ts';
import { matchesName } from '../people/match-name.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';

test.each([
  ['ber', true],
  ['BERG nil', true],
  ['Bergström', true],
  ['bergstrom, nobody', true],
  ['ström', false],
  ['nils x', false],
])('"Bergström Nils" is found by %s: %s', (searched, isFound) => {
  expect(matchesName('Bergström Nils', searched)).toBe(isFound);
});

test('a name in any script is found', () => {
  expect(matchesName('الزهراني فاطمة', 'فاطمة')).toBe(true);
  expect(matchesName('الزهراني فاطمة', 'ليلى')).toBe(false);
});

test('a search finds people with the names that they have now, within the chart of a patient', async () => {
  const store = createMemoryStore();
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const { searches = {} } = createHostResources(records, store, { hasDemo: false, usCore: false });
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
  expect(await searches.Patient?.find([], { ...page, count: 1, offset: 1 })).toMatchObject({
    total: 2,
    resources: [{ resourceType: 'Patient', id: '2' }],
  });
});
