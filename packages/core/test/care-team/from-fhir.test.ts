import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { careTeamFault } from '../../src/care-team/faults.ts';
import { careTeamFromFhir, joined, type Newcomer } from '../../src/care-team/from-fhir.ts';
import type { Team } from '../../src/care-team/model.ts';
import { setStatus } from '../../src/care-team/set-status.ts';
import { upsert } from '../../src/care-team/upsert.ts';
import { utc } from '../../src/fhir/time-zone.ts';
import {
  organization,
  participant,
  practitioner,
  refusal,
  rightOf,
  role,
  teamOf,
  told,
} from '../builders.ts';

const roles = [role('nurse'), role('doctor')];
const read = careTeamFromFhir({ roles, now: Date.UTC(2026, 2, 1), zone: utc });
const careTeam = (rest: object = {}) => ({
  resourceType: 'CareTeam',
  id: 'foreign-1',
  subject: { reference: 'Patient/p1' },
  ...rest,
});

describe("another system's care team", () => {
  test('belongs to its subject, and is active if it does not say', () => {
    const participant = [{ member: { reference: 'Organization/lab' } }];
    const statusOf = (rest: object) =>
      rightOf(read(careTeam({ participant, ...rest }))).read.participants.map(({ status }) => status);
    expect(rightOf(read(careTeam()))).toEqual({
      read: { patientId: 'p1', participants: [] },
      faults: [],
    });
    expect(statusOf({})).toEqual(['active']);
    expect(statusOf({ status: 'suspended' })).toEqual(['suspended']);
  });

  test.each([
    ['over', { end: '2026-02-28' }, 'active', 'inactive'],
    ['over in this moment', { end: '2026-02-28T23:59:59.999Z' }, 'active', 'inactive'],
    ['not over', { end: '2026-03-01' }, 'active', 'active'],
    ['begun', { start: '2026-03-01' }, 'active', 'active'],
    ['still to come', { start: '2026-03-02', end: '2027' }, 'active', 'proposed'],
    ['over, where nobody is active any more', { end: '2019' }, 'entered-in-error', 'entered-in-error'],
  ])('of a participant whose time in it is %s the status is its own', (_what, period, status, own) => {
    const statusOf = (rest: object, ofOne: object) => {
      const participant = [{ member: { reference: 'Organization/lab' }, ...ofOne }];
      return rightOf(read(careTeam({ status, participant, ...rest }))).read.participants[0]?.status;
    };
    expect(statusOf({}, { period })).toBe(own);
    expect(statusOf({ period }, {})).toBe(own);
  });

  test('whose participant has two of the configured roles gives one, and tells so', () => {
    const two = [{ coding: [role('doctor')] }, { coding: [role('nurse')] }];
    const participant = [{ member: { reference: 'Practitioner/ann' }, role: two }];
    const { read: team, faults } = rightOf(read(careTeam({ participant })));
    expect(team.participants[0]?.role).toEqual(role('nurse'));
    expect(faults).toEqual([careTeamFault('participant-once', 'CareTeam.participant[0]')]);
  });

  test('whose member is named with a version has that member', () => {
    const participant = [{ member: { reference: 'Practitioner/ann/_history/3' } }];
    const subject = { reference: 'Patient/p1/_history/1' };
    expect(rightOf(read(careTeam({ participant, subject }))).read).toMatchObject({
      patientId: 'p1',
      participants: [{ member: { type: 'Practitioner', id: 'ann' } }],
    });
  });

  test('without a patient as its subject is refused', () => {
    expect(refusal(read(careTeam({ subject: { reference: 'Group/1' } })))).toEqual([
      'InvalidRequest',
      'value at CareTeam.subject',
    ]);
    expect(refusal(read(careTeam({ subject: undefined })))).toEqual([
      'InvalidRequest',
      'required at CareTeam.subject',
    ]);
  });

  test('has participants with the roles that are configured here', () => {
    const concept = {
      coding: [
        { system: 'http://snomed.info/sct', code: '1' },
        { ...role('doctor'), display: 'x' },
      ],
    };
    const {
      read: { participants },
    } = rightOf(
      read(
        careTeam({
          participant: [
            {
              role: [{ text: 'Helper' }, concept],
              member: { reference: 'Practitioner/ann', display: 'Ann' },
            },
            { role: [{ coding: [{ code: 'nurse' }] }], member: { reference: 'Organization/lab' } },
            { member: { reference: 'Patient/p1' } },
            { member: { display: 'somebody' } },
            {},
          ],
        }),
      ),
    );
    expect(participants).toEqual([
      {
        element: 'CareTeam.participant[0]',
        member: { type: 'Practitioner', id: 'ann' },
        role: role('doctor'),
        status: 'active',
      },
      {
        element: 'CareTeam.participant[1]',
        member: { type: 'Organization', id: 'lab' },
        role: undefined,
        status: 'active',
      },
      { element: 'CareTeam.participant[2]', member: null, role: undefined, status: 'active' },
      { element: 'CareTeam.participant[3]', member: null, role: undefined, status: 'active' },
      { element: 'CareTeam.participant[4]', member: null, role: undefined, status: 'active' },
    ]);
  });
});

