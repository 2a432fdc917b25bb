import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHostResources } from '../serve/host-resources.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';

test('a search finds people with the names that they have now, by all parameters of the page, within the chart of a patient', async () => {
  const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles });
  const find = async (query: string, patient?: string) => {
    const handler = createHttpHandler(records, {
      authenticate: () => ({
        subject: 'Person/x',
        ...(patient === undefined ? { scopes: 'user/*.rs' } : { scopes: 'patient/*.rs', patient }),
      }),
      hostResources: createHostResources(records, { hasDemo: false, usCore: true }),
    });
    const headers = { authorization: 'Bearer x' };
    const { status, body } = await handler({ method: 'GET', url: `/Patient?${query}`, headers });
    const { total, entry = [] } = JSON.parse(body);
    return [status, total, entry.map(({ resource }: { resource: { id: string } }) => resource)];
  };
  const ids = async (...asked: Parameters<typeof find>) => {
    const [, total, resources] = await find(...asked);
    return [total, resources.map(({ id }: { id: string }) => id)];
  };
  const { directory } = records;
  await directory.put('Patient', { id: '1', lastName: 'Shaw', firstName: 'Amy', birthDate: '1990-01-01' });
  await directory.put('Patient', { id: '2', lastName: 'Shaw', firstName: 'Ben', gender: 'male' });
  expect(await ids('name=shaw')).toEqual([2, ['1', '2']]);
  await directory.put('Patient', { id: '1', lastName: 'Lane', firstName: 'Amy', birthDate: '1990-01-01' });
  expect(await ids('name=shaw')).toEqual([1, ['2']]);
  expect(await ids('name=a', '2')).toEqual([0, []]);
  expect((await find('name=-'))[0]).toBe(400);
  expect(await ids('gender:not=male')).toEqual([1, ['1']]);
  expect(await ids('birthdate:missing=true')).toEqual([1, ['2']]);
  expect(await ids('_sort=-_id')).toEqual([2, ['2', '1']]);
  const [, , [second]] = await find('_count=1&_offset=1');
  expect(second).toMatchObject({ resourceType: 'Patient', id: '2', gender: 'male' });
  const [, , [first]] = await find('_id=1');
  // An element that US Core requires, and the directory does not have.
  expect(first).toMatchObject({ id: '1', gender: 'unknown' });
});
