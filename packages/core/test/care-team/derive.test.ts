import { describe, expect, test } from 'vitest';
import type { Participant } from '../../src/care-team/model.ts';
import { dateNextChange, deriveCareTeam, lastModified } from '../../src/care-team/record.ts';
import { type ParticipantStatus, participantStatuses } from '../../src/directory/model.ts';
import {
  activePart,
  extensionBase,
  loadedActive,
  organization,
  participant,
  patient,
  practitioner,
  teamOf,
} from '../builders.ts';

const derive = deriveCareTeam(extensionBase);
const ann = participant(practitioner('ann'), 'nurse', { lead: true, changedAt: 300 });
const lab = participant(organization('lab'), null, { changedAt: 200 });
const bob = participant(practitioner('bob'), 'doctor', { status: 'inactive', changedAt: 400 });
const partOf = (status: ParticipantStatus, ...participants: readonly Participant[]) =>
  derive({ ...teamOf(...participants), status });

test('a care team with its members', () => {
  expect(partOf('active', ann, lab)).toEqual({
    resourceType: 'CareTeam',
    id: 'p1',
    status: 'active',
    name: 'Care Team for Doe, Jane',
    subject: { reference: 'Patient/p1', type: 'Patient', display: 'Doe, Jane' },
    participant: [
      {
        extension: [{ url: 'https://clinic.example/fhir/careteam-lead', valueBoolean: true }],
        role: [{ coding: [{ system: 'https://clinic.example/roles', code: 'nurse', display: 'The nurse' }] }],
        member: { reference: 'Practitioner/ann', type: 'Practitioner', display: 'Doctor ann' },
      },
      { member: { reference: 'Organization/lab', type: 'Organization', display: 'House lab' } },
    ],
  });
});

test('the participants of a status have an id with that status as a suffix', () => {
  const inactive = partOf('inactive', bob);
  expect([inactive.id, inactive.status]).toEqual(['p1.inactive', 'inactive']);
  expect(inactive.participant?.map(({ member }) => member.reference)).toEqual(['Practitioner/bob']);
});

test('a practitioner who is not the lead carries a lead marker of false', () => {
  expect(partOf('inactive', bob).participant?.[0]?.extension).toEqual([
    { url: 'https://clinic.example/fhir/careteam-lead', valueBoolean: false },
  ]);
});

test('an organization with a role shows it, and has no lead marker', () => {
  const [shown] = partOf('active', participant(organization('lab'), 'nurse')).participant ?? [];
  expect(Object.keys(shown ?? {}).toSorted()).toEqual(['member', 'role']);
});

test.each(participantStatuses)('a team without members in status %s has no participant element', (status) => {
  expect(partOf(status)).not.toHaveProperty('participant');
});

describe('the last-modified time of a team', () => {
  test('is that of the newest change of its members, whatever their status', () => {
    expect(lastModified(activePart([ann, lab], { changedAt: 400 }))).toBe(400);
    expect(lastModified(activePart([], { changedAt: 400, otherStatuses: ['inactive'] }))).toBe(400);
  });

  test('of a team without members is that of the patient, even if the team once had members', () => {
    expect(lastModified(activePart())).toBe(7);
    expect(lastModified(activePart([], { changedAt: 400 }))).toBe(7);
  });

  test('is that of the members even if the patient was modified later', () => {
    const modified = { ...patient, lastModified: 999 };
    expect(lastModified(activePart([ann], { changedAt: 400, patient: modified }))).toBe(400);
  });
});

describe('the date of a change to a team', () => {
  const dated = (lastChange: number, now: number, state = activePart([ann])) =>
    dateNextChange(loadedActive(state, lastChange), now);

  test.each([
    ['now, in a later second than the last change', 10_999, 11_000, 11_000],
    ['at the beginning of the next second, in that of the last change', 10_000, 10_000, 11_000],
    ['at the beginning of the next second, at the end of that of the last change', 10_000, 10_999, 11_000],
    [
      'at the beginning of the second after that, where the last change is dated ahead',
      12_000,
      10_999,
      13_000,
    ],
    ['at the beginning of the second after that, where the clock was set back', 90_001, 10_000, 91_000],
  ])('%s', (_when, lastChange, now, at) => {
    expect(dated(lastChange, now)).toBe(at);
  });

  test('is after the patient of an empty team, whose date is that of the team', () => {
    const ahead = activePart([], { patient: { ...patient, lastModified: 10_500 } });
    expect(dated(5, 10_600, ahead)).toBe(11_000);
  });
});
