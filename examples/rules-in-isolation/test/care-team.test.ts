import {
  type CareTeamState,
  deriveCareTeam,
  type Participant,
  type RequestedParticipant,
  setStatus,
  upsert,
} from '@clinical-records/core/rules';
import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';

const role = (code: string) => ({ system: 'https://clinic.example/roles', code, display: `The ${code}` });
const doctor = (id: string): Participant['member'] => ({ type: 'Practitioner', id, display: `Dr. ${id}` });

const active = (id: string, code: string, lead = false): Participant => ({
  member: doctor(id),
  role: role(code),
  lead,
  status: 'active',
  changedAt: 100,
});

const requested = (id: string, code: string, lead?: boolean): RequestedParticipant => ({
  member: doctor(id),
  role: role(code),
  lead,
});

const team: CareTeamState = {
  patient: { id: '7', lastName: 'Shaw', firstName: 'Amy', lastModified: 1 },
  participants: [active('ada', 'surgeon', true), active('bob', 'nurse')],
};

/** The members of a team, such as `ada active lead`. */
const members = ({ participants }: CareTeamState) =>
  participants.map(({ member, status, lead }) => `${member.id} ${status}${lead ? ' lead' : ''}`);

const after = (...requested: readonly RequestedParticipant[]) => {
  const decided = upsert(team, requested, 200);
  return E.isRight(decided) ? members(decided.right) : decided.left.map(({ rule }) => rule);
};

test('a care team keeps its lead if the update does not name one', () => {
  expect(after(requested('ada', 'surgeon'), requested('bob', 'nurse'))).toEqual([
    'ada active lead',
    'bob active',
  ]);
});

test('a new lead replaces the previous one', () => {
  expect(after(requested('ada', 'surgeon'), requested('bob', 'nurse', true))).toEqual([
    'ada active',
    'bob active lead',
  ]);
});

test('two leads are refused, and each is reported', () => {
  expect(after(requested('ada', 'surgeon', true), requested('bob', 'nurse', true))).toEqual([
    'one-lead',
    'one-lead',
  ]);
});

test('a participant who is left out becomes inactive and is not the lead any more, but is not lost', () => {
  expect(after(requested('bob', 'nurse'))).toEqual(['ada inactive', 'bob active']);
});

test('a role can be held by one practitioner only', () => {
  expect(after(requested('ada', 'surgeon'), requested('cyd', 'surgeon'))).toEqual([
    'role-taken',
    'role-taken',
  ]);
});

test('a participant who is suspended is not the lead any more, and keeps the role', () => {
  const suspended = setStatus(team, { member: doctor('ada'), status: 'suspended', role: undefined }, 200);
  expect(E.isRight(suspended) && suspended.right.participants[0]).toEqual({
    ...active('ada', 'surgeon'),
    status: 'suspended',
    changedAt: 200,
  });
});

test('a practitioner without a role cannot join a care team', () => {
  const joined = setStatus(team, { member: doctor('cyd'), status: 'active', role: undefined }, 200);
  expect(E.isLeft(joined) && joined.left.map(({ rule }) => rule)).toEqual(['role-required']);
});

test('a care team shows the participants of one status', () => {
  const extensionBase = 'https://clinic.example/fhir/extensions';
  expect(deriveCareTeam(extensionBase)({ ...team, status: 'active' })).toMatchObject({
    id: '7',
    name: 'Care Team for Shaw, Amy',
    participant: [
      { member: { reference: 'Practitioner/ada' } },
      { member: { reference: 'Practitioner/bob' } },
    ],
  });
});
