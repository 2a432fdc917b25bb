import { expect, test } from 'vitest';
import {
  doseDoubts,
  givenDoubts,
  goalDoubts,
  unlistedDoubts,
} from '../../src/model/immunization/plausibility.ts';
import type { Immunization, Patient } from '../../src/model/resources.ts';

const patient: Patient = { resourceType: 'Patient', id: '7', birthDate: '1961-08-23' };
const today = '2026-11-28';
const now = new Date('2026-11-28T15:00:00');

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

const dose = (code: string, occurrenceDateTime: string, status: Immunization['status'] = 'completed') => {
  const coding = { system: 'http://hl7.org/fhir/sid/cvx', code, display: '' } as const;
  return { vaccineCode: { coding: [coding] }, occurrenceDateTime, status };
};

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
  expect(doseDoubts(one, patient, { recorded, now })).toEqual(doubts);
});

test('nothing is given and no goal begins after the death', () => {
  const died = { ...patient, deceasedDateTime: '2020-03-01T10:00:00Z' };
  expect(doseDoubts(dose('115', '2020-03-01'), died, { recorded: [], now })).toEqual([]);
  expect(doseDoubts(dose('115', '2020-03-02'), died, { recorded: [], now })).toEqual([
    'The date 2 Mar 2020 is after the death of the patient, 1 Mar 2020.',
  ]);
  expect(goalDoubts({ startDate: '2021', dueDate: '' }, died, today)).toHaveLength(1);
});

test('a time of today that has not come yet is asked about, and one that has is not', () => {
  const given = (time: string) =>
    doseDoubts(dose('03', new Date(`2026-11-28T${time}`).toISOString()), patient, { recorded: [], now });
  expect(given('14:30')).toEqual([]);
  expect(given('16:30')).toEqual(['28 Nov 2026, 16:30 has not come yet.']);
});

test('the same vaccine at another time of the day is the same vaccine on that day', () => {
  const [morning, noon] = ['08:00', '12:00'].map((time) => new Date(`2026-11-28T${time}`).toISOString());
  expect(doseDoubts(dose('03', noon ?? ''), patient, { recorded: [dose('03', morning ?? '')], now })).toEqual(
    ['The chart has this vaccine on 28 Nov 2026 already.'],
  );
});

const givenDose = { date: today, lotNumber: 'AB-123', expiry: '', unit: 'mL' };

test.each([
  [{}, 0.5, []],
  [{}, undefined, []],
  [{}, 500, ['A dose of 500 mL is not usual. Look at the number and at the unit.']],
  [{ unit: 'ug' }, 30, []],
  [{ unit: '[drp]' }, 500, ['A dose of 500 drops is not usual. Look at the number and at the unit.']],
  [{ lotNumber: ' ' }, 0.5, ['The lot number is missing. Without it, a recall does not find this dose.']],
  [{ expiry: '2026-11' }, 0.5, []],
  [{ expiry: '2026-10' }, 0.5, ['The vaccine had expired: its expiry date is Oct 2026.']],
])('a dose that was given here, %j with the amount %s, raises the doubts %j', (changed, amount, doubts) => {
  expect(givenDoubts({ ...givenDose, ...changed }, amount)).toEqual(doubts);
});

test('a vaccine that is not in the list is asked about', () => {
  expect(unlistedDoubts('Tdap')).toEqual([]);
  expect(unlistedDoubts('infl')).toEqual([
    '“infl” is not in the list of vaccines, so nothing that looks for its code finds it.',
  ]);
});
