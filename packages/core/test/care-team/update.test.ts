import { describe, expect, test } from 'vitest';
import type { Participant } from '../../src/care-team/model.ts';
import {
  decideUpdate,
  type LoadedMember,
  type LoadedMembers,
  memberPremises,
} from '../../src/care-team/update.ts';
import type { DirectoryEntry } from '../../src/directory/model.ts';
import { absent, type Loaded } from '../../src/records/record-kind.ts';
import { Absent, Version } from '../../src/store/expected-version.ts';
import { organization, participant, practitioner, refusal, rightOf, role, teamOf } from '../builders.ts';

type Entry = DirectoryEntry['Practitioner'] | DirectoryEntry['Organization'];

const known = (member: Participant['member']) => {
  const state: Entry =
    member.type === 'Practitioner'
      ? { id: member.id, firstName: 'Doctor', lastName: member.id }
      : { id: member.id, name: member.display };
  const stored = { type: member.type, id: member.id, patientId: null, version: 4, at: 0, by: null };
  const loaded: Loaded<Entry> = {
    id: member.id,
    stored: { ...stored, state: JSON.stringify(state), resource: null },
    state,
  };
  return { type: member.type, loaded };
};
const membersOf = (...members: LoadedMember[]): LoadedMembers =>
  new Map(members.map((one) => [`${one.type}/${one.loaded.id}`, one]));
const unknown = (type: Participant['member']['type'], id: string) => ({ type, loaded: absent(id) });

const ann = practitioner('ann');
const lab = organization('lab');
const roles = [role('nurse'), role('doctor')];
const sends = (reference: string, code?: string) => ({
  ...(code !== undefined && { role: [{ coding: [role(code)] }] }),
  member: { reference },
});

test('an update makes those sent the active ones, under the names of the directory', () => {
  const body = {
    id: 'p1',
    participant: [
      {
        ...sends('Practitioner/ann', 'nurse'),
        member: { reference: 'Practitioner/ann', display: 'Queen Ann' },
      },
      sends('Organization/lab'),
    ],
  };
  const result = decideUpdate(teamOf(), body, { members: membersOf(known(ann), known(lab)), roles, at: 200 });
  expect(rightOf(result)).toEqual(
    teamOf(participant(ann, 'nurse', { changedAt: 200 }), participant(lab, null, { changedAt: 200 })),
  );
});

test('a list of participants that is omitted inactivates everyone', () => {
  const result = decideUpdate(
    teamOf(participant(ann, 'nurse')),
    { id: 'p1' },
    { members: membersOf(), roles, at: 200 },
  );
  expect(rightOf(result)).toEqual(teamOf(participant(ann, 'nurse', { status: 'inactive', changedAt: 200 })));
});

test('the subject is the patient in the path', () => {
  const context = { members: membersOf(), roles, at: 200 };
  const of = (reference: string) => decideUpdate(teamOf(), { id: 'p1', subject: { reference } }, context);
  expect(rightOf(of('Patient/p1'))).toEqual(teamOf());
  expect(refusal(of('Patient/p2'))).toEqual(['RuleViolation', 'subject-differs at CareTeam.subject']);
});

test.each([
  ['Practitioner', 'unknown-practitioner'],
  ['Organization', 'unknown-organization'],
] as const)('a member of type %s that does not exist is a violation', (type, rule) => {
  const body = { id: 'p1', participant: [sends(`${type}/x`, 'nurse')] };
  const result = decideUpdate(teamOf(), body, { members: membersOf(unknown(type, 'x')), roles, at: 200 });
  expect(refusal(result)).toEqual(['RuleViolation', `${rule} at CareTeam.participant[0].member`]);
});

test('rules 3 to 6 are violations', () => {
  const body = {
    id: 'p1',
    participant: [sends('Practitioner/ann', 'nurse'), sends('Practitioner/ann', 'doctor')],
  };
  const result = decideUpdate(teamOf(), body, { members: membersOf(known(ann)), roles, at: 200 });
  expect(refusal(result)).toEqual([
    'RuleViolation',
    'participant-once at CareTeam.participant[0].member',
    'participant-once at CareTeam.participant[1].member',
  ]);
});

test('all faults are told at once, each with its element', () => {
  const lead = [{ url: 'https://clinic.example/fhir/careteam-lead', valueBoolean: true }];
  const body = {
    id: 'p1',
    subject: { reference: 'Patient/p2' },
    participant: [
      { ...sends('Practitioner/ann', 'nurse'), extension: lead },
      { ...sends('Practitioner/bob', 'nurse') },
      { ...sends('Organization/lab', 'wizard'), extension: lead },
    ],
  };
  const members = membersOf(known(ann), unknown('Practitioner', 'bob'), known(lab));
  expect(refusal(decideUpdate(teamOf(), body, { members, roles, at: 200 }))).toEqual([
    'RuleViolation',
    'one-lead at CareTeam.participant[0].extension',
    'one-lead at CareTeam.participant[2].extension',
    'organization-lead at CareTeam.participant[2].extension',
    'role-not-configured at CareTeam.participant[2].role',
    'role-taken at CareTeam.participant[0].role',
    'role-taken at CareTeam.participant[1].role',
    'subject-differs at CareTeam.subject',
    'unknown-practitioner at CareTeam.participant[1].member',
  ]);
});

describe('what an update relies on', () => {
  test('the members are as they were read', () => {
    expect(memberPremises(membersOf(known(ann), unknown('Organization', 'x')))).toEqual([
      { type: 'Practitioner', id: 'ann', expects: Version(4) },
      { type: 'Organization', id: 'x', expects: Absent },
    ]);
  });
});
