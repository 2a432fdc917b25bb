import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryFollower } from '../directory/directory-records.ts';
import { type DirectoryEntry, displayOf, type MemberType, parseTeamId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import {
  createVersionCheck,
  type Decision,
  ensureNotBackdated,
  load,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { ClinicalStore, SearchMatch } from '../store/port.ts';
import { pause } from '../store/turns.ts';
import { type CareTeamState, isSameMember, type Member, type Participant, toTeamPatient } from './model.ts';
import { loadHead, loadTeam, stateOf, type TeamChanges, type TeamRecords } from './team-records.ts';

const withName = (team: CareTeamState, member: Participant['member']): CareTeamState => ({
  ...team,
  participants: team.participants.map((participant) =>
    isSameMember(participant.member, member) ? { ...participant, member } : participant,
  ),
});

const isSameName = (before: CareTeamState['patient'], after: CareTeamState['patient']): boolean =>
  before.lastName === after.lastName && before.firstName === after.firstName;

/** How many teams are renamed in one commit: another write to any of them has all of these decided again. */
const teamsPerCommit = 100;

const noChanges: TeamChanges = { changes: [], versionChecks: [] };

/** The changes that rename a member in a team that a search found. */
const renameIn =
  (
    teams: TeamRecords,
    store: ClinicalStore,
    { member, at }: { readonly member: Participant['member']; readonly at: number },
  ) =>
  async ({ id }: SearchMatch): Outcome<TeamChanges> => {
    const head = await loadHead(store, parseTeamId(id).patientId);
    if (E.isLeft(head)) return head;
    if (!recordExists(head.right)) {
      return head.right.isErased ? E.right(noChanges) : E.left(storeFailure('damaged-store', null));
    }
    const team = await loadTeam(store, head.right);
    if (E.isLeft(team)) return team;
    const authorship = ensureNotBackdated(head.right, { at, by: null });
    const renamed = teams.diff(team.right, withName(stateOf(team.right), member), authorship);
    return E.right(renamed.changes.length === 0 ? noChanges : renamed);
  };

/** Renames a member, in whatever status, in the next teams after one; null begins. The result is the last of them, if more follow. */
const decideRename = async (
  teams: TeamRecords,
  store: ClinicalStore,
  member: Participant['member'],
  { at, after }: { readonly at: number; readonly after: string | null },
): Outcome<Required<Decision<string | null>>> => {
  const { type, id } = member;
  const page = await store.search({
    type: 'CareTeam',
    conditions: [{ on: 'reference', parameter: 'participant', anyOf: [{ type, id }] }],
    start: after === null ? { offset: 0 } : { after },
    count: teamsPerCommit,
    withTotal: false,
  });
  if (E.isLeft(page)) return E.left(toClinicalError(page.left));
  const { matches, hasMore } = page.right;
  const renamed = E.sequenceArray(await Promise.all(matches.map(renameIn(teams, store, { member, at }))));
  if (E.isLeft(renamed)) return renamed;
  return E.right({
    changes: renamed.right.flatMap(({ changes }) => changes),
    versionChecks: renamed.right.flatMap(({ versionChecks }) => versionChecks),
    result: hasMore ? (matches.at(-1)?.id ?? null) : null,
  });
};

/** Renames a member in all teams, in the order of their records, by the current name in the directory. */
const createRename = (teams: TeamRecords, now: Environment['now']) => {
  /** Another put may have brought a newer name than that of the put that renames. */
  const decideCurrentRename = async (
    store: ClinicalStore,
    { type, id }: Member,
    after: string | null,
  ): Outcome<Decision<string | null>> => {
    const entry = await load<DirectoryEntry[typeof type]>(store, { type }, id);
    if (E.isLeft(entry)) return entry;
    if (!recordExists(entry.right)) return E.right({ changes: [], result: null });
    const member = { type, id, display: displayOf(entry.right.state) };
    const decided = await decideRename(teams, store, member, { at: now(), after });
    if (E.isLeft(decided)) return decided;
    const entryCheck = createVersionCheck({ type }, entry.right);
    return E.right({ ...decided.right, versionChecks: [entryCheck, ...decided.right.versionChecks] });
  };

  /** Returns the number of commits. */
  return async (store: ClinicalStore, member: Member): Outcome<number> => {
    let after: string | null = null;
    let commits = 0;
    do {
      if (commits > 0) await pause();
      const renamed: E.Either<ClinicalError, string | null> = await transact(
        store,
        null,
      )(() => decideCurrentRename(store, member, after));
      if (E.isLeft(renamed)) return renamed;
      after = renamed.right;
      commits += 1;
    } while (after !== null);
    return E.right(commits);
  };
};

/** Creates the team of each new patient, and carries changed names to the teams. */
export const createTeamFollower = (
  teams: TeamRecords,
  { now }: Pick<Environment, 'now'>,
): Omit<DirectoryFollower, 'onNote'> => {
  const renameInAllTeams = createRename(teams, now);

  return {
    onPatient: async (store, entry, at) => {
      const head = await loadHead(store, entry.id);
      if (E.isLeft(head)) return head;
      const authorship = ensureNotBackdated(head.right, { at, by: null });
      if (!recordExists(head.right))
        return E.right({ changes: [teams.createDefault(toTeamPatient(entry), authorship)] });
      const { patient } = head.right.state;
      if (isSameName(patient, entry)) return E.right(noChanges);
      const team = await loadTeam(store, head.right);
      if (E.isLeft(team)) return team;
      // The patient's date of modification is read from the directory, and makes no version of a team.
      const next = {
        ...stateOf(team.right),
        patient: toTeamPatient({ ...entry, lastModified: patient.lastModified }),
      };
      return E.right(teams.diff(team.right, next, authorship));
    },
    onMember: async (store, { type, entry }, at) => {
      const member = { type, id: entry.id, display: displayOf(entry) };
      const renamed = await decideRename(teams, store, member, { at, after: null });
      if (E.isLeft(renamed)) return renamed;
      const { changes, versionChecks } = renamed.right;
      return E.right({ changes, versionChecks });
    },
    // A participant who joins or returns in between gets the newest name. One who leaves keeps the old name, and may move to
    // a record before the group that is being renamed. There the participant stays, so the second pass finds the record.
    afterMember: async (store, type: MemberType, id) => {
      const commits = await renameInAllTeams(store, { type, id });
      return E.isRight(commits) && commits.right > 1 ? renameInAllTeams(store, { type, id }) : commits;
    },
  };
};