describe('those who join', () => {
  const newcomer = (
    member: ReturnType<typeof practitioner>,
    code: string | undefined,
    { index = 0, status = 'active' }: { index?: number; status?: Newcomer['status'] } = {},
  ): Newcomer => ({
    element: `CareTeam.participant[${index}]`,
    member,
    role: roles.find((one) => one.code === code),
    status,
  });
  const at = 200;
  const ann = practitioner('ann');
  const bob = practitioner('bob');
  const lab = organization('lab');
  const imported = (...[member, code, rest]: Parameters<typeof participant>) => ({
    ...participant(member, code, { changedAt: 200, ...rest }),
    isImported: true as const,
  });

  test('take part in the status that they had there', () => {
    const { team, faults } = joined(teamOf(), [newcomer(ann, 'nurse', { status: 'proposed' })], at);
    expect(faults).toEqual([]);
    expect(team).toEqual(teamOf(imported(ann, 'nurse', { status: 'proposed' })));
  });

  test('leave whoever the clinic has added or changed as it is, in whatever status', () => {
    const before = teamOf(participant(ann, 'nurse'), participant(lab, null, { status: 'inactive' }));
    const newcomers = [newcomer(ann, 'doctor'), newcomer(lab, 'nurse', { index: 1, status: 'proposed' })];
    expect(joined(before, newcomers, at)).toEqual({ team: before, faults: [] });
  });

  test('are told where they are active there and the clinic has them in another status', () => {
    const before = teamOf(participant(ann, 'nurse', { status: 'inactive' }));
    const { team, faults } = joined(before, [newcomer(ann, 'nurse', { index: 1 })], at);
    expect(team).toEqual(before);
    expect(told(faults)).toEqual(['left-as-it-is at CareTeam.participant[1]']);
  });

  const statuses = ['active', 'proposed', 'suspended', 'inactive', 'entered-in-error'] as const;
  test.each(statuses.flatMap((one, at) => statuses.slice(at + 1).map((other) => [one, other] as const)))(
    'of %s and %s the first counts, whichever comes first, and to join once more changes nothing',
    (nearer, farther) => {
      const [near, far] = [nearer, farther].map((status) => newcomer(ann, 'nurse', { status }));
      const expected = { team: teamOf(imported(ann, 'nurse', { status: nearer })), faults: [] };
      for (const order of [
        [near, far],
        [far, near],
      ] as Newcomer[][]) {
        const inOne = joined(teamOf(), order, at);
        expect(inOne).toEqual(expected);
        const oneByOne = order.reduce((team, one) => joined(team, [one], at).team, teamOf());
        expect(oneByOne).toEqual(expected.team);
        expect(joined(inOne.team, order, 300)).toEqual(expected);
      }
    },
  );

  test('come to the same, in whatever order, and however they are divided among teams', () => {
    const those = [
      newcomer(ann, 'nurse'),
      newcomer(bob, 'doctor'),
      newcomer(bob, undefined),
      newcomer(lab, 'nurse'),
      newcomer(lab, undefined),
    ];
    const statusesIn = (teams: readonly (readonly Newcomer[])[]) => {
      const { participants } = teams.reduce((team, newcomers) => joined(team, newcomers, at).team, teamOf());
      return new Map(participants.map(({ member, status }) => [member.id, status]));
    };
    const loadedTwice = (newcomers: readonly Newcomer[]) => {
      const { team } = joined(teamOf(), newcomers, at);
      expect(joined(team, newcomers, 300).team).toEqual(team);
    };
    const sent = fc.tuple(fc.constantFrom(...those), fc.constantFrom(...statuses));
    const some = fc.array(
      sent.map(([one, status]) => ({ ...one, status })),
      { maxLength: 8 },
    );
    const twoOrders = some.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(twoOrders, fc.nat(8), ([one, other], cut) => {
        expect(statusesIn([other.slice(0, cut), other.slice(cut)])).toEqual(statusesIn([one]));
        loadedTwice(other);
      }),
    );
  });

  test.each([
    ['the same', role('nurse'), []],
    ['none', undefined, []],
    ['another', role('doctor'), ['participant-once at CareTeam.participant[0]']],
    [
      'one of another system',
      { ...role('nurse'), system: 'https://elsewhere.example/roles' },
      ['participant-once at CareTeam.participant[0]'],
    ],
  ])('take part in one role: where they have %s besides, that is told or not', (_what, other, faults) => {
    const first = joined(teamOf(), [newcomer(ann, 'nurse')], at).team;
    const again = joined(first, [{ ...newcomer(ann, 'nurse'), role: other }], at);
    expect([again.team, told(again.faults)]).toEqual([first, faults]);
  });

  test.each([
    [
      'given another status',
      (team: Team) => rightOf(setStatus(team, { member: ann, status: 'inactive', role: undefined }, 300)),
    ],
    [
      'given the status that they have',
      (team: Team) => {
        const [first] = team.participants;
        const inactive = {
          ...team,
          participants: [
            {
              ...participant(ann, 'nurse', { status: 'inactive', changedAt: 300 }),
              isImported: true as const,
            },
          ],
        };
        return first === undefined
          ? team
          : rightOf(setStatus(inactive, { member: ann, status: 'inactive', role: undefined }, 350));
      },
    ],
    ['no longer sent', (team: Team) => rightOf(upsert(team, [], 300))],
  ])("are the clinic's once they are %s", (_what, change) => {
    const changed = change(joined(teamOf(), [newcomer(ann, 'nurse')], at).team);
    const again = joined(changed, [newcomer(ann, 'nurse')], 400);
    expect(again.team).toEqual(teamOf(participant(ann, 'nurse', { status: 'inactive', changedAt: 300 })));
    expect(told(again.faults)).toEqual(['left-as-it-is at CareTeam.participant[0]']);
  });

  test('are told where a rule keeps them out, and keep no one else out', () => {
    const { team, faults } = joined(
      teamOf(participant(ann, 'nurse')),
      [newcomer(bob, undefined), newcomer(lab, undefined, { index: 1 })],
      at,
    );
    expect(team.participants.map(({ member }) => member.id)).toEqual(['ann', 'lab']);
    expect(told(faults)).toEqual(['role-required at CareTeam.participant[0]']);
  });

  test('are told once where their role is taken', () => {
    const { team, faults } = joined(
      teamOf(participant(ann, 'nurse')),
      [newcomer(bob, 'nurse', { index: 2 })],
      at,
    );
    expect(team).toEqual(teamOf(participant(ann, 'nurse')));
    expect(told(faults)).toEqual(['role-taken at CareTeam.participant[2]']);
  });
});
