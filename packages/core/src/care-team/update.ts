import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { unknownEntry } from '../directory/faults.ts';
import { inGroups } from '../directory/in-groups.ts';
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
import { memberKey, type Requested, violations } from './rules.ts';
import { upsert } from './upsert.ts';

/** A member as the directory knows it. */
export type LoadedMember = {
  readonly type: MemberType;
  readonly loaded: Loaded<DirectoryEntry['Practitioner'] | DirectoryEntry['Organization']>;
};

/** The members that an update names, each once, by `memberKey`. */
export type LoadedMembers = ReadonlyMap<string, LoadedMember>;

/** Looks up every member that an update names. */
export const loadMembers =
  (directory: DirectoryRecords) =>
  (members: readonly Member[]): Result<LoadedMembers> => {
    const named = new Map(members.map((member) => [memberKey({ member }), member]));
    return pipe(
      [...named],
      inGroups(([key, { type, id }]) =>
        pipe(
          directory.known(type, id),
          TE.map((loaded): readonly [string, LoadedMember] => [key, { type, loaded }]),
        ),
      ),
      TE.map((loaded) => new Map(loaded)),
    );
  };

/** The premises that the names which an update shows are still those of the directory when it is committed. */
export const memberPremises = (members: LoadedMembers): readonly Premise[] =>
  [...members.values()].map(({ type, loaded }) => premiseOf(directoryKinds[type], loaded));

/** Decides an update of a team: every fault of it against the rules and the stored state at once, or the new team. */
export const decideUpdate = (
  team: Team,
  body: UpdateBody,
  context: {
    readonly members: LoadedMembers;
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
    const found = context.members.get(memberKey({ member: named }))?.loaded;
    if (found === undefined || !isPresent(found)) faults.push(unknownEntry(named.type, `${element}.member`));
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
