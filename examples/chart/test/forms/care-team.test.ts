import type { CareTeam, CareTeamParticipant } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { departuresIn, membersOf, sortMembers } from '../../src/model/care-team.ts';
import { diffFacts } from '../../src/model/history/diff.ts';
import { factsOf } from '../../src/model/history/facts.ts';

const participant = (reference: string, display: string, isLead = false): CareTeamParticipant =>
  ({
    extension: [{ url: 'https://clinic.example/careteam-lead', valueBoolean: isLead }],
    role: [{ coding: [{ system: 'http://snomed.info/sct', code: '1', display: 'Nurse' }] }],
    member: { reference, type: 'Practitioner', display },
  }) as CareTeamParticipant;

const ada = participant('Practitioner/ada', 'Ada Byron', true);
const bob = participant('Practitioner/bob', 'Bob Gray');
const cyd = participant('Practitioner/cyd', 'Cyd Lane');

const team = (lastUpdated: string, ...members: readonly CareTeamParticipant[]) =>
  ({
    resourceType: 'CareTeam',
    status: 'active',
    meta: { lastUpdated },
    participant: members,
  }) as unknown as CareTeam;

test('the lead is first, and organizations are last', () => {
  const home = participant('Organization/home', 'A Home');
  const sorted = sortMembers(membersOf({ participant: [home, cyd, bob, ada] }));
  expect(sorted.map(({ name }) => name)).toEqual(['Ada Byron', 'Bob Gray', 'Cyd Lane', 'A Home']);
});

test('who left is listed with the time of the version that no longer has them, the latest first', () => {
  const versions = [team('4', ada), team('3', ada, cyd), team('2', ada, bob), team('1')];
  expect(departuresIn(team('4', bob, cyd), versions).map(({ name, leftAt }) => [name, leftAt])).toEqual([
    ['Cyd Lane', '4'],
    ['Bob Gray', '3'],
  ]);
});

test('a member who left twice is listed once, with the later time', () => {
  const versions = [team('5', ada), team('4', ada, bob), team('3', ada), team('2', ada, bob), team('1')];
  expect(departuresIn(team('5', bob), versions)).toMatchObject([{ name: 'Bob Gray', leftAt: '5' }]);
});

test('nobody has left whom the API does not call inactive, and one who was never active has no time', () => {
  expect(departuresIn({}, [team('2'), team('1', ada)])).toEqual([]);
  expect(departuresIn(team('1', bob), [team('1')])).toMatchObject([{ name: 'Bob Gray', leftAt: '' }]);
});

test('one who left is the lead only if the API says so', () => {
  const versions = [team('2'), team('1', ada)];
  const left = participant('Practitioner/ada', 'Ada Byron', false);
  expect(departuresIn(team('2', left), versions)).toMatchObject([{ name: 'Ada Byron', isLead: false }]);
  expect(departuresIn(team('2', ada), versions)).toMatchObject([{ name: 'Ada Byron', isLead: true }]);
});

test('two versions of a team differ in who joined, who left, and in roles', () => {
  const before = team('1', ada, bob);
  const after = team('2', participant('Practitioner/ada', 'Ada Byron'), cyd);
  expect(diffFacts(factsOf(before), factsOf(after))).toEqual([
    { label: 'Ada Byron', before: 'Nurse, lead', after: 'Nurse' },
    { label: 'Bob Gray', before: 'Nurse', after: null },
    { label: 'Cyd Lane', before: null, after: 'Nurse' },
  ]);
  expect(diffFacts(factsOf(after), factsOf(after))).toEqual([]);
});

test.each([
  ['proposed', 'Proposed, Nurse'],
  ['entered-in-error', 'Entered in error, Nurse'],
] as const)('in the history, a member who is %s has the words of the chart: %s', (status, value) => {
  expect(factsOf({ ...team('3', bob), status })).toMatchObject([{ label: 'Bob Gray', value }]);
});
