import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { unknownEntry } from '../directory/faults.ts';
import { inGroups } from '../directory/in-groups.ts';
import { directoryKinds } from '../directory/kinds.ts';
import { type ClinicalError, type Fault, type Result, ruleViolation } from '../errors.ts';
import { premiseOf } from '../records/change.ts';
import { isPresent } from '../records/load.ts';
import type { Premise } from '../store/port.ts';
import { careTeamFault } from './faults.ts';
import type { CareTeamRole, Team } from './model.ts';
import { displayOf } from './names.ts';
import type { SentParticipant, Update } from './request.ts';
import { roleOf } from './roles.ts';
import { memberKey, type Requested, violations } from './rules.ts';
import { type NeededStatuses, statusesOf } from './team-parts.ts';
import { endedByEmptyUpdate, upsert } from './upsert.ts';

/** The names of members, by `memberKey`, as far as the directory knows them. */
export type MemberNames = ReadonlyMap<string, string>;

/** Looks up every member that an update names, each once; its premises are that they keep their names until it is committed. */
export const loadNames =
  (directory: Pick<DirectoryRecords, 'known'>) =>
  (
    participants: readonly SentParticipant[],
  ): Result<{ readonly names: MemberNames; readonly premises: readonly Premise[] }> => {
    const mentioned = new Map(participants.map((one) => [memberKey(one), one.member]));
    return pipe(
      [...mentioned],
      inGroups(([key, { type, id }]) =>
        pipe(
          directory.known(type, id),
          TE.map((loaded) => ({ key, type, loaded })),
        ),
      ),
      TE.map((found) => ({
        names: new Map(
          found.flatMap(({ key, loaded }) =>
            isPresent(loaded) ? [[key, displayOf(loaded.state)] as const] : [],
          ),
        ),
        premises: found.map(({ type, loaded }) => premiseOf(directoryKinds[type], loaded)),
      })),
    );
  };

/** What an update needs to know of a team: without participants it inactivates those who are proposed or suspended, too. */
export const statusesFor = (participants: readonly SentParticipant[]): NeededStatuses =>
  participants.length === 0 ? () => endedByEmptyUpdate : statusesOf(participants.map(({ member }) => member));

/** Decides an update of a team: every fault of it against the rules and the stored state at once, or the new team. */
export const decideUpdate = (
  team: Team,
  { patientId, participants }: Update,
  {
    names,
    roles,
    at,
  }: {
    readonly names: MemberNames;
    readonly roles: readonly CareTeamRole[];
    readonly at: number;
  },
): E.Either<ClinicalError, Team> => {
  const faults: Fault[] = [];
  if (patientId !== undefined && patientId !== team.patient.id) {
    faults.push(careTeamFault('subject-differs', 'CareTeam.subject'));
  }
  const requested = participants.map((sent, index): Requested => {
    const element = `CareTeam.participant[${index}]`;
    const { member, lead } = sent;
    const display = names.get(memberKey(sent));
    if (display === undefined) faults.push(unknownEntry(member.type, `${element}.member`));
    const role = roleOf(sent, { roles, element: `${element}.role` });
    if (E.isLeft(role)) faults.push(role.left);
    return { member: { ...member, display: display ?? '' }, role: E.isLeft(role) ? null : role.right, lead };
  });
  return faults.length > 0
    ? E.left(ruleViolation([...faults, ...violations(requested)]))
    : pipe(
        upsert(team, requested, at),
        E.mapLeft((broken) => ruleViolation(broken)),
      );
};
