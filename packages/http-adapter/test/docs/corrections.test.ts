import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { goal } from '../builders.ts';
import { openClinic } from '../clinic.ts';
import { moveGoal } from './corrections.ts';

test('the page of corrections moves a goal to the chart of another patient', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  const correction = await moveGoal(records);
  expect((await records.goals.read('walk')).subject.reference).toBe('Patient/ben');
  expect(await records.corrections.of({ resourceType: 'Patient', resourceId: 'amy' })).toEqual([correction]);
});
