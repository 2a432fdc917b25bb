import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import { displayOf, type MemberType } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { parseTeamId, participantStatuses } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, toClinicalError } from '../errors.ts';
import { load, recordExists } from '../records/load.ts';
import { pause } from '../records/pause.ts';
import { type Authorship, createVersionCheck } from '../records/record-change.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { ClinicalStore, RecordChange, SearchMatch } from '../store/port.ts';
import { loadTeam } from './load-team.ts';
import { type CareTeamState, isSameMember, type Member, type Participant } from './model.ts';
import { everyStatus } from './needed-statuses.ts';
import type { TeamRecords } from './team-records.ts';
import { type LoadedTeam, teamOf } from './team-snapshot.ts';

const withName = (team: CareTeamState, member: Participant['member']): CareTeamState => ({
  ...team,
  participants: team.participants.map((one) => (isSameMember(one.member, member) ? { ...one, member } : one)),
});

const isSameName = (one: CareTeamState['patient'], other: CareTeamState['patient']): boolean =>
  one.lastName === other.lastName && one.firstName === other.firstName;

/**
 * The time of a new name. It may be in the second of the last change, but not at its time, because the statuses of a version
 * are found by their times.
 */
const renameAt = ({ active }: LoadedTeam, at: number): Authorship => ({
  at: Math.max(at, active.stored.at + 1),
  by: null,
});

/** How many teams are renamed in one commit: another write to any of them has all of these decided again. */
const teamsPerCommit = 100;

/** The id of the last of the teams that a commit renames; null where there are no more. */
type RenameDecision = Decision<string | null>;

/** Loads the team that a search found by a member, with the status in which the member was found, or is by now. */
const loadTeamWith = async (store: ClinicalStore, member: Member, id: string): Outcome<LoadedTeam | null> => {
  const { patientId, suffix } = parseTeamId(id);
  const team = await loadTeam(store, patientId, () => [suffix ?? 'active']);
  if (E.isLeft(team) || team.right === null) return team;
  return teamOf(team.right).participants.some((one) => isSameMember(one.member, member))
    ? team
    : loadTeam(store, patientId, everyStatus);
};

/** Creates the team of each new patient, and carries changed names to the teams. */
export const followDirectory = (
  teams: TeamRecords,
  { now }: Pick<Environment, 'now'>,
): Omit<DirectoryFollower, 'onNote'> => {
  /** The changes that rename a member in a team that a search found. */
  const renameIn =
    (store: ClinicalStore, member: Participant['member'], at: number) =>
    async ({ id }: SearchMatch): Outcome<readonly RecordChange[]> => {
      const team = await loadTeamWith(store, member, id);
      if (E.isLeft(team)) return team;
      if (team.right === null) return E.right([]);
      const authorship = renameAt(team.right, at);
      const next = withName(teamOf(team.right), member);
      return teams.diff(store, team.right, { next, authorship });
    };

  /** Renames a member, in whatever status, in the next teams after one; null begins. */
  const decideRename = async (
    store: ClinicalStore,
    member: Participant['member'],
    { at, after }: { readonly at: number; readonly after: string | null },
  ): Outcome<RenameDecision> => {
    const { type, id } = member;
    const found = await store.search({
      type: 'CareTeam',
      conditions: [{ on: 'reference', parameter: 'participant', anyOf: [{ type, id }] }],
      start: after === null ? { offset: 0 } : { after },
      count: teamsPerCommit,
      withTotal: false,
    });
    if (E.isLeft(found)) return E.left(toClinicalError(found.left));
    const { matches, hasMore } = found.right;
    const renamed = E.sequenceArray(await Promise.all(matches.map(renameIn(store, member, at))));
    return E.isLeft(renamed)
      ? renamed
      : E.right({ changes: renamed.right.flat(), result: hasMore ? (matches.at(-1)?.id ?? null) : null });
  };

  /** The same by the current name in the directory: another put may have brought a newer one. */
  const decideCurrentRename = async (
    store: ClinicalStore,
    { type, id }: Member,
    after: string | null,
  ): Outcome<RenameDecision> => {
    const entry = await load(store, directoryRecordDefinitions[type], id);
    if (E.isLeft(entry)) return entry;
    if (!recordExists(entry.right)) return E.right({ changes: [], result: null });
    const member = { type, id, display: displayOf(entry.right.state) };
    const decided = await decideRename(store, member, { at: now(), after });
    if (E.isLeft(decided)) return decided;
    const versionChecks = [createVersionCheck(directoryRecordDefinitions[type], entry.right)];
    return E.right({ ...decided.right, versionChecks });
  };

  /** Renames a member in all teams, in the order of their records. Returns the number of commits. */
  const renameInAllTeams = async (
    store: ClinicalStore,
    member: Member,
  ): Promise<E.Either<ClinicalError, number>> => {
    let after: string | null = null;
    let commits = 0;
    do {
      if (commits > 0) await pause();
      const renamed: E.Either<ClinicalError, string | null> = await transact(store)(() =>
        decideCurrentRename(store, member, after),
      );
      if (E.isLeft(renamed)) return renamed;
      after = renamed.right;
      commits += 1;
    } while (after !== null);
    return E.right(commits);
  };

  return {
    onPatient: async (store, entry, at) => {
      // Every status shows the patient's name.
      const loaded = await loadTeam(store, entry.id, ({ patient }) =>
        isSameName(patient, entry) ? [] : participantStatuses,
      );
      if (E.isLeft(loaded)) return loaded;
      const team = loaded.right;
      if (team === null) return E.right([teams.createDefault(entry, { at, by: null })]);
      // The patient's date of modification is read from the directory, and makes no version of a team.
      const { lastModified } = team.active.state.patient;
      const next = { ...teamOf(team), patient: { ...entry, lastModified } };
      const authorship = renameAt(team, at);
      return teams.diff(store, team, { next, authorship });
    },
    onMember: async (store, { type, entry }, at) => {
      const member = { type, id: entry.id, display: displayOf(entry) };
      const renamed = await decideRename(store, member, { at, after: null });
      return E.isLeft(renamed) ? renamed : E.right(renamed.right.changes);
    },
    // A participant who joins or returns meanwhile gets the newest name. One who leaves keeps the old name, and may move to
    // a record before the group that is being renamed. There the participant stays, so the second pass finds the record.
    afterMember: async (store, type: MemberType, id) => {
      const commits = await renameInAllTeams(store, { type, id });
      return E.isRight(commits) && commits.right > 1 ? renameInAllTeams(store, { type, id }) : commits;
    },
  };
};
