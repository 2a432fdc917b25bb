import { checkCommit, deriveServiceRequest, type OrderRecord } from '@clinical-records/core/rules';
import { expect, test } from 'vitest';

const act = { at: 100, by: 'Practitioner/12' } as const;

const staged = {
  body: {
    kind: 'labOrder',
    code: { coding: [{ system: 'http://loinc.org', code: '2093-3' }] },
    authoredOn: '2026-03-01T09:30:00.000+00:00',
  },
  stagedAt: 100,
} as const;
const committed = { ...staged, committed: { ...act, order: 0 } };

const record = (command: OrderRecord['commands'][number]): OrderRecord => ({
  id: 'cholesterol',
  patientId: '7',
  commands: [command],
});

const status = (command: OrderRecord['commands'][number]) =>
  deriveServiceRequest('https://clinic.example/fhir/extensions')(record(command))?.status;

test('an order is a draft, then active, then completed', () => {
  expect(status(staged)).toBe('draft');
  expect(status(committed)).toBe('active');
  expect(status({ ...committed, completed: act })).toBe('completed');
  expect(status({ ...committed, enteredInError: act })).toBe('entered-in-error');
});

test('an order can be committed only once', () => {
  expect(checkCommit(record(staged), 0)).toEqual([]);
  expect(checkCommit(record(committed), 0).map(({ rule }) => rule)).toEqual(['not-staged']);
});

test('a command that does not exist cannot be committed', () => {
  expect(checkCommit(record(staged), 1).map(({ rule }) => rule)).toEqual(['not-staged']);
});
