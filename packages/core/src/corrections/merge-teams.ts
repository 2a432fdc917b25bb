import * as E from 'fp-ts/lib/Either.js';
import { isNearerToActive } from '../care-team/merge-imported.ts';
import { type CareTeamState, isSameMember, type Participant } from '../care-team/model.ts';
import { dateNextChange } from '../care-team/record.ts';
import { checkParticipant, countParticipants } from '../care-team/rules.ts';
import {
  loadHead,
  loadTeam,
  stateOf,
  type TeamChanges,
  type TeamRecords,
} from '../care-team/team-records.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { PatientEntry } from '../directory/model.ts';
import type { Outcome } from '../errors.ts';
import { recordExists } from '../records/load.ts';
import type { Authorship } from '../records/record-change.ts';

/** The participant as proposed if a rule excludes it from the active ones, such as a role that somebody else has. */
const proposeIfExcluded = (participant: Participant, others: readonly Participant[]): Participant => {
  if (participant.status !== 'active') return participant;
  const active = others.filter(({ status }) => status === 'active');
  const issues = checkParticipant(participant, countParticipants([...active, participant]), 'participant');
  return issues.length === 0 ? participant : { ...participant, status: 'proposed' };
};

/** The merge decides on the member, so an import does not change the participant any more. */
const join = (
  team: readonly Participant[],
  { isImported: _, ...joining }: Participant,
  at: number,
): readonly Participant[] => {
  const before = team.find(({ member }) => isSameMember(member, joining.member));
  if (before && !isNearerToActive(joining.status, before.status)) return team;
  const others = team.filter((participant) => participant !== before);
  return [...others, proposeIfExcluded({ ...joining, lead: false, changedAt: at }, others)];
};

/**
 * The team of a patient after another patient was merged into this one, with the participants of both. A member of both
 * teams has the status that is nearest to active. The lead of the other team leads only if this team had nobody active.
 */
export const mergeTeams = (into: CareTeamState, from: CareTeamState, at: number): CareTeamState => {
  const participants = from.participants.reduce(
    (team, joining) => join(team, joining, at),
    into.participants,
  );
  const lead = from.participants.find((participant) => participant.lead);
  if (lead === undefined || into.participants.some(({ status }) => status === 'active')) {
    return { ...into, participants };
  }
  const leads = ({ status, member }: Participant) => status === 'active' && isSameMember(member, lead.member);
  return {
    ...into,
    participants: participants.map((participant) =>
      leads(participant) ? { ...participant, lead: true } : participant,
    ),
  };
};

/** The changes by which the participants of a patient who is replaced join the team of the other one. */
export const mergeTeamsOf = async (
  { directory, teams }: { readonly directory: DirectoryRecords; readonly teams: TeamRecords },
  {
    patient,
    toPatientId,
    authorship: { at, by },
  }: { readonly patient: PatientEntry; readonly toPatientId: string; readonly authorship: Authorship },
): Outcome<TeamChanges> => {
  const head = await loadHead(directory.store, patient.id);
  if (E.isLeft(head)) return head;
  const into = await teams.load(directory, toPatientId);
  if (E.isLeft(into)) return into;
  if (!recordExists(head.right)) return E.right({ changes: [], versionChecks: [] });
  const from = await loadTeam(directory.store, head.right);
  if (E.isLeft(from)) return from;
  const date = dateNextChange(into.right.head, at);
  const next = mergeTeams(stateOf(into.right), stateOf(from.right), date);
  const joined = teams.diff(into.right, next, { at: date, by });
  const { lastModified } = from.right.head.state.patient;
  const replaced = { patient: { ...patient, lastModified }, participants: [] };
  const left = teams.diff(from.right, replaced, { at: dateNextChange(from.right.head, at), by });
  return E.right({
    changes: [...joined.changes, ...left.changes],
    versionChecks: [...joined.versionChecks, ...left.versionChecks],
  });
};
