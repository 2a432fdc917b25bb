import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test, vi } from 'vitest';
import { openWithoutConditions, useTypes } from './your-types.ts';

test('the records of the page create an allergy, and search conditions', async () => {
  const show = vi.fn();
  await useTypes(createMemoryStore(), show);
  expect(show).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ resourceType: 'AllergyIntolerance' }),
    0,
  );
});

test('records that do not serve conditions any more', () => {
  const options = {
    store: createMemoryStore(),
    extensionBase: 'https://acme.example/fhir',
    careTeamRoles: [],
  };
  const records = openWithoutConditions(options);
  expect(records).toHaveProperty('allergies');
  expect(records).not.toHaveProperty('conditions');
});
