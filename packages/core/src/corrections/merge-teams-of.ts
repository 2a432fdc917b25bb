import * as E from 'fp-ts/lib/Either.js';
import { dateNextChange } from '../care-team/derive.ts';
import { loadTeam } from '../care-team/load-team.ts';
import { mergeTeams } from '../care-team/merge-teams.ts';
import { everyStatus } from '../care-team/needed-statuses.ts';
import type { TeamRecords } from '../care-team/team-records.ts';
import { teamOf } from '../care-team/team-snapshot.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { PatientEntry } from '../directory/model.ts';
import type { Outcome } from '../errors.ts';
import type { Authorship } from '../records/record-change.ts';
import type { RecordChange } from '../store/port.ts';

/** The changes by which the participants of a patient who is replaced join the team of the other one. */
export const mergeTeamsOf = async (
  { directory, teams }: { readonly directory: DirectoryRecords; readonly teams: TeamRecords },
  {
    patient,
    toPatientId,
    authorship: { at, by },
  }: { readonly patient: PatientEntry; readonly toPatientId: string; readonly authorship: Authorship },
): Outcome<readonly RecordChange[]> => {
  const { store } = directory;
  const from = await loadTeam(store, patient.id, everyStatus);
  if (E.isLeft(from)) return from;
  const into = await teams.load(directory, toPatientId, everyStatus);
  if (E.isLeft(into)) return into;
  if (from.right === null) return E.right([]);
  const date = dateNextChange(into.right.active, at);
  const next = mergeTeams(teamOf(into.right), teamOf(from.right), date);
  const joined = await teams.diff(store, into.right, { next, authorship: { at: date, by } });
  if (E.isLeft(joined)) return joined;
  const { lastModified } = from.right.active.state.patient;
  const left = await teams.diff(store, from.right, {
    next: { patient: { ...patient, lastModified }, participants: [] },
    authorship: { at: dateNextChange(from.right.active, at), by },
  });
  return E.isLeft(left) ? left : E.right([...joined.right, ...left.right]);
};
