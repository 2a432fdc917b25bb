import { expect, test } from 'vitest';
import type { CareTeamState, Participant } from '../../src/care-team/model.ts';
import { mergeTeams } from '../../src/corrections/merge-patients.ts';

const patient = (id: string) => ({ id, lastName: 'Shaw', firstName: 'Amy', lastModified: 0 });

/** A participant as a text: `ada:nurse active lead`. The lead and the role can be left out. */
const participant = (text: string): Participant => {
  const [member = '', status = 'active', lead] = text.split(' ');
  const [id = '', code] = member.split(':');
  return {
    member: { type: code === undefined ? 'Organization' : 'Practitioner', id, display: id },
    role: code === undefined ? null : { system: 's', code, display: code },
    ...{ status: status as Participant['status'], lead: lead === 'lead', changedAt: 1 },
  };
};

const team = (id: string, texts: readonly string[]): CareTeamState => ({
  patient: patient(id),
  participants: texts.map(participant),
});

const textOf = ({ member, role, status, lead }: Participant): string =>
  `${member.id}${role === null ? '' : `:${role.code}`} ${status}${lead ? ' lead' : ''}`;

test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
  ['members of both', ['ada:nurse active'], ['lab active'], ['ada:nurse active', 'lab active']],
  ['each status', [], ['ada:nurse suspended', 'lab inactive'], ['ada:nurse suspended', 'lab inactive']],
  ['the status nearer to active', ['ada:nurse inactive'], ['ada:nurse active'], ['ada:nurse active']],
  ['the status here if it is as near', ['ada:nurse active'], ['ada:doctor active'], ['ada:nurse active']],
  [
    'the lead here',
    ['ada:nurse active lead'],
    ['bob:doctor active lead'],
    ['ada:nurse active lead', 'bob:doctor active'],
  ],
  [
    'no lead here',
    ['ada:nurse active'],
    ['bob:doctor active lead'],
    ['ada:nurse active', 'bob:doctor active'],
  ],
  [
    'the lead there if nobody is active here',
    ['lab inactive'],
    ['bob:doctor active lead'],
    ['lab inactive', 'bob:doctor active lead'],
  ],
  [
    'a role that is taken, as proposed',
    ['ada:nurse active'],
    ['bob:nurse active'],
    ['ada:nurse active', 'bob:nurse proposed'],
  ],
  [
    'a role of an inactive member',
    ['ada:nurse inactive'],
    ['bob:nurse active'],
    ['ada:nurse inactive', 'bob:nurse active'],
  ],
])('the merged team has %s', (_, into, from, expected) => {
  const merged = mergeTeams(team('ben', into), team('amy', from), 7);
  expect(merged.participants.map(textOf)).toEqual(expected);
  expect(merged.patient.id).toBe('ben');
});

test('an import changes nothing of a participant who joins', () => {
  const imported = participant('bob:nurse active');
  const from = { ...team('amy', []), participants: [{ ...imported, isImported: true as const }] };
  const merged = mergeTeams(team('ben', ['ada:nurse active']), from, 7);
  expect(merged.participants.map(({ isImported }) => isImported)).toEqual([undefined, undefined]);
});

test('a participant who joins is dated with the merge, and one who stays is not', () => {
  const merged = mergeTeams(
    team('ben', ['ada:nurse active']),
    team('amy', ['ada:nurse inactive', 'lab active']),
    7,
  );
  expect(merged.participants.map(({ changedAt }) => changedAt)).toEqual([1, 7]);
});
