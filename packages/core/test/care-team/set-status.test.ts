import { expect, test } from 'vitest';
import type { CareTeamState, Participant } from '../../src/care-team/model.ts';
import { setStatus } from '../../src/care-team/rules.ts';
import { participantStatuses } from '../../src/directory/model.ts';
import { organization, participant, practitioner, role, teamOf } from '../builders.ts';
import { describeIssues, leftOf, rightOf } from '../results.ts';

const ann = practitioner('ann');
const bob = practitioner('bob');
const lab = organization('lab');

const setting =
  (at: number) =>
  (before: CareTeamState, member: Participant['member'], status: Participant['status'], code?: string) =>
    setStatus(before, { member, status, role: code === undefined ? undefined : role(code) }, at);
const [set, setLater] = [setting(200), setting(300)];

test.each(participantStatuses)('a member of the team can be set to %s', (status) => {
  const before = teamOf(participant(ann, 'nurse', { status: 'proposed' }), participant(bob, 'doctor'));
  const team = rightOf(set(before, ann, status));
  expect(team).toEqual(
    teamOf(
      participant(ann, 'nurse', { status, changedAt: status === 'proposed' ? 100 : 200 }),
      participant(bob, 'doctor'),
    ),
  );
});

test.each(participantStatuses)('a person who was not a member becomes one, as %s', (status) => {
  const organizationOfSameId = participant(organization('ann'), null);
  const before = teamOf(organizationOfSameId);
  const team = rightOf(set(before, ann, status, 'nurse'));
  expect(team).toEqual(teamOf(organizationOfSameId, participant(ann, 'nurse', { status, changedAt: 200 })));
});

test('an organization can be added without a role', () => {
  const team = rightOf(set(teamOf(), lab, 'active'));
  expect(team).toEqual(teamOf(participant(lab, null, { changedAt: 200 })));
});

test('a practitioner who is new to the team needs a role', () => {
  const result = set(teamOf(), ann, 'proposed');
  expect(describeIssues(leftOf(result))).toEqual(['role-required at participant.role']);
});

test('a given role replaces the previous one', () => {
  const before = teamOf(participant(ann, 'nurse'));
  const team = rightOf(set(before, ann, 'active', 'doctor'));
  expect(team).toEqual(teamOf(participant(ann, 'doctor', { changedAt: 200 })));
});

test('only one practitioner can hold a given role: a second one cannot be made active', () => {
  const before = teamOf(participant(ann, 'nurse'), participant(bob, 'nurse', { status: 'suspended' }));
  const result = set(before, bob, 'active');
  expect(describeIssues(leftOf(result))).toEqual(['role-taken at participant.role']);
});

test('the role of an active practitioner can be that of one who is not active', () => {
  const before = teamOf(participant(ann, 'nurse'));
  const team = rightOf(set(before, bob, 'proposed', 'nurse'));
  expect(team.participants).toHaveLength(2);
});

test('a lead who is no longer active is not the lead any more, even after returning', () => {
  const before = teamOf(participant(ann, 'nurse', { lead: true }));
  const away = rightOf(set(before, ann, 'suspended'));
  expect(away).toEqual(teamOf(participant(ann, 'nurse', { status: 'suspended', changedAt: 200 })));
  const back = rightOf(setLater(away, ann, 'active'));
  expect(back).toEqual(teamOf(participant(ann, 'nurse', { changedAt: 300 })));
});

test('a lead who stays active stays the lead, and unchanged', () => {
  const before = teamOf(participant(ann, 'nurse', { lead: true }));
  expect(rightOf(set(before, ann, 'active'))).toEqual(before);
});

test('a member who is made active can have the role of one who is no longer active', () => {
  const before = teamOf(participant(ann, 'nurse', { status: 'inactive' }));
  const team = rightOf(set(before, bob, 'active', 'nurse'));
  expect(team.participants.map(({ status }) => status)).toEqual(['inactive', 'active']);
});
