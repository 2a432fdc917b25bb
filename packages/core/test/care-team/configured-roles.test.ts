import { describe, expect, test } from 'vitest';
import type { SentParticipant } from '../../src/care-team/bodies.ts';
import { parseRoles, requireConfiguredRole } from '../../src/care-team/rules.ts';
import { role } from '../builders.ts';
import { describeIssues, leftOf, rightOf } from '../results.ts';

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

test('other properties of a configured role are not shown in care teams, because a PUT could not send them back', () => {
  expect(parseRoles([{ ...cardiologist, rank: 2 } as typeof cardiologist])).toEqual([cardiologist]);
});

test('the roles are copied when they are configured, so a later change of the list has no effect', () => {
  const given = [{ ...cardiologist }];
  const roles = parseRoles(given);
  given.push(cardiologist);
  Object.assign(given[0] ?? {}, { display: '' });
  expect(roles).toEqual([cardiologist]);
});

describe('a role has exactly one coding, equal in system and code to a configured role', () => {
  const context = { roles: [role('doctor'), role('nurse')], element: 'CareTeam.participant[3].role' };
  const sent = (...codings: SentParticipant['codings']): SentParticipant => ({
    member: { type: 'Practitioner', id: 'ann' },
    codings,
    hasEnded: false,
    lead: undefined,
  });
  const refusal = (...codings: SentParticipant['codings']) =>
    describeIssues([leftOf(requireConfiguredRole(sent(...codings), context))]);
  const notConfigured = 'role-not-configured at CareTeam.participant[3].role';

  test('the display is that of the configuration', () => {
    const named = { ...role('nurse'), display: 'What the client calls it' };
    expect(rightOf(requireConfiguredRole(sent(named), context))).toEqual(role('nurse'));
  });

  test('a code that is not configured is refused', () => {
    expect(refusal(role('wizard'))).toEqual([notConfigured]);
  });

  test('a configured code of another system is refused', () => {
    expect(refusal({ ...role('nurse'), system: 'urn:other' })).toEqual([notConfigured]);
  });

  test('two roles are refused', () => {
    expect(refusal(...context.roles)).toEqual(['one-role at CareTeam.participant[3].role']);
  });

  test('a participant who is sent without a role has none', () => {
    expect(rightOf(requireConfiguredRole(sent(), context))).toBeNull();
  });
});
