import type { MemberReference } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { nurse } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { membersOf } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';

onEveryStore("a host's own screens of a care team", (clinic) => {
  const participants = async (id: string) => membersOf(await clinic().records.careTeams.read(id));

  test('an unknown status is refused, and the participant does not change', async () => {
    const { setParticipantStatus } = clinic().records.careTeams;
    await setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: nurse });
    for (const status of ['Active', '', null]) {
      expect(
        await outcomeOf(setParticipantStatus('amy', 'Practitioner/ada', status as 'active')),
      ).toMatchObject({
        left: { _tag: 'InvalidRequest', issues: [{ rule: 'participant-status', expression: 'status' }] },
      });
    }
    expect(await participants('amy')).toEqual(['Practitioner/ada']);
  });

  test.each([
    ['Patient/amy', {}, 'InvalidRequest', 'invalid-member', 'member'],
    ['Practitioner/nobody', { role: nurse }, 'RuleViolation', 'unknown-practitioner', 'member'],
    ['Practitioner/ada', { role: { ...nurse, code: '0' } }, 'RuleViolation', 'role-not-configured', 'role'],
    ['Practitioner/ada', {}, 'RuleViolation', 'role-required', 'participant.role'],
  ])(
    'a member that cannot be on a team is refused: %s as %j',
    async (member, options, _tag, rule, expression) => {
      const { setParticipantStatus } = clinic().records.careTeams;
      expect(
        await outcomeOf(setParticipantStatus('amy', member as MemberReference, 'active', options)),
      ).toMatchObject({
        left: { _tag, issues: [{ rule, expression }] },
      });
    },
  );

  test('the host actions accept the id of a patient, and not that of a part of the team', async () => {
    const { setParticipantStatus, removeAllParticipants } = clinic().records.careTeams;
    await setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: nurse });
    await setParticipantStatus('amy', 'Organization/lab', 'inactive');
    for (const id of ['amy.inactive', 'amy.active']) {
      const refused = { left: { _tag: 'NotFound', resourceType: 'CareTeam', id } };
      expect(await outcomeOf(removeAllParticipants(id))).toMatchObject(refused);
      expect(await outcomeOf(setParticipantStatus(id, 'Practitioner/ada', 'inactive'))).toMatchObject(
        refused,
      );
    }
    expect(await participants('amy')).toEqual(['Practitioner/ada']);
    expect(await participants('amy.inactive')).toEqual(['Organization/lab']);
  });
});
