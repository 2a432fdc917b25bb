import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { goal } from '../builders.ts';
import { openClinic } from '../clinic.ts';
import { mergeAmy, moveGoal } from './corrections.ts';

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
