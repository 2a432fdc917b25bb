import { describe, expect, test } from 'vitest';
import type { CareTeamState } from '../../src/care-team/model.ts';
import type { RequestedParticipant } from '../../src/care-team/rules.ts';
import { upsert } from '../../src/care-team/rules.ts';
import { organization, participant, practitioner, teamOf, wanted } from '../builders.ts';
import { describeIssues, leftOf, rightOf } from '../results.ts';

const ann = practitioner('ann');
const bob = practitioner('bob');
const lab = organization('lab');
const hospice = organization('hospice');

const updating =
  (at: number) =>
  (before: CareTeamState, ...requested: readonly RequestedParticipant[]): CareTeamState =>
    rightOf(upsert(before, requested, at));
const [after, afterwards] = [updating(200), updating(300)];
const refused = (...requested: readonly RequestedParticipant[]) =>
  describeIssues(leftOf(upsert(teamOf(), requested, 200)));
const leads = (team: CareTeamState) =>
  team.participants.filter(({ lead }) => lead).map(({ member }) => member.id);

describe('participants', () => {
  test('a participant included in the payload becomes active', () => {
    const team = after(teamOf(), wanted(ann, 'nurse'));
    expect(team.participants).toEqual([participant(ann, 'nurse', { changedAt: 200 })]);
  });

  test.each(['proposed', 'suspended', 'inactive', 'entered-in-error'] as const)(
    'a participant who was %s and is included in the payload becomes active',
    (status) => {
      const before = teamOf(participant(ann, 'nurse', { status }));
      const team = after(before, wanted(ann, 'nurse'));
      expect(team.participants).toEqual([participant(ann, 'nurse', { changedAt: 200 })]);
    },
  );

  test('a participant who is no longer in the payload becomes inactive', () => {
    const before = teamOf(participant(ann, 'nurse'), participant(lab, null));
    const team = after(before, wanted(ann, 'nurse'));
    expect(team.participants).toEqual([
      participant(ann, 'nurse'),
      participant(lab, null, { status: 'inactive', changedAt: 200 }),
    ]);
  });

  test.each(['active', 'proposed', 'suspended'] as const)(
    'all %s participants are inactivated when the list is empty',
    (status) => {
      const before = teamOf(participant(ann, 'nurse', { status }), participant(lab, null, { status }));
      expect(after(before).participants).toEqual([
        participant(ann, 'nurse', { status: 'inactive', changedAt: 200 }),
        participant(lab, null, { status: 'inactive', changedAt: 200 }),
      ]);
    },
  );

  test.each(['inactive', 'entered-in-error'] as const)(
    'a participant who is %s stays so when the list is empty',
    (status) => {
      const before = teamOf(participant(ann, 'nurse', { status }));
      expect(after(before)).toEqual(before);
    },
  );

  test.each(['proposed', 'suspended', 'inactive', 'entered-in-error'] as const)(
    'a participant who is %s and not in a payload with others stays so',
    (status) => {
      const before = teamOf(participant(ann, 'nurse', { status }));
      expect(after(before, wanted(lab, null)).participants).toEqual([
        ...before.participants,
        participant(lab, null, { changedAt: 200 }),
      ]);
    },
  );

  test('a participant with the same role and lead has the same date of change', () => {
    const before = teamOf(participant(ann, 'nurse', { lead: true }));
    const team = after(before, wanted(ann, 'nurse'), wanted(bob, 'doctor'));
    expect(team.participants.map(({ changedAt }) => changedAt)).toEqual([100, 200]);
  });

  test.each([
    ['its role', wanted(ann, 'doctor', true)],
    ['its lead', wanted(ann, 'nurse', false)],
  ])('a participant with another %s has a new date of change', (_what, requested) => {
    const before = teamOf(participant(ann, 'nurse', { lead: true }));
    expect(after(before, requested).participants[0]?.changedAt).toBe(200);
  });

  test('an organization that gets or loses a role has a new date of change', () => {
    const given = after(teamOf(participant(lab, null)), wanted(lab, 'nurse'));
    expect(given).toEqual(teamOf(participant(lab, 'nurse', { changedAt: 200 })));
    const lost = afterwards(given, wanted(lab, null));
    expect(lost).toEqual(teamOf(participant(lab, null, { changedAt: 300 })));
  });

  test('a changed display is shown, and is not a change of the participant', () => {
    const renamed = { ...ann, display: 'Doctor Ann Other' };
    const team = after(teamOf(participant(ann, 'nurse')), wanted(renamed, 'nurse'));
    expect(team.participants).toEqual([participant(renamed, 'nurse')]);
  });

  test('a practitioner and an organization with the same id are two members', () => {
    const house = organization('ann');
    const team = after(teamOf(participant(ann, 'nurse')), wanted(house, null));
    expect(team.participants.map(({ member, status }) => [member.type, status])).toEqual([
      ['Practitioner', 'inactive'],
      ['Organization', 'active'],
    ]);
  });
});

describe('rule 3: a practitioner can have only one role on a care team', () => {
  const once = (index: number) => `participant-once at CareTeam.participant[${index}].member`;

  test('the same practitioner in two roles is refused', () => {
    expect(refused(wanted(ann, 'nurse'), wanted(bob, 'doctor'), wanted(ann, 'dentist'))).toEqual([
      once(0),
      once(2),
    ]);
  });

  test('the same practitioner twice in one role is refused only for that', () => {
    expect(refused(wanted(ann, 'nurse'), wanted(ann, 'nurse'))).toEqual([once(0), once(1)]);
  });

  test('the same practitioner twice is refused if both are the same object', () => {
    const one = wanted(ann, 'nurse');
    expect(refused(one, one)).toEqual([once(0), once(1)]);
  });

  test('the same organization twice is refused', () => {
    expect(refused(wanted(lab, null), wanted(lab, null))).toEqual([once(0), once(1)]);
  });

  test("changing a practitioner's role is the same practitioner with another role", () => {
    const team = after(teamOf(participant(ann, 'nurse')), wanted(ann, 'doctor'));
    expect(team.participants).toEqual([participant(ann, 'doctor', { changedAt: 200 })]);
  });
});

