import { afterEach, beforeEach, expect, test } from 'vitest';
import { follow } from '../follow.ts';
import { type Clinic, openClinic } from './clinic.ts';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic();
});

afterEach(() => clinic.close());

test('the lines of a record that is erased are removed, and a new timeline has none of them', async () => {
  const { records, timeline, timelineLines } = clinic;
  await clinic.addGoals(2);
  await follow(records, timeline);
  expect(timelineLines()).toHaveLength(3);
  const [erased = '', kept = ''] = timelineLines()
    .filter((line) => line.startsWith('Goal/'))
    .map((line) => line.slice('Goal/'.length, -' 1'.length));
  const why = { by: 'Practitioner/12', reason: 'The patient demands it.' } as const;
  await records.corrections.erase({ resourceType: 'Goal', resourceId: erased, ...why });

  await follow(records, timeline);
  expect(timelineLines()).toEqual(['CareTeam/7 1', `Goal/${kept} 1`]);
  const position = timeline.position();
  await follow(records, timeline);
  expect(timeline.position()).toBe(position);

  const again = clinic.newTimeline();
  await follow(records, again.timeline);
  expect(again.lines()).toEqual(timelineLines());
});
