import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Following } from '../directory/following.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { asFailure, type ClinicalError, type Result } from '../errors.ts';
import { actOn, changeTo, premiseOf } from '../records/change.ts';
import { absent, isPresent, load } from '../records/load.ts';
import { pause } from '../records/pause.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { Change, Match } from '../store/port.ts';
import { careTeamKind } from './kind.ts';
import {
  type ActivePart,
  isSameMember,
  type Member,
  type MemberType,
  type Participant,
  participantStatuses,
  type Team,
} from './model.ts';
import { type LoadedTeam, teamOf } from './team-changes.ts';
import { parseTeamId } from './team-id.ts';
import { createTeamParts, everyStatus } from './team-parts.ts';

type MemberEntry = DirectoryEntry[MemberType];

/** The name under which a member shows in care teams. */
export const displayOf = (entry: MemberEntry): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');

const withName = (team: Team, member: Participant['member']): Team => ({
  ...team,
  participants: team.participants.map((one) => (isSameMember(one.member, member) ? { ...one, member } : one)),
});

/** The team of a new patient: active, and without participants. */
const newTeam = (patient: Team['patient']): ActivePart => ({
  status: 'active',
  patient,
  participants: [],
  changedAt: 0,
  otherStatuses: [],
});

const isSameName = (one: Team['patient'], other: Team['patient']): boolean =>
  one.lastName === other.lastName && one.firstName === other.firstName;

/** How many teams are renamed in one commit: another write to any of them has all of these decided anew. */
const atOnce = 100;

/** Renames in a group of teams, and answers the id of the last of them; null where there are no more. */
type Renaming = Decision<string | null>;

/** The changes of care teams that follow from an entry of the directory: a new patient's team, and names anew. */
export const followNames = ({ store, now, extensionBase }: Environment): Following => {
  const kind = careTeamKind(extensionBase);
  const { load: loadTeam, changes } = createTeamParts(store, kind);

  /** The team that a search found by a member, with the part in which the member was found, or is by now. */
  const teamWith = (member: Member, { id }: Match): Result<LoadedTeam | null> => {
    const { patientId, suffix } = parseTeamId(id);
    return pipe(
      loadTeam(patientId, () => [suffix ?? 'active']),
      TE.flatMap((team) =>
        team === null || teamOf(team).participants.some((one) => isSameMember(one.member, member))
          ? TE.right(team)
          : loadTeam(patientId, everyStatus),
      ),
    );
  };

  /** Renames a member, in whatever status, in the next teams after one; null begins. */
  const renaming = (
    type: MemberType,
    entry: MemberEntry,
    { at, after }: { readonly at: number; readonly after: string | null },
  ): Result<Renaming> => {
    const member = { type, id: entry.id, display: displayOf(entry) };
    const changesIn = (match: Match): Result<readonly Change[]> =>
      pipe(
        teamWith(member, match),
        TE.flatMap((team) =>
          team === null
            ? TE.right([])
            : changes(team, withName(teamOf(team), member), actOn(team.active, { at, by: null })),
        ),
      );
    return pipe(
      store.search({
        type: 'CareTeam',
        conditions: [{ on: 'reference', parameter: 'participant', anyOf: [{ type, id: entry.id }] }],
        start: after === null ? { offset: 0 } : { after },
        count: atOnce,
        withTotal: false,
      }),
      TE.mapLeft(asFailure),
      TE.flatMap(({ matches, hasMore }) =>
        pipe(
          matches,
          TE.traverseArray(changesIn),
          TE.map((made) => ({
            changes: made.flat(),
            answer: hasMore ? (matches.at(-1)?.id ?? null) : null,
          })),
        ),
      ),
    );
  };

  /** The same, by the name that the directory has by then: another put may have brought a newer one. */
  const renamingAnew = <Type extends MemberType>(
    type: Type,
    id: string,
    after: string | null,
  ): Result<Renaming> =>
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

  /** Renames a member in all teams, in the order of their records, and answers in how many groups. */
  const renameAll = async (type: MemberType, id: string): Promise<E.Either<ClinicalError, number>> => {
    let after: string | null = null;
    let groups = 0;
    do {
      if (groups > 0) await pause();
      const renamed: E.Either<ClinicalError, string | null> = await transact(store)(
        renamingAnew(type, id, after),
      )();
      if (E.isLeft(renamed)) return renamed;
      after = renamed.right;
      groups += 1;
    } while (after !== null);
    return E.right(groups);
  };

  return {
    patient: (entry, at) =>
      pipe(
        // All parts show the patient's name.
        loadTeam(entry.id, ({ patient }) => (isSameName(patient, entry) ? [] : participantStatuses)),
        TE.flatMap((team) => {
          if (team === null)
            return TE.right([changeTo(kind, absent(entry.id), newTeam(entry), { at, by: null })]);
          // When a patient was modified is read with the patient, and makes no version of a team.
          const { lastModified } = team.active.state.patient;
          const next = { ...teamOf(team), patient: { ...entry, lastModified } };
          return changes(team, next, actOn(team.active, { at, by: null }));
        }),
      ),

    member: (type, entry, at) =>
      pipe(
        renaming(type, entry, { at, after: null }),
        TE.map(({ changes }) => changes),
      ),

    // Whatever others write meanwhile, those who join or come back are given the newest name. Those who leave keep the old one,
    // and may move to a record before the group that is being renamed. There they stay, so that the second time finds them.
    memberAfterwards: (type, id) => async () => {
      const groups = await renameAll(type, id);
      return E.isRight(groups) && groups.right > 1 ? renameAll(type, id) : groups;
    },
  };
};
