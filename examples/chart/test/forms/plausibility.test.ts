import { expect, test } from 'vitest';
import { doseDoubts, givenDoubts, goalDoubts } from '../../src/model/immunization/plausibility.ts';
import type { Immunization, Patient } from '../../src/model/resources.ts';

const patient: Patient = { resourceType: 'Patient', id: '7', birthDate: '1961-08-23' };
const today = '2026-11-28';

test.each([
  [{ startDate: '', dueDate: '' }, []],
  [{ startDate: '2026-11-01', dueDate: '2026-12-01' }, []],
  [{ startDate: '2026-12-24', dueDate: '2026-12' }, []],
  [
    { startDate: '2027-02-01', dueDate: '2026-12-31' },
    ['The goal is due on 31 Dec 2026, before it starts on 1 Feb 2027.'],
  ],
  [{ startDate: '1960', dueDate: '' }, ['The start 1960 is before the birth of the patient, 23 Aug 1961.']],
  [{ startDate: '', dueDate: '2026-10' }, ['The due date Oct 2026 has passed already.']],
  [{ startDate: '', dueDate: '2026-11-28' }, []],
])('a goal with %j raises the doubts %j', (goal, doubts) => {
  expect(goalDoubts(goal, patient, today)).toEqual(doubts);
});

const dose = (code: string, occurrenceDateTime: string, status: Immunization['status'] = 'completed') =>
  ({ vaccineCode: { coding: [{ code }] }, occurrenceDateTime, status }) as unknown as Immunization;

test.each([
  [dose('115', '2019-05-14'), []],
  [dose('115', '1961'), []],
  [dose('115', '1961-07'), ['The date Jul 1961 is before the birth of the patient, 23 Aug 1961.']],
  [dose('115', '2027'), ['2027 has not come yet.']],
  [dose('115', '2020-01-01'), ['The chart has this vaccine on 1 Jan 2020 already.']],
  [dose('03', '2020-01-01'), []],
  [dose('115', '2021-01-01'), []],
])('the dose %j raises the doubts %j', (one, doubts) => {
  const recorded = [dose('115', '2020-01-01'), dose('115', '2021-01-01', 'entered-in-error')];
  expect(doseDoubts(one, patient, { recorded, today })).toEqual(doubts);
});

test('nothing is given and no goal begins after the death', () => {
  const died = { ...patient, deceasedDateTime: '2020-03-01T10:00:00Z' };
  expect(doseDoubts(dose('115', '2020-03-01'), died, { recorded: [], today })).toEqual([]);
  expect(doseDoubts(dose('115', '2020-03-02'), died, { recorded: [], today })).toEqual([
    'The date 2 Mar 2020 is after the death of the patient, 1 Mar 2020.',
  ]);
  expect(goalDoubts({ startDate: '2021', dueDate: '' }, died, today)).toHaveLength(1);
});

test('a dose that was given here is asked about if its lot number is missing', () => {
  expect(givenDoubts({ lotNumber: ' ' })).toEqual([
    'The lot number is missing. Without it, a recall does not find this dose.',
  ]);
  expect(givenDoubts({ lotNumber: 'AB-123' })).toEqual([]);
});
