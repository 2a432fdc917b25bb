import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Following } from '../directory/following.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { asFailure, type ClinicalError, type Result } from '../errors.ts';
import { idIn } from '../fhir/reference.ts';
import { actOn, premiseOf } from '../records/change.ts';
import { isPresent, type Loaded, load } from '../records/load.ts';
import { pause } from '../records/pause.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { Match } from '../store/port.ts';
import { careTeamKind, teamChanges } from './kind.ts';
import { type CareTeam, isSameMember, type MemberType, type Team, type TeamRecord } from './model.ts';

type MemberEntry = DirectoryEntry[MemberType];

/** The name under which a member shows in care teams. */
export const displayOf = (entry: MemberEntry): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');

/** The team with the name of a member as it is now. */
const renamed = (team: Team, type: MemberType, entry: MemberEntry): Team => {
  const member = { type, id: entry.id, display: displayOf(entry) };
  return {
    ...team,
    participants: team.participants.map((one) =>
      isSameMember(one.member, member) ? { ...one, member } : one,
    ),
  };
};

/** How many teams are renamed in one commit: another write to any of them has all of these decided anew. */
const atOnce = 100;

/** Renames in a group of teams, and answers the position of the last of them; null where there are no more. */
type Renaming = Decision<number | null>;

/** The changes of care teams that follow from an entry of the directory: a new patient's team, and names anew. */
export const followNames = ({ store, now, extensionBase }: Environment): Following => {
  const kind = careTeamKind(extensionBase);
  const changesOf = (team: Loaded<TeamRecord>, next: Team, at: number) =>
    teamChanges(kind)(team, next, actOn(team, { at, by: null }));
  const teamIn = ({ resource }: Match) => load(store, kind, idIn((JSON.parse(resource) as CareTeam).subject));

  /** Renames a member, in whatever status, in the next teams after a position. */
  const renaming = (
    type: MemberType,
    entry: MemberEntry,
    { at, after }: { readonly at: number; readonly after: number },
  ): Result<Renaming> =>
    pipe(
      store.search({
        type: 'CareTeam',
        conditions: [{ on: 'reference', parameter: 'participant', anyOf: [{ type, id: entry.id }] }],
        start: { after },
        count: atOnce,
      }),
      TE.mapLeft(asFailure),
      TE.flatMap(({ matches }) =>
        pipe(
          matches,
          TE.traverseArray(teamIn),
          TE.map((teams) => ({
            changes: teams
              .filter(isPresent)
              .flatMap((team) => changesOf(team, renamed(team.state, type, entry), at)),
            answer: matches.length < atOnce ? null : (matches.at(-1)?.position ?? null),
          })),
        ),
      ),
    );

  /** The same, by the name that the directory has by then: another put may have brought a newer one. */
  const renamingAnew = <Type extends MemberType>(type: Type, id: string, after: number): Result<Renaming> =>
    pipe(
      load(store, directoryKinds[type], id),
      TE.flatMap((entry) =>
        isPresent(entry)
          ? pipe(
              renaming(type, entry.state, { at: now(), after }),
              TE.map((decision) => ({ ...decision, premises: [premiseOf(directoryKinds[type], entry)] })),
            )
          : TE.right<ClinicalError, Renaming>({ changes: [], answer: null }),
      ),
    );

  return {
    patient: (entry, at) =>
      pipe(
        load(store, kind, entry.id),
        TE.map((team) => {
          // When a patient was modified is read with the patient, and makes no version of a team.
          const { lastModified } = team.state?.patient ?? entry;
          const participants = team.state?.participants ?? [];
          return changesOf(team, { patient: { ...entry, lastModified }, participants }, at);
        }),
      ),

    member: (type, entry, at) =>
      pipe(
        renaming(type, entry, { at, after: 0 }),
        TE.map(({ changes }) => changes),
      ),

    // Whatever others write meanwhile, no record before the position reached gets the old name: a member who leaves moves
    // from the first record of a team to a later one, and one who joins or comes back is given the newest name.
    memberAfterwards: (type, id) => async () => {
      const renameAfter = (after: number) => transact(store)(renamingAnew(type, id, after))();
      let last = await renameAfter(0);
      while (E.isRight(last) && last.right !== null) {
        await pause();
        last = await renameAfter(last.right);
      }
      return last;
    },
  };
};
