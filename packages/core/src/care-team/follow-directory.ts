import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import { displayOf } from '../directory/display-of.ts';
import type { DirectoryEntry, MemberType } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { parseTeamId, participantStatuses } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type ClinicalTask, toClinicalError } from '../errors.ts';
import { load, missingRecord, recordExists } from '../records/load.ts';
import { pause } from '../records/pause.ts';
import { createChange, createVersionCheck, ensureNotBackdated } from '../records/record-change.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { RecordChange, SearchMatch } from '../store/port.ts';
import { type LoadedTeam, teamOf } from './diff-team.ts';
import { type ActivePart, isSameMember, type Member, type Participant, type Team } from './model.ts';
import { defineCareTeamRecord } from './record-definition.ts';
import { createTeamParts, everyStatus } from './team-parts.ts';

type MemberEntry = DirectoryEntry[MemberType];

const withName = (team: Team, member: Participant['member']): Team => ({
  ...team,
  participants: team.participants.map((one) => (isSameMember(one.member, member) ? { ...one, member } : one)),
});

/** The team of a new patient: active, and without participants. */
const createDefaultTeam = (patient: Team['patient']): ActivePart => ({
  status: 'active',
  patient,
  participants: [],
  changedAt: 0,
  otherStatuses: [],
});

const isSameName = (one: Team['patient'], other: Team['patient']): boolean =>
  one.lastName === other.lastName && one.firstName === other.firstName;

/** How many teams are renamed in one commit: another write to any of them has all of these decided anew. */
const teamsPerCommit = 100;

/** Renames in a group of teams, and answers the id of the last of them; null where there are no more. */
type RenameDecision = Decision<string | null>;

/** The changes of care teams that follow from an entry of the directory: a new patient's team, and names anew. */
export const followDirectory = ({ store, now, extensionBase }: Environment): DirectoryFollower => {
  const definition = defineCareTeamRecord(extensionBase);
  const { load: loadTeam, changes } = createTeamParts(store, definition);

  /** The team that a search found by a member, with the part in which the member was found, or is by now. */
  const loadTeamWith = (member: Member, { id }: SearchMatch): ClinicalTask<LoadedTeam | null> => {
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
  const decideRename = (
    type: MemberType,
    entry: MemberEntry,
    { at, after }: { readonly at: number; readonly after: string | null },
  ): ClinicalTask<RenameDecision> => {
    const member = { type, id: entry.id, display: displayOf(entry) };
    const changesIn = (match: SearchMatch): ClinicalTask<readonly RecordChange[]> =>
      pipe(
        loadTeamWith(member, match),
        TE.flatMap((team) =>
          team === null
            ? TE.right([])
            : changes(
                team,
                withName(teamOf(team), member),
                ensureNotBackdated(team.active, { at, by: null }),
              ),
        ),
      );
    return pipe(
      store.search({
        type: 'CareTeam',
        conditions: [{ on: 'reference', parameter: 'participant', anyOf: [{ type, id: entry.id }] }],
        start: after === null ? { offset: 0 } : { after },
        count: teamsPerCommit,
        withTotal: false,
      }),
      TE.mapLeft(toClinicalError),
      TE.flatMap(({ matches, hasMore }) =>
        pipe(
          matches,
          TE.traverseArray(changesIn),
          TE.map((changesByTeam) => ({
            changes: changesByTeam.flat(),
            result: hasMore ? (matches.at(-1)?.id ?? null) : null,
          })),
        ),
      ),
    );
  };

  /** The same, by the name that the directory has by then: another put may have brought a newer one. */
  const decideCurrentRename = <Type extends MemberType>(
    type: Type,
    id: string,
    after: string | null,
  ): ClinicalTask<RenameDecision> =>
    pipe(
      load(store, directoryRecordDefinitions[type], id),
      TE.flatMap((entry) =>
        recordExists(entry)
          ? pipe(
              decideRename(type, entry.state, { at: now(), after }),
              TE.map((decision) => ({
                ...decision,
                versionChecks: [createVersionCheck(directoryRecordDefinitions[type], entry)],
              })),
            )
          : TE.right<ClinicalError, RenameDecision>({ changes: [], result: null }),
      ),
    );

  /** Renames a member in all teams, in the order of their records, and answers in how many groups. */
  const renameInAllTeams = async (type: MemberType, id: string): Promise<E.Either<ClinicalError, number>> => {
    let after: string | null = null;
    let groups = 0;
    do {
      if (groups > 0) await pause();
      const renamed: E.Either<ClinicalError, string | null> = await transact(store)(
        decideCurrentRename(type, id, after),
      )();
      if (E.isLeft(renamed)) return renamed;
      after = renamed.right;
      groups += 1;
    } while (after !== null);
    return E.right(groups);
  };

  return {
    onPatient: (entry, at) =>
      pipe(
        // All parts show the patient's name.
        loadTeam(entry.id, ({ patient }) => (isSameName(patient, entry) ? [] : participantStatuses)),
        TE.flatMap((team) => {
          if (team === null)
            return TE.right([
              createChange(definition, missingRecord(entry.id), createDefaultTeam(entry), { at, by: null }),
            ]);
          // When a patient was modified is read with the patient, and makes no version of a team.
          const { lastModified } = team.active.state.patient;
          const next = { ...teamOf(team), patient: { ...entry, lastModified } };
          return changes(team, next, ensureNotBackdated(team.active, { at, by: null }));
        }),
      ),

    onMember: (type, entry, at) =>
      pipe(
        decideRename(type, entry, { at, after: null }),
        TE.map(({ changes }) => changes),
      ),

    // Whatever others write meanwhile, those who join or come back are given the newest name. Those who leave keep the old one,
    // and may move to a record before the group that is being renamed. There they stay, so that the second time finds them.
    afterMember: (type, id) => async () => {
      const groups = await renameInAllTeams(type, id);
      return E.isRight(groups) && groups.right > 1 ? renameInAllTeams(type, id) : groups;
    },
  };
};
