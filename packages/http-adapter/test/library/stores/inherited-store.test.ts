import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createRecords } from '../../clinic.ts';

test('a store can inherit its functions, as an object of a class does', async () => {
  const store = Object.create(createMemoryStore()) as ClinicalStore;
  const { directory, careTeams } = createRecords(store);
  await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  expect(await careTeams.read('amy')).toMatchObject({ id: 'amy' });
  expect(await careTeams.search({ patient: 'amy' })).toMatchObject({ total: 1 });
});
