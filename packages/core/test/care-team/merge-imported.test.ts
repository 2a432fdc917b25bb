import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImportedParticipant, mergeImported } from '../../src/care-team/merge-imported.ts';
import type { CareTeamState } from '../../src/care-team/model.ts';
import { setStatus, upsert } from '../../src/care-team/rules.ts';
import { organization, participant, practitioner, role, teamOf } from '../builders.ts';
import { describeIssues, rightOf } from '../results.ts';

const roles = [role('nurse'), role('doctor')];

describe('an imported participant', () => {
  const newcomer = (
    member: ReturnType<typeof practitioner>,
    code: string | undefined,
    { index = 0, status = 'active' }: { index?: number; status?: ImportedParticipant['status'] } = {},
  ): ImportedParticipant => ({
    element: `CareTeam.participant[${index}]`,
    member,
    role: roles.find((one) => one.code === code),
    status,
    lead: false,
  });
  const join = (before: CareTeamState, ...newcomers: readonly ImportedParticipant[]) => {
    const { team, issues, dropped } = mergeImported(before, newcomers, 200);
    return { team, issues: [...dropped, ...issues] };
  };
  const ann = practitioner('ann');
  const bob = practitioner('bob');
  const lab = organization('lab');
  const imported = (...[member, code, rest]: Parameters<typeof participant>) => ({
    ...participant(member, code, { changedAt: 200, ...rest }),
    isImported: true as const,
  });

  test('gets the status of the source', () => {
    const { team, issues } = join(teamOf(), newcomer(ann, 'nurse', { status: 'proposed' }));
    expect(issues).toEqual([]);
    expect(team).toEqual(teamOf(imported(ann, 'nurse', { status: 'proposed' })));
  });

  test('leaves participants unchanged whom the clinic has added or changed, whatever their status', () => {
    const before = teamOf(participant(ann, 'nurse'), participant(lab, null, { status: 'inactive' }));
    const newcomers = [newcomer(ann, 'doctor'), newcomer(lab, 'nurse', { index: 1, status: 'proposed' })];
    expect(join(before, ...newcomers)).toEqual({ team: before, issues: [] });
  });

  test('is reported if active in the source and in another status in the clinic', () => {
    const before = teamOf(participant(ann, 'nurse', { status: 'inactive' }));
    const { team, issues } = join(before, newcomer(ann, 'nurse', { index: 1 }));
    expect(team).toEqual(before);
    expect(describeIssues(issues)).toEqual(['participant-unchanged at CareTeam.participant[1]']);
  });

  const statuses = ['active', 'proposed', 'suspended', 'inactive', 'entered-in-error'] as const;
  test.each(statuses.flatMap((one, at) => statuses.slice(at + 1).map((other) => [one, other] as const)))(
    'in the statuses %s and %s gets the first, in any order, and a repeated import changes nothing',
    (nearer, farther) => {
      const [near, far] = [nearer, farther].map((status) => newcomer(ann, 'nurse', { status }));
      const expected = { team: teamOf(imported(ann, 'nurse', { status: nearer })), issues: [] };
      for (const order of [
        [near, far],
        [far, near],
      ] as ImportedParticipant[][]) {
        const inOne = join(teamOf(), ...order);
        expect(inOne).toEqual(expected);
        const oneByOne = order.reduce((team, one) => join(team, one).team, teamOf());
        expect(oneByOne).toEqual(expected.team);
        expect({ ...mergeImported(inOne.team, order, 300), dropped: undefined }).toEqual(expected);
      }
    },
  );

  test('is merged to the same result in any order and any division among teams', () => {
    const those = [
      newcomer(ann, 'nurse'),
      newcomer(bob, 'doctor'),
      newcomer(bob, undefined),
      newcomer(lab, 'nurse'),
      newcomer(lab, undefined),
    ];
    const membersIn = (teams: readonly (readonly ImportedParticipant[])[]) => {
      const { participants } = teams.reduce((team, newcomers) => join(team, ...newcomers).team, teamOf());
      return new Map(participants.map(({ member, status, role }) => [member.id, { status, role }]));
    };
    const loadedTwice = (newcomers: readonly ImportedParticipant[]) => {
      const { team } = join(teamOf(), ...newcomers);
      expect(mergeImported(team, newcomers, 300).team).toEqual(team);
    };
    const sent = fc.tuple(fc.constantFrom(...those), fc.constantFrom(...statuses), fc.boolean());
    const some = fc.array(
      sent.map(([one, status, lead]) => ({ ...one, status, lead })),
      { maxLength: 8 },
    );
    const twoOrders = some.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(twoOrders, fc.nat(8), ([one, other], cut) => {
        expect(membersIn([other.slice(0, cut), other.slice(cut)])).toEqual(membersIn([one]));
        loadedTwice(other);
      }),
    );
  });

  test.each([
    ['the same', role('nurse'), []],
    ['none', undefined, ['role-required at CareTeam.participant[0]']],
    ['another', role('doctor'), ['participant-once at CareTeam.participant[0]']],
    [
      'one of another system',
      { ...role('nurse'), system: 'https://elsewhere.example/roles' },
      ['participant-once at CareTeam.participant[0]'],
    ],
  ])('gets one role: another role, %s, is or is not reported', (_what, other, faults) => {
    const first = join(teamOf(), newcomer(ann, 'nurse')).team;
    const again = join(first, { ...newcomer(ann, 'nurse'), role: other });
    expect([again.team, describeIssues(again.issues)]).toEqual([first, faults]);
  });

  test('gets the role of an organization when it becomes known', () => {
    const { team, issues } = join(teamOf(imported(lab, null)), newcomer(lab, 'nurse'));
    expect([team, issues]).toEqual([teamOf(imported(lab, 'nurse')), []]);
    const ofClinic = teamOf(participant(lab, null));
    expect(join(ofClinic, newcomer(lab, 'nurse'))).toEqual({ team: ofClinic, issues: [] });
  });

  test('is not reported again as an organization without a role', () => {
    const before = teamOf(imported(lab, null));
    expect(join(before, newcomer(lab, undefined))).toEqual({ team: before, issues: [] });
  });

  test('is not reported for a role in a status farther from active', () => {
    const before = teamOf(imported(ann, 'nurse'));
    const past = newcomer(ann, 'doctor', { status: 'inactive' });
    expect(join(before, past)).toEqual({ team: before, issues: [] });
  });

  test('keeps its role when it is entered in error', () => {
    const here = teamOf(imported(ann, 'nurse'));
    const inError = newcomer(ann, undefined, { status: 'entered-in-error' });
    expect(join(here, inError)).toEqual({ team: here, issues: [] });
  });

  test.each(statuses)('is reported for another role in the status %s', (status) => {
    const first = join(teamOf(), newcomer(ann, 'nurse', { status })).team;
    const again = join(first, newcomer(ann, 'doctor', { status }));
    expect([again.team, describeIssues(again.issues)]).toEqual([
      first,
      ['participant-once at CareTeam.participant[0]'],
    ]);
  });

  test.each([
    [
      'given another status',
      (team: CareTeamState) =>
        rightOf(setStatus(team, { member: ann, status: 'inactive', role: undefined }, 300)),
    ],
    [
      'given the status that they have',
      (team: CareTeamState) => {
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
    ['no longer sent', (team: CareTeamState) => rightOf(upsert(team, [], 300))],
  ])('belongs to the clinic once it is %s', (_what, change) => {
    const changed = change(join(teamOf(), newcomer(ann, 'nurse')).team);
    const again = mergeImported(changed, [newcomer(ann, 'nurse')], 400);
    expect(again.team).toEqual(teamOf(participant(ann, 'nurse', { status: 'inactive', changedAt: 300 })));
    expect(describeIssues(again.issues)).toEqual(['participant-unchanged at CareTeam.participant[0]']);
  });

  describe('an imported lead', () => {
    const leading = (one: ImportedParticipant): ImportedParticipant => ({ ...one, lead: true });
    const leadLeftOut = ['left-out at CareTeam.participant[0].extension'];

    test('becomes the lead if the team has none, immediately or when the member already exists, and stays it', () => {
      const led = { team: teamOf(imported(ann, 'nurse', { lead: true })), issues: [] };
      expect(join(teamOf(), leading(newcomer(ann, 'nurse')))).toEqual(led);
      const { team } = join(teamOf(), newcomer(ann, 'nurse'));
      expect(join(team, leading(newcomer(ann, 'nurse')))).toEqual(led);
      for (const again of [leading(newcomer(ann, 'nurse')), newcomer(ann, 'nurse')])
        expect({ ...mergeImported(led.team, [again], 300), dropped: undefined }).toEqual(led);
    });

    test('is reported if another member is the lead', () => {
      const before = teamOf(participant(bob, 'doctor', { lead: true }));
      const { team, issues } = join(before, leading(newcomer(ann, 'nurse')));
      expect(team.participants).toEqual([...before.participants, imported(ann, 'nurse')]);
      expect(describeIssues(issues)).toEqual(leadLeftOut);
    });

    test('is reported if the clinic has removed the lead, or the member is not active', () => {
      const before = teamOf(participant(ann, 'nurse'));
      const [{ team, issues }, inactive] = [
        join(before, leading(newcomer(ann, 'nurse'))),
        join(teamOf(), leading(newcomer(ann, 'nurse', { status: 'inactive' }))),
      ] as const;
      expect([team, describeIssues(issues)]).toEqual([before, leadLeftOut]);
      expect(inactive.team).toEqual(teamOf(imported(ann, 'nurse', { status: 'inactive' })));
      expect(describeIssues(inactive.issues)).toEqual(leadLeftOut);
      const active = teamOf(imported(ann, 'nurse'));
      const past = join(active, leading(newcomer(ann, 'nurse', { status: 'inactive' })));
      expect([past.team, describeIssues(past.issues)]).toEqual([active, leadLeftOut]);
    });

    test('is reported if the clinic has changed another member, because the clinic may want no lead', () => {
      const before = teamOf(participant(bob, 'doctor'), imported(ann, 'nurse'));
      const { team, issues } = join(before, leading(newcomer(ann, 'nurse')));
      expect([team, describeIssues(issues)]).toEqual([before, leadLeftOut]);
    });

    test('is reported if the member has another role in the clinic, so that a second import changes nothing', () => {
      const before = teamOf(imported(ann, 'nurse'));
      const other = join(before, leading(newcomer(ann, 'doctor')));
      expect([other.team, describeIssues(other.issues)]).toEqual([
        before,
        [...leadLeftOut, 'participant-once at CareTeam.participant[0]'],
      ]);
      const none = join(before, leading(newcomer(ann, undefined)));
      expect([none.team, describeIssues(none.issues)]).toEqual([
        before,
        [...leadLeftOut, 'role-required at CareTeam.participant[0]'],
      ]);
    });

    test('is reported if it is an organization with a role, and the practitioner with that role becomes the lead', () => {
      const { team, issues } = join(
        teamOf(),
        leading(newcomer(lab, 'nurse')),
        leading(newcomer(ann, 'nurse')),
      );
      expect(team).toEqual(teamOf(imported(lab, 'nurse'), imported(ann, 'nurse', { lead: true })));
      expect(describeIssues(issues)).toEqual(['left-out at CareTeam.participant[0].extension']);
    });

    test('is reported if another member has the role, and does not lead in the other status', () => {
      const before = teamOf(imported(ann, 'nurse', { status: 'proposed' }), imported(bob, 'nurse'));
      const { team, issues } = join(before, leading(newcomer(ann, 'nurse')));
      expect(team).toEqual(before);
      expect(describeIssues(issues)).toEqual([
        'left-out at CareTeam.participant[0].extension',
        'role-taken at CareTeam.participant[0]',
      ]);
    });

    test('is reported if it is an organization, or is not added to the team', () => {
      const { team, issues } = join(teamOf(), leading(newcomer(lab, undefined)));
      expect([team, describeIssues(issues)]).toEqual([teamOf(imported(lab, null)), leadLeftOut]);
      expect(describeIssues(join(teamOf(), leading(newcomer(ann, undefined))).issues)).toEqual([
        ...leadLeftOut,
        'role-required at CareTeam.participant[0]',
      ]);
    });
  });

  test('is reported if a rule keeps it out, and does not keep others out', () => {
    const { team, issues } = join(
      teamOf(participant(ann, 'nurse')),
      newcomer(bob, undefined),
      newcomer(lab, undefined, { index: 1 }),
    );
    expect(team.participants.map(({ member }) => member.id)).toEqual(['ann', 'lab']);
    expect(describeIssues(issues)).toEqual(['role-required at CareTeam.participant[0]']);
  });

  test('is reported once if the role is taken', () => {
    const { team, issues } = join(teamOf(participant(ann, 'nurse')), newcomer(bob, 'nurse', { index: 2 }));
    expect(team).toEqual(teamOf(participant(ann, 'nurse')));
    expect(describeIssues(issues)).toEqual(['role-taken at CareTeam.participant[2]']);
  });
});
