import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { unknownEntryIssue } from '../directory/issues.ts';
import { displayOf } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { type ClinicalError, type Issue, type Outcome, ruleViolation } from '../errors.ts';
import { recordExists } from '../records/load.ts';
import { lookUpInGroups } from '../records/look-up-in-groups.ts';
import { createVersionCheck } from '../records/record-change.ts';
import type { VersionCheck } from '../store/port.ts';
import { requireConfiguredRole } from './configured-roles.ts';
import { careTeamIssue } from './issues.ts';
import type { CareTeamRole, CareTeamState, Member } from './model.ts';
import { type NeededStatuses, statusesOfMembers } from './needed-statuses.ts';
import { checkParticipants, memberKey, type RequestedParticipant } from './participant-rules.ts';
import type { CareTeamUpdate, SentParticipant } from './request-bodies.ts';
import { statusesEndedByEmptyUpdate, upsert } from './upsert.ts';

/** The names of members, by `memberKey`, as far as the directory knows them. */
export type MemberNames = ReadonlyMap<string, string>;

/** Looks up each member of an update once. The version checks fail if a member is renamed before the commit. */
export const loadMemberNames =
  (directory: Pick<DirectoryRecords, 'find'>) =>
  async (
    participants: readonly SentParticipant[],
  ): Outcome<{ readonly names: MemberNames; readonly versionChecks: readonly VersionCheck[] }> => {
    const members = new Map(participants.map((one) => [memberKey(one), one.member]));
    const findMember = async (member: Member) =>
      pipe(
        await directory.find(member.type, member.id),
        E.map((loaded) => ({ member, loaded })),
      );
    const found = await lookUpInGroups(findMember)([...members.values()]);
    if (E.isLeft(found)) return found;
    const names = found.right.flatMap(({ member, loaded }) =>
      recordExists(loaded) ? [[memberKey({ member }), displayOf(loaded.state)] as const] : [],
    );
    const versionChecks = found.right.map(({ member: { type }, loaded }) =>
      createVersionCheck(directoryRecordDefinitions[type], loaded),
    );
    return E.right({ names: new Map(names), versionChecks });
  };

/** The statuses that an update reads. An update without participants also ends the proposed and the suspended ones. */
export const statusesForUpdate = (participants: readonly SentParticipant[]): NeededStatuses =>
  participants.length === 0
    ? () => statusesEndedByEmptyUpdate
    : statusesOfMembers(participants.map(({ member }) => member));

/** Decides an update of a team: the new team, or every issue against the rules and the stored state at once. */
export const decideUpdate = (
  team: CareTeamState,
  { patientId, participants }: CareTeamUpdate,
  {
    names,
    roles,
    at,
  }: {
    readonly names: MemberNames;
    readonly roles: readonly CareTeamRole[];
    readonly at: number;
  },
): E.Either<ClinicalError, CareTeamState> => {
  const issues: Issue[] = [];
  if (patientId !== undefined && patientId !== team.patient.id) {
    issues.push(careTeamIssue('subject-differs', 'CareTeam.subject'));
  }
  const requested = participants.map((sent, index): RequestedParticipant => {
    const element = `CareTeam.participant[${index}]`;
    const { member, lead } = sent;
    const display = names.get(memberKey(sent));
    if (display === undefined) issues.push(unknownEntryIssue(member.type, `${element}.member`));
    const role = requireConfiguredRole(sent, { roles, element: `${element}.role` });
    if (E.isLeft(role)) issues.push(role.left);
    return { member: { ...member, display: display ?? '' }, role: E.isLeft(role) ? null : role.right, lead };
  });
  if (issues.length > 0) return E.left(ruleViolation([...issues, ...checkParticipants(requested)]));
  const updated = upsert(team, requested, at);
  return E.isLeft(updated) ? E.left(ruleViolation(updated.left)) : updated;
};