describe('rule 4: only one practitioner can hold a given role on a care team', () => {
  test('two practitioners in one role are refused', () => {
    expect(refused(wanted(ann, 'nurse'), wanted(bob, 'nurse'))).toEqual([
      'role-taken at CareTeam.participant[0].role',
      'role-taken at CareTeam.participant[1].role',
    ]);
  });

  test('the same code of another system is another role', () => {
    const other = { ...wanted(bob, 'nurse'), role: { system: 'urn:other', code: 'nurse', display: 'Nurse' } };
    expect(after(teamOf(), wanted(ann, 'nurse'), other).participants).toHaveLength(2);
  });

  test('the display of a role does not make it another role', () => {
    const other = wanted(bob, 'nurse');
    const renamed = { ...other, role: other.role && { ...other.role, display: 'Another' } };
    expect(refused(wanted(ann, 'nurse'), renamed)).toHaveLength(2);
  });

  test('an organization can have the role of a practitioner, and of another organization', () => {
    const requested = [wanted(ann, 'nurse'), wanted(lab, 'nurse'), wanted(hospice, 'nurse')];
    expect(after(teamOf(), ...requested).participants).toHaveLength(3);
  });

  test('several organizations can take part without a role', () => {
    const requested = [wanted(lab, null), wanted(hospice, null)];
    expect(after(teamOf(), ...requested).participants).toHaveLength(2);
  });

  test('the role of a practitioner who leaves is free, and two practitioners can exchange their roles', () => {
    const before = teamOf(participant(ann, 'nurse'), participant(bob, 'doctor'));
    const exchanged = after(before, wanted(ann, 'doctor'), wanted(bob, 'nurse'));
    expect(exchanged.participants.map((one) => one.role?.code)).toEqual(['doctor', 'nurse']);
    const left = after(before, wanted(bob, 'nurse'));
    expect(left.participants.map(({ status }) => status)).toEqual(['inactive', 'active']);
  });
});

describe('rule 5: organizations cannot be the lead', () => {
  test('an organization marked as lead is refused', () => {
    expect(refused(wanted(ann, 'nurse'), wanted(lab, null, true))).toEqual([
      'organization-lead at CareTeam.participant[1].extension',
    ]);
  });

  test('an organization marked as not the lead is accepted', () => {
    expect(leads(after(teamOf(), wanted(lab, null, false)))).toEqual([]);
  });
});

describe('rule 6: only one active participant can be the lead', () => {
  const led = teamOf(participant(ann, 'nurse', { lead: true }), participant(bob, 'doctor'));

  test('two explicit leads are a violation', () => {
    expect(refused(wanted(ann, 'nurse', true), wanted(bob, 'doctor', true))).toEqual([
      'one-lead at CareTeam.participant[0].extension',
      'one-lead at CareTeam.participant[1].extension',
    ]);
  });

  test('an explicit true moves the lead', () => {
    const team = after(led, wanted(ann, 'nurse'), wanted(bob, 'doctor', true));
    expect(leads(team)).toEqual(['bob']);
    expect(team.participants.map(({ changedAt }) => changedAt)).toEqual([200, 200]);
  });

  test('an omitted extension keeps the previous lead', () => {
    expect(leads(after(led, wanted(bob, 'doctor'), wanted(ann, 'nurse')))).toEqual(['ann']);
  });

  test('the lead stays the lead in another role', () => {
    const before = teamOf(participant(ann, 'nurse', { lead: true }));
    expect(leads(after(before, wanted(ann, 'doctor')))).toEqual(['ann']);
  });

  test('an explicit false removes the lead, and leaves a team without one', () => {
    expect(leads(after(led, wanted(ann, 'nurse', false), wanted(bob, 'doctor')))).toEqual([]);
  });

  test('a false of one participant does not change the lead of another', () => {
    expect(leads(after(led, wanted(ann, 'nurse'), wanted(bob, 'doctor', false)))).toEqual(['ann']);
  });

  test('a participant who leaves is not the lead any more, even after returning', () => {
    const before = teamOf(participant(ann, 'nurse', { lead: true }));
    const left = after(before);
    expect(leads(left)).toEqual([]);
    expect(leads(afterwards(left, wanted(ann, 'nurse')))).toEqual([]);
  });
});

test('all issues are reported at once', () => {
  expect(
    refused(
      wanted(ann, 'nurse', true),
      wanted(bob, 'nurse', true),
      wanted(lab, null, true),
      wanted(hospice, null),
      wanted(hospice, null),
    ),
  ).toEqual([
    'one-lead at CareTeam.participant[0].extension',
    'one-lead at CareTeam.participant[1].extension',
    'one-lead at CareTeam.participant[2].extension',
    'organization-lead at CareTeam.participant[2].extension',
    'participant-once at CareTeam.participant[3].member',
    'participant-once at CareTeam.participant[4].member',
    'role-taken at CareTeam.participant[0].role',
    'role-taken at CareTeam.participant[1].role',
  ]);
});
