import { describe, expect, test } from 'vitest';
import { deriveCareTeam, lastModified } from '../../src/care-team/derive.ts';
import { participantStatuses } from '../../src/care-team/model.ts';
import { extensionBase, organization, participant, practitioner, teamOf } from '../builders.ts';

const derive = deriveCareTeam(extensionBase);
const team = teamOf(
  participant(practitioner('ann'), 'nurse', { lead: true, changedAt: 300 }),
  participant(organization('lab'), null, { changedAt: 200 }),
  participant(practitioner('bob'), 'doctor', { status: 'inactive', changedAt: 400 }),
);

test('a care team with its members', () => {
  expect(derive(team, 'active')).toEqual({
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

test('with a status, the participants of that status are returned under an id with that suffix', () => {
  const inactive = derive(team, 'inactive');
  expect([inactive.id, inactive.status]).toEqual(['p1.inactive', 'inactive']);
  expect(inactive.participant?.map(({ member }) => member.reference)).toEqual(['Practitioner/bob']);
});

test('a practitioner who is not the lead carries a lead marker of false', () => {
  expect(derive(team, 'inactive').participant?.[0]?.extension).toEqual([
    { url: 'https://clinic.example/fhir/careteam-lead', valueBoolean: false },
  ]);
});

test('an organization with a role shows it, and carries no lead marker', () => {
  const [lab] = derive(teamOf(participant(organization('lab'), 'nurse')), 'active').participant ?? [];
  expect(Object.keys(lab ?? {}).toSorted()).toEqual(['member', 'role']);
});

test.each(participantStatuses)('a team without members in status %s has no participant element', (status) => {
  expect(derive(teamOf(), status)).not.toHaveProperty('participant');
});

describe('last-modified of a team', () => {
  test('is the newest change of its members, whatever their status', () => {
    expect(lastModified(team)).toBe(400);
  });

  test("of a team without any is the patient's own", () => {
    expect(lastModified(teamOf())).toBe(7);
  });

  test('is that of the members even where the patient was modified later', () => {
    const { patient, participants } = team;
    expect(lastModified({ patient: { ...patient, lastModified: 999 }, participants })).toBe(400);
  });
});
