import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import type { CareTeamUpdate, SentParticipant } from '../../src/care-team/bodies.ts';
import { decideUpdate, loadMemberNames } from '../../src/care-team/writes.ts';
import { toLoadedRecord } from '../../src/records/transact.ts';
import { exactVersion, noVersion } from '../../src/store/versions.ts';
import { organization, participant, practitioner, role, teamOf } from '../builders.ts';
import { expectViolation, rightOf } from '../results.ts';

const ann = practitioner('ann');
const lab = organization('lab');
const context = {
  names: new Map([
    ['Practitioner/ann', ann.display],
    ['Organization/lab', lab.display],
  ]),
  roles: [role('nurse'), role('doctor')],
  at: 200,
};
const sends = ({ type, id }: SentParticipant['member'], code?: string, lead?: boolean): SentParticipant => ({
  member: { type, id },
  codings: code === undefined ? [] : [role(code)],
  lead,
  hasEnded: false,
});
const asksFor = (...participants: readonly SentParticipant[]): CareTeamUpdate => ({
  id: 'p1',
  patientId: undefined,
  participants,
});

test('an update makes the sent participants the active ones, with the names of the directory', () => {
  expect(rightOf(decideUpdate(teamOf(), asksFor(sends(ann, 'nurse'), sends(lab)), context))).toEqual(
    teamOf(participant(ann, 'nurse', { changedAt: 200 }), participant(lab, null, { changedAt: 200 })),
  );
});

test('the subject is the patient in the path', () => {
  const of = (patientId: string) => decideUpdate(teamOf(), { ...asksFor(), patientId }, context);
  expect(rightOf(of('p1'))).toEqual(teamOf());
  expectViolation(of('p2'), 'subject-differs at CareTeam.subject');
});

test.each([
  ['Practitioner', 'unknown-practitioner'],
  ['Organization', 'unknown-organization'],
] as const)('a member of type %s that does not exist is a violation', (type, rule) => {
  const update = asksFor(sends({ type, id: 'x' }, 'nurse'));
  expectViolation(decideUpdate(teamOf(), update, context), `${rule} at CareTeam.participant[0].member`);
});

test('rules 3 to 6 are violations', () => {
  const update = asksFor(sends(ann, 'nurse'), sends(ann, 'doctor'));
  expectViolation(
    decideUpdate(teamOf(), update, context),
    'participant-once at CareTeam.participant[0].member',
    'participant-once at CareTeam.participant[1].member',
  );
});

test('all issues are reported at once, each with its element', () => {
  const participants = [
    sends(ann, 'nurse', true),
    sends(practitioner('bob'), 'nurse'),
    sends(lab, 'wizard', true),
  ];
  const update = { ...asksFor(...participants), patientId: 'p2' };
  expectViolation(
    decideUpdate(teamOf(), update, context),
    'one-lead at CareTeam.participant[0].extension',
    'one-lead at CareTeam.participant[2].extension',
    'organization-lead at CareTeam.participant[2].extension',
    'role-not-configured at CareTeam.participant[2].role',
    'role-taken at CareTeam.participant[0].role',
    'role-taken at CareTeam.participant[1].role',
    'subject-differs at CareTeam.subject',
    'unknown-practitioner at CareTeam.participant[1].member',
  );
});

test('an update checks the version of each of its members, each once', async () => {
  const stored = {
    type: 'Practitioner',
    id: 'ann',
    patientId: null,
    version: 4,
    at: 0,
    by: null,
    resource: null,
  };
  const state = JSON.stringify({ id: 'ann', firstName: 'Doctor', lastName: 'ann' });
  const find = async (_type: string, id: string) =>
    E.right(toLoadedRecord<never>(id, id === 'ann' ? { ...stored, state } : null));
  const participants = [sends(ann, 'nurse'), sends(organization('x')), sends(ann, 'doctor')];
  expect(rightOf(await loadMemberNames({ find })(participants))).toEqual({
    names: new Map([['Practitioner/ann', 'Doctor ann']]),
    versionChecks: [
      { type: 'Practitioner', id: 'ann', expects: exactVersion(4) },
      { type: 'Organization', id: 'x', expects: noVersion },
    ],
  });
});
