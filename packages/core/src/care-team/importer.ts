import * as E from 'fp-ts/lib/Either.js';
import { unknownEntryIssue } from '../directory/issues.ts';
import { displayOf } from '../directory/model.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import type { ParticipantStatus } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import type { Issue, Outcome } from '../errors.ts';
import { findLostElements } from '../importer/find-lost-elements.ts';
import { importIssue } from '../importer/issues.ts';
import {
  type ImportContext,
  type ImportOutcome,
  type ResourceImporter,
  waitingDecision,
} from '../importer/resource-importer.ts';
import { recordExists } from '../records/load.ts';
import { createVersionCheck } from '../records/record-change.ts';
import type { VersionCheck } from '../store/port.ts';
import { dateNextChange, deriveCareTeam } from './derive.ts';
import { careTeamIssue } from './issues.ts';
import { type ImportedParticipant, mergeImported, statusesForImport } from './merge-imported.ts';
import { type CareTeamRole, type CareTeamState, isSameMember } from './model.ts';
import { createCareTeamSourceReader, type SourceParticipant } from './source-reader.ts';
import type { TeamRecords } from './team-records.ts';
import { teamOf } from './team-snapshot.ts';

/** The participants with a known member, the version checks of their names, and the issues of the others. */
type ImportableParticipants = {
  readonly imported: readonly ImportedParticipant[];
  readonly versionChecks: readonly VersionCheck[];
  readonly issues: readonly Issue[];
};

/** Reports the participants who are entered in error in the source and have another status here, which they keep. */
const checkRetracted = (
  { participants }: CareTeamState,
  imported: readonly ImportedParticipant[],
): readonly Issue[] =>
  imported
    .filter(({ status }) => status === 'entered-in-error')
    .filter(({ member, status }) =>
      participants.some((one) => isSameMember(one.member, member) && one.status !== status),
    )
    .map(({ element }) => importIssue('entered-in-error-at-source', element));

/** A team with only the participants who are in the source's team, too. */
const withSharedParticipants = (
  team: CareTeamState,
  imported: readonly ImportedParticipant[],
): CareTeamState => ({
  ...team,
  participants: team.participants.filter((one) =>
    imported.some(({ member }) => isSameMember(one.member, member)),
  ),
});

/** Adds the names of the members. Null where an unknown member may still come. */
const nameMembers = async (
  participants: readonly SourceParticipant[],
  { directory, isLastPass }: ImportContext,
): Outcome<ImportableParticipants | null> => {
  const imported: ImportedParticipant[] = [];
  const versionChecks: VersionCheck[] = [];
  const issues: Issue[] = [];
  for (const participant of participants) {
    const { member, element } = participant;
    if (member === null) {
      issues.push(careTeamIssue('invalid-member', `${element}.member`));
      continue;
    }
    const loaded = await directory.find(member.type, member.id);
    if (E.isLeft(loaded)) return loaded;
    if (recordExists(loaded.right)) {
      imported.push({ ...participant, member: { ...member, display: displayOf(loaded.right.state) } });
      versionChecks.push(createVersionCheck(directoryRecordDefinitions[member.type], loaded.right));
    } else if (!isLastPass) return E.right(null);
    else issues.push(unknownEntryIssue(member.type, element));
  }
  return E.right({ imported, versionChecks, issues });
};

/** Imports the participants of another system's care teams into the one team of each patient. */
export const createCareTeamImporter = (
  environment: Pick<Environment, 'now' | 'zone' | 'extensionBase'>,
  { teams, roles }: { readonly teams: TeamRecords; readonly roles: readonly CareTeamRole[] },
): ResourceImporter => {
  const read = createCareTeamSourceReader({ ...environment, roles });
  const derive = deriveCareTeam(environment.extensionBase);
  /** A resource is compared with its participants in every status. Its own status is kept if one of them has it. */
  const lostElements = (resource: unknown, sentStatus: ParticipantStatus, shared: CareTeamState) => {
    const statuses = shared.participants.map((one) => one.status);
    const [status = sentStatus] = statuses.includes(sentStatus) ? [sentStatus] : statuses;
    return findLostElements(resource, derive({ ...shared, status }), 'CareTeam');
  };
  return async (resource, context) => {
    const { directory } = context;
    const reading = read(resource);
    if (E.isLeft(reading)) return reading;
    const {
      value: { patientId, status, participants },
      issues: readingIssues,
    } = reading.right;
    const members = await nameMembers(participants, context);
    if (E.isLeft(members)) return members;
    if (members.right === null) return E.right(async () => E.right(waitingDecision));
    const patient = await directory.require('Patient', patientId, 'CareTeam.subject');
    if (E.isLeft(patient)) return patient;
    const { imported, issues: memberIssues } = members.right;
    // An empty team has the patient's date of modification.
    const versionChecks = [
      ...members.right.versionChecks,
      createVersionCheck(directoryRecordDefinitions.Patient, patient.right),
    ];
    return E.right(async () => {
      const loaded = await teams.load(directory, patientId, statusesForImport(imported));
      if (E.isLeft(loaded)) return loaded;
      const before = teamOf(loaded.right);
      const at = dateNextChange(loaded.right.active, environment.now());
      const { team, issues } = mergeImported(before, imported, at);
      const change = { next: team, authorship: { at, by: null } };
      const changes = await teams.diff(directory.store, loaded.right, change);
      if (E.isLeft(changes)) return changes;
      const allIssues = [...readingIssues, ...memberIssues, ...checkRetracted(before, imported), ...issues];
      const result: ImportOutcome =
        changes.right.length > 0
          ? {
              countedAs: 'imported',
              issues: allIssues,
              lostElements: lostElements(resource, status, withSharedParticipants(team, imported)),
            }
          : withSharedParticipants(before, imported).participants.length > 0
            ? { countedAs: 'unchanged', issues: allIssues }
            : {
                countedAs: null,
                issues: [...allIssues, importIssue('no-importable-participant', 'CareTeam.participant')],
              };
      return E.right({
        changes: changes.right,
        versionChecks: [...loaded.right.versionChecks, ...versionChecks],
        result,
      });
    });
  };
};
