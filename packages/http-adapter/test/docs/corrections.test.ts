import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { goal } from '../builders.ts';
import { openClinic } from '../clinic.ts';
import { eraseAmy, eraseUnchangedSince, mergeAmy, moveGoal } from './corrections.ts';

test('the page of corrections moves a goal to the chart of another patient', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  const correction = await moveGoal(records);
  expect((await records.goals.read('walk')).subject.reference).toBe('Patient/ben');
  expect(await records.corrections.of({ resourceType: 'Patient', resourceId: 'amy' })).toEqual([correction]);
});

test('the page of corrections merges a patient into another one', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  const correction = await mergeAmy(records);
  expect(correction.records).toContainEqual({ type: 'Goal', id: 'walk', version: 2 });
  expect((await records.goals.read('walk')).subject.reference).toBe('Patient/ben');
});

test('the page of corrections erases a patient', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  expect((await eraseAmy(records)).records).toContainEqual({ type: 'Goal', id: 'walk', version: 2 });
  await expect(async () => records.goals.read('walk')).rejects.toMatchObject({ tag: 'NotFound' });
});

test('the page of corrections erases the patients whose chart was last changed before a time', async () => {
  const { record, records, clock } = await openClinic(createMemoryStore());
  clock.at('2030-01-01T00:00:00Z');
  await record(goal({ patientId: 'ben' }));
  expect(await eraseUnchangedSince(records, '2029-01-01T00:00:00.000Z')).toEqual(['amy']);
  expect(await eraseUnchangedSince(records, '2029-01-01T00:00:00.000Z')).toEqual([]);
  expect(await records.directory.read('Patient', 'amy')).toBe(null);
  expect(await records.goals.read('walk')).toMatchObject({ subject: { reference: 'Patient/ben' } });
});
