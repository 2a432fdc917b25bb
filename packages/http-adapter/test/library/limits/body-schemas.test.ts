import type { StandardSchema } from '@clinical-records/core/adapter';
import { buildDose, buildTeam, createTestRecords } from '@clinical-records/core/testing';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';

const { bodies } = createTestRecords({ store: createMemoryStore() }).records;

const validate = (schema: StandardSchema<unknown>, value: unknown) => schema['~standard'].validate(value);

test('a body that a write takes is valid', () => {
  const dose = buildDose();
  expect(validate(bodies.Immunization.create, dose)).toEqual({ value: dose });
  const team = buildTeam('7', ['Practitioner/12']);
  expect(validate(bodies.CareTeam.update, team)).toEqual({ value: team });
});

test('there is a schema for each write of a body, and for no other', () => {
  const writes = Object.entries(bodies).map(([type, schemas]) => [type, Object.keys(schemas)]);
  expect(Object.fromEntries(writes)).toEqual({
    ...{ ServiceRequest: [], Goal: [] },
    ...{ CareTeam: ['update'], Immunization: ['create', 'update'] },
  });
});

test('each issue of a body has the message and the path of its element', () => {
  const team = { id: '7', participant: [{ member: { reference: 'Practitioner/12' } }] };
  expect(validate(bodies.CareTeam.update, team)).toEqual({
    issues: [{ message: 'A required element is missing.', path: ['participant', 0, 'role'] }],
  });
  expect(validate(bodies.Immunization.create, null)).toMatchObject({ issues: [{ path: [] }] });
});

test('an element that is not stored is left out of the value', () => {
  expect(validate(bodies.Immunization.create, { ...buildDose(), language: 'en' })).toEqual({
    value: buildDose(),
  });
});

test('a library that takes Standard Schemas takes them, such as the one that runs this test', () => {
  expect(buildDose()).toEqual(expect.schemaMatching(bodies.Immunization.create));
  expect(buildTeam('7', [])).not.toEqual(expect.schemaMatching(bodies.Immunization.create));
});
