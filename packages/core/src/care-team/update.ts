import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryFault, unknown } from '../directory/faults.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import { type ClinicalError, type Fault, type Result, ruleViolation } from '../errors.ts';
import { idIn } from '../fhir/reference.ts';
import { isPresent, type Loaded, premiseOf } from '../records/record-kind.ts';
import type { Premise } from '../store/port.ts';
import { careTeamFault } from './faults.ts';
import type { CareTeamRole, Member, MemberType, Team } from './model.ts';
import { displayOf } from './names.ts';
import { leadOf, memberOf, roleOf, type UpdateBody } from './request.ts';
import { type Requested, violations } from './rules.ts';
import { upsert } from './upsert.ts';

/** A member as the directory knows it. */
type LoadedMember = {
  readonly type: MemberType;
  readonly loaded: Loaded<DirectoryEntry['Practitioner'] | DirectoryEntry['Organization']>;
};

/** Looks up every member that an update names. */
export const loadMembers =
  (directory: DirectoryRecords) =>
  (members: readonly Member[]): Result<readonly LoadedMember[]> =>
    pipe(
      members,
      TE.traverseArray(({ type, id }) =>
        pipe(
          directory.known(type, id),
          TE.map((loaded) => ({ type, loaded })),
        ),
      ),
    );

/** The premises that the names which an update shows are still those of the directory when it is committed. */
export const memberPremises = (members: readonly LoadedMember[]): readonly Premise[] =>
  members.map(({ type, loaded }) => premiseOf(directoryKinds[type], loaded));

/** Decides an update of a team: every fault of it against the rules and the stored state at once, or the new team. */
export const decideUpdate = (
  team: Team,
  body: UpdateBody,
  context: {
    readonly members: readonly LoadedMember[];
    readonly roles: readonly CareTeamRole[];
    readonly at: number;
  },
): E.Either<ClinicalError, Team> => {
  const faults: Fault[] = [];
  if (body.subject !== undefined && idIn(body.subject) !== team.patient.id) {
    faults.push(careTeamFault('subject-differs', 'CareTeam.subject'));
  }
  const requested = (body.participant ?? []).map((sent, index): Requested => {
    const element = `CareTeam.participant[${index}]`;
    const named = memberOf(sent);
    const found = context.members[index]?.loaded;
    if (found === undefined || !isPresent(found))
      faults.push(directoryFault(unknown[named.type], `${element}.member`));
    const { role, faults: roleFaults } = roleOf(sent, { roles: context.roles, element: `${element}.role` });
    faults.push(...roleFaults);
    return {
      member: { ...named, display: found?.state ? displayOf(found.state) : '' },
      role,
      lead: leadOf(sent),
    };
  });
  return faults.length > 0
    ? E.left(ruleViolation([...faults, ...violations(requested)]))
    : pipe(
        upsert(team, requested, context.at),
        E.mapLeft((broken) => ruleViolation(broken)),
      );
};
