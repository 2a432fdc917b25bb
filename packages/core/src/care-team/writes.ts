import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as z from 'zod';
import type { ChartLimit, WriteOptions } from '../access/chart-limit.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import {
  displayOf,
  type ParticipantStatus,
  participantStatuses,
  unknownEntryIssue,
} from '../directory/model.ts';
import { type ClinicalError, type Issue, invalidRequest, type Outcome, ruleViolation } from '../errors.ts';
import { code, text } from '../fhir/element.ts';
import { isOneOf } from '../fhir/schema.ts';
import type { EithersOf } from '../outcome.ts';
import { lookUpInGroups } from '../records/include.ts';
import { type ResourceVersion, reportWritten } from '../records/page.ts';
import { parseResource } from '../records/resource-reads.ts';
import { createVersionCheck, recordExists } from '../records/transact.ts';
import type { VersionCheck } from '../store/port.ts';
import type { CareTeamUpdate, SentParticipant } from './bodies.ts';
import {
  type CareTeam,
  type CareTeamRole,
  type CareTeamState,
  type Member,
  type MemberReference,
  parseMember,
} from './model.ts';
import {
  careTeamIssue,
  checkParticipants,
  findConfiguredRole,
  memberKey,
  type RequestedParticipant,
  requireConfiguredRole,
  roleNotConfiguredIssue,
  type StatusChange,
  setStatus,
  upsert,
} from './rules.ts';
import { stateOf, type Team, type TeamRecords } from './team-records.ts';

/** The names of members, by `memberKey`, as far as the directory knows them. */
export type MemberNames = ReadonlyMap<string, string>;

/** Looks up each member of an update once. The version checks fail if a member is renamed before the commit. */
export const loadMemberNames =
  (directory: Pick<DirectoryRecords, 'find'>) =>
  async (
    participants: readonly SentParticipant[],
  ): Outcome<{ readonly names: MemberNames; readonly versionChecks: readonly VersionCheck[] }> => {
    const members = new Map(participants.map((sent) => [memberKey(sent), sent.member]));
    const findMember = ({ type, id }: Member) => directory.find(type, id);
    const entries = await lookUpInGroups(findMember)([...members.values()]);
    if (E.isLeft(entries)) return entries;
    const names = new Map<string, string>();
    const versionChecks = [...members].map(([key, { type }], index) => {
      const loaded = entries.right[index] as (typeof entries.right)[number];
      if (recordExists(loaded)) names.set(key, displayOf(loaded.state));
      return createVersionCheck({ type }, loaded);
    });
    return E.right({ names, versionChecks });
  };

/** Decides an update of a team: the new team, or every issue against the rules and the stored state at once. */
export const decideUpdate = (
  team: CareTeamState,
  { patientId, common, participants }: CareTeamUpdate,
  { names, roles, at }: { names: MemberNames; roles: readonly CareTeamRole[]; at: number },
): E.Either<ClinicalError, CareTeamState> => {
  const issues: Issue[] = [];
  if (patientId !== undefined && patientId !== team.patient.id) {
    issues.push(careTeamIssue('subject-differs', 'CareTeam.subject'));
  }
  const requested = participants.map((sent, index): RequestedParticipant => {
    const element = `CareTeam.participant[${index}]`;
    const { member, lead, hasEnded } = sent;
    if (hasEnded) issues.push(careTeamIssue('participant-ended', `${element}.period`));
    const display = names.get(memberKey(sent));
    if (display === undefined) issues.push(unknownEntryIssue(member.type, `${element}.member`));
    const role = requireConfiguredRole(sent, { roles, element: `${element}.role` });
    if (E.isLeft(role)) issues.push(role.left);
    return { member: { ...member, display: display ?? '' }, role: E.isLeft(role) ? null : role.right, lead };
  });
  if (issues.length > 0) return E.left(ruleViolation([...issues, ...checkParticipants(requested)]));
  const before = common === undefined ? team : { ...team, common: { ...team.common, ...common } };
  const updated = upsert(before, requested, at);
  return E.isLeft(updated) ? E.left(ruleViolation(updated.left)) : updated;
};

/** The options of every write of a care team. */
type TeamWriteOptions = Omit<WriteOptions, 'handling'>;

/** Changes to a care team that the host's own screens can make and the HTTP interface cannot. */
export type CareTeamHostActions = {
  /**
   * Gives a member a status. A member who was not on the team joins it.
   * `member` is a reference such as `Practitioner/7`. A practitioner who is new to the team needs a `role` that is configured,
   * equal in system and code; its display comes from the configuration.
   * Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `RuleViolation`, `StoreFailure`.
   */
  readonly setParticipantStatus: (
    patientId: string,
    member: MemberReference,
    status: ParticipantStatus,
    options?: TeamWriteOptions & {
      readonly role?: Pick<CareTeamRole, 'system' | 'code'> & Partial<CareTeamRole>;
    },
  ) => Promise<CareTeam>;
  /**
   * Takes every participant off the team: gone, not inactive. The history keeps them.
   * Errors: `NotFound`, `Forbidden`, `StoreFailure`.
   */
  readonly removeAllParticipants: (patientId: string, options?: TeamWriteOptions) => Promise<CareTeam>;
};

