import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryKinds } from '../directory/kinds.ts';
import { invalidRequest, type Result, ruleViolation } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { premiseOf } from '../records/change.ts';
import { resourceOf } from '../records/resource-reads.ts';
import { careTeamFault } from './faults.ts';
import {
  type CareTeam,
  type CareTeamRole,
  memberNamed,
  type ParticipantStatus,
  participantStatuses,
} from './model.ts';
import { displayOf } from './names.ts';
import { configuredRole } from './roles.ts';
import { setStatus } from './set-status.ts';
import { teamOf } from './team-changes.ts';
import { everyStatus, statusesOf } from './team-parts.ts';
import type { TeamRecords } from './team-records.ts';

/** What a host's own screens do with a care team, beyond what the interface does. */
export type CareTeamScreens = {
  /**
   * Gives a member a status; whoever was not in the team takes part from then on.
   * `member` is a reference such as `Practitioner/7`. A practitioner who is new to the team needs a `role` that is configured.
   * Errors: `InvalidRequest`, `NotFound`, `RuleViolation`, `StoreFailure`.
   */
  readonly setParticipantStatus: (
    patientId: string,
    member: string,
    status: ParticipantStatus,
    options?: { readonly by?: string; readonly role?: { readonly system: string; readonly code: string } },
  ) => Result<CareTeam>;
  /**
   * Takes every participant off the team: gone, not inactive. The history keeps them.
   * Errors: `NotFound`, `StoreFailure`.
   */
  readonly removeAllParticipants: (patientId: string, options?: { readonly by?: string }) => Result<CareTeam>;
};

const isStatus = isOneOf(participantStatuses);

export const createScreens = (
  teams: TeamRecords,
  { directory, roles }: { readonly directory: DirectoryRecords; readonly roles: readonly CareTeamRole[] },
): CareTeamScreens => ({
  setParticipantStatus: (patientId, member, status, { by = null, role: sent } = {}) => {
    const named = memberNamed(member);
    if (named === null) return TE.left(invalidRequest(careTeamFault('no-member', 'member')));
    if (!isStatus(status)) return TE.left(invalidRequest(careTeamFault('no-status', 'status')));
    const role = sent && configuredRole(roles, sent);
    if (sent !== undefined && role === undefined) {
      return TE.left(ruleViolation(careTeamFault('role-not-configured', 'role')));
    }
    return pipe(
      teams.change(patientId, {
        by,
        needed: statusesOf([named]),
        decide: (loaded) =>
          pipe(
            directory.demanded(named.type, named.id, 'member'),
            TE.map((entry) => ({
              premises: [premiseOf(directoryKinds[named.type], entry)],
              teamAt: (at) =>
                pipe(
                  setStatus(
                    teamOf(loaded),
                    { member: { ...named, display: displayOf(entry.state) }, status, role },
                    at,
                  ),
                  E.mapLeft((faults) => ruleViolation(faults)),
                ),
            })),
          ),
      }),
      TE.map(resourceOf<CareTeam>),
    );
  },

  removeAllParticipants: (patientId, { by = null } = {}) =>
    pipe(
      teams.change(patientId, {
        by,
        needed: everyStatus,
        decide: ({ active }) =>
          TE.right({
            premises: [],
            teamAt: () => E.right({ patient: active.state.patient, participants: [] }),
          }),
      }),
      TE.map(resourceOf<CareTeam>),
    ),
});
