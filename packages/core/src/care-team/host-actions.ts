import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { type ParticipantStatus, participantStatuses } from '../directory/team-id.ts';
import { invalidRequest, ruleViolation } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { EithersOf } from '../outcome.ts';
import { createVersionCheck } from '../records/record-change.ts';
import { parseResource } from '../records/resource-reads.ts';
import { findConfiguredRole } from './configured-roles.ts';
import { careTeamIssue } from './issues.ts';
import { type CareTeam, type CareTeamRole, type MemberReference, parseMember } from './model.ts';
import { everyStatus, statusesOfMembers } from './needed-statuses.ts';
import { setStatus } from './set-status.ts';
import type { TeamRecords } from './team-records.ts';
import { teamOf } from './team-snapshot.ts';

/** Changes to a care team that the host's own screens can make and the HTTP interface cannot. */
export type CareTeamHostActions = {
  /**
   * Gives a member a status. A member who was not on the team joins it.
   * `member` is a reference such as `Practitioner/7`. A practitioner who is new to the team needs a `role` that is configured.
   * Errors: `InvalidRequest`, `NotFound`, `RuleViolation`, `StoreFailure`.
   */
  readonly setParticipantStatus: (
    patientId: string,
    member: MemberReference,
    status: ParticipantStatus,
    options?: {
      readonly by?: AuthorReference;
      readonly role?: { readonly system: string; readonly code: string };
    },
  ) => Promise<CareTeam>;
  /**
   * Takes every participant off the team: gone, not inactive. The history keeps them.
   * Errors: `NotFound`, `StoreFailure`.
   */
  readonly removeAllParticipants: (
    patientId: string,
    options?: { readonly by?: AuthorReference },
  ) => Promise<CareTeam>;
};

const isStatus = isOneOf(participantStatuses);

export const createHostActions = (
  teams: TeamRecords,
  { directory, roles }: { readonly directory: DirectoryRecords; readonly roles: readonly CareTeamRole[] },
): EithersOf<CareTeamHostActions> => ({
  setParticipantStatus: async (patientId, member, status, { by = null, role: roleCoding } = {}) => {
    const memberRef = parseMember(member);
    if (memberRef === null) return E.left(invalidRequest(careTeamIssue('invalid-member', 'member')));
    if (!isStatus(status)) return E.left(invalidRequest(careTeamIssue('participant-status', 'status')));
    const role = roleCoding && findConfiguredRole(roles, roleCoding);
    if (roleCoding !== undefined && role === undefined) {
      return E.left(ruleViolation(careTeamIssue('role-not-configured', 'role')));
    }
    const changed = teams.change(directory, patientId, {
      by,
      neededStatuses: statusesOfMembers([memberRef]),
      decide: async (loaded) => {
        const entry = await directory.require(memberRef.type, memberRef.id, 'member');
        if (E.isLeft(entry)) return entry;
        const named = { ...memberRef, display: displayOf(entry.right.state) };
        return E.right({
          versionChecks: [createVersionCheck(directoryRecordDefinitions[memberRef.type], entry.right)],
          teamAt: (at) => {
            const team = setStatus(teamOf(loaded), { member: named, status, role }, at);
            return E.isLeft(team) ? E.left(ruleViolation(team.left)) : team;
          },
        });
      },
    });
    return pipe(await changed, E.map(parseResource<CareTeam>));
  },

  removeAllParticipants: async (patientId, { by = null } = {}) => {
    const changed = teams.change(directory, patientId, {
      by,
      neededStatuses: everyStatus,
      decide: async ({ active }) =>
        E.right({
          versionChecks: [],
          teamAt: () => E.right({ patient: active.state.patient, participants: [] }),
        }),
    });
    return pipe(await changed, E.map(parseResource<CareTeam>));
  },
});