/** The body of a request that gives a member of a team a status. */
export const participantStatusSchema = z.strictObject({
  /** The practitioner or the organization, such as `Practitioner/7`. */
  member: z
    .string()
    .describe('The practitioner or the organization.')
    .meta({ examples: ['Practitioner/7'] }),
  status: z.enum(participantStatuses),
  role: z
    .strictObject({ system: text, code, display: text.optional() })
    .optional()
    .describe('A configured role. Only a practitioner who is new to the team needs it.'),
});

const isStatus = isOneOf(participantStatuses);

/** A change of the status of a member, which may be malformed. */
type StatusRequest = {
  readonly member: string;
  readonly status: string;
  readonly role?: { readonly system?: string | undefined; readonly code?: string | undefined } | undefined;
};

/** Parses a change of the status of a member. */
const parseStatusRequest = (
  { member: reference, status, role: coding }: StatusRequest,
  roles: readonly CareTeamRole[],
): E.Either<ClinicalError, Pick<StatusChange, 'status' | 'role'> & { readonly member: Member }> => {
  const member = parseMember(reference);
  if (member === null) return E.left(invalidRequest(careTeamIssue('invalid-member', 'member')));
  if (!isStatus(status)) return E.left(invalidRequest(careTeamIssue('participant-status', 'status')));
  const role = coding && findConfiguredRole(roles, coding);
  return coding !== undefined && role === undefined
    ? E.left(ruleViolation(roleNotConfiguredIssue(roles, 'role')))
    : E.right({ member, status, role });
};

/** Writes the team of a patient, if it is and stays within the reach of the caller. */
export type TeamWriter = (
  patientId: string,
  limit: ChartLimit,
  change: (on: DirectoryRecords) => Outcome<ResourceVersion>,
) => Outcome<ResourceVersion>;

/** The sources of the writes of members. */
type MemberWrites = {
  readonly roles: readonly CareTeamRole[];
  readonly write: TeamWriter;
};

/** Gives a member of a team a status. `requireTeam` checks the team before. */
export const createSetStatus =
  (teams: TeamRecords, { roles, write }: MemberWrites) =>
  async (
    patientId: string,
    request: StatusRequest,
    {
      by,
      requireTeam = () => E.right(undefined),
      ...limit
    }: TeamWriteOptions & {
      readonly requireTeam?: (team: Team) => E.Either<ClinicalError, void>;
    } = {},
  ): Outcome<ResourceVersion> => {
    const parsed = parseStatusRequest(request, roles);
    const changed = write(patientId, limit, async (on) => {
      if (E.isLeft(parsed)) return parsed;
      const { member, status, role } = parsed.right;
      return teams.change(on, patientId, {
        by: by ?? null,
        decide: async (loaded) => {
          const required = requireTeam(loaded);
          if (E.isLeft(required)) return required;
          const entry = await on.require(member.type, member.id, 'member');
          if (E.isLeft(entry)) return entry;
          const named = { ...member, display: displayOf(entry.right.state) };
          return E.right({
            versionChecks: [createVersionCheck({ type: member.type }, entry.right)],
            teamAt: (at) => {
              const team = setStatus(stateOf(loaded), { member: named, status, role }, at);
              return E.isLeft(team) ? E.left(ruleViolation(team.left)) : team;
            },
          });
        },
      });
    });
    return reportWritten('CareTeam', limit, changed);
  };

export const createHostActions = (
  teams: TeamRecords,
  writes: MemberWrites,
): EithersOf<CareTeamHostActions> => ({
  setParticipantStatus: async (patientId, member, status, { role, ...options } = {}) =>
    pipe(
      await createSetStatus(teams, writes)(patientId, { member, status, role }, options),
      E.map(parseResource<CareTeam>),
    ),

  removeAllParticipants: async (patientId, { by = null, ...limit } = {}) => {
    const changed = writes.write(patientId, limit, (on) =>
      teams.change(on, patientId, {
        by,
        decide: async (loaded) =>
          E.right({
            versionChecks: [],
            teamAt: () => E.right({ ...stateOf(loaded), participants: [] }),
          }),
      }),
    );
    return pipe(await reportWritten('CareTeam', limit, changed), E.map(parseResource<CareTeam>));
  },
});
