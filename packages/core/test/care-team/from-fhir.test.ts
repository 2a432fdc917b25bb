import { describe, expect, test } from 'vitest';
import { careTeamFromFhir, joined, type Newcomer } from '../../src/care-team/from-fhir.ts';
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
const read = careTeamFromFhir(roles);
const careTeam = (rest: object = {}) => ({
  resourceType: 'CareTeam',
  id: 'foreign-1',
  subject: { reference: 'Patient/p1' },
  ...rest,
});

describe("another system's care team", () => {
  test('belongs to its subject, and is active if it does not say', () => {
    expect(rightOf(read(careTeam()))).toEqual({ patientId: 'p1', status: 'active', participants: [] });
    expect(rightOf(read(careTeam({ status: 'suspended' }))).status).toBe('suspended');
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
    const { participants } = rightOf(
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
      },
      { element: 'CareTeam.participant[1]', member: { type: 'Organization', id: 'lab' }, role: undefined },
      { element: 'CareTeam.participant[2]', member: null, role: undefined },
      { element: 'CareTeam.participant[3]', member: null, role: undefined },
      { element: 'CareTeam.participant[4]', member: null, role: undefined },
    ]);
  });
});

describe('those who join', () => {
  const newcomer = (
    member: ReturnType<typeof practitioner>,
    code: string | undefined,
    index = 0,
  ): Newcomer => ({
    element: `CareTeam.participant[${index}]`,
    member: { type: member.type, id: member.id },
    role: code === undefined ? undefined : role(code),
    display: member.display,
  });
  const active = { status: 'active', at: 200 } as const;
  const ann = practitioner('ann');
  const bob = practitioner('bob');
  const lab = organization('lab');

  test('take part in the status of the team that they come from', () => {
    const { team, faults } = joined(teamOf(), [newcomer(ann, 'nurse')], { status: 'proposed', at: 200 });
    expect(faults).toEqual([]);
    expect(team).toEqual(teamOf(participant(ann, 'nurse', { status: 'proposed', changedAt: 200 })));
  });

  test('leave whoever is in the team as it is, in whatever status', () => {
    const before = teamOf(participant(ann, 'nurse', { status: 'inactive' }), participant(lab, null));
    const { team, faults } = joined(before, [newcomer(ann, 'doctor'), newcomer(lab, 'nurse', 1)], active);
    expect([team, faults]).toEqual([before, []]);
  });

  test('are told where a rule keeps them out, and keep no one else out', () => {
    const { team, faults } = joined(
      teamOf(participant(ann, 'nurse')),
      [newcomer(bob, undefined, 0), newcomer(lab, undefined, 1)],
      active,
    );
    expect(team.participants.map(({ member }) => member.id)).toEqual(['ann', 'lab']);
    expect(told(faults)).toEqual(['role-required at CareTeam.participant[0]']);
  });

  test('are told once where their role is taken', () => {
    const { team, faults } = joined(teamOf(participant(ann, 'nurse')), [newcomer(bob, 'nurse', 2)], active);
    expect(team).toEqual(teamOf(participant(ann, 'nurse')));
    expect(told(faults)).toEqual(['role-taken at CareTeam.participant[2]']);
  });

  test('are told where they are no members that take part here, or that nobody knows', () => {
    const stranger = { ...newcomer(ann, 'nurse', 0), display: null };
    const device = { ...newcomer(ann, 'nurse', 1), member: null };
    const { team, faults } = joined(teamOf(), [stranger, device], active);
    expect(team).toEqual(teamOf());
    expect(told(faults)).toEqual([
      'no-member at CareTeam.participant[0].member',
      'no-member at CareTeam.participant[1].member',
    ]);
  });
});
