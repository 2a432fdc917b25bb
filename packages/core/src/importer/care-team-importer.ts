import * as E from 'fp-ts/lib/Either.js';
import { dateNextChange } from '../care-team/derive.ts';
import { teamOf } from '../care-team/diff-team.ts';
import { createCareTeamSourceReader, type SourceParticipant } from '../care-team/import.ts';
import { careTeamIssue } from '../care-team/issues.ts';
import { type ImportedParticipant, mergeImported, statusesForImport } from '../care-team/merge-imported.ts';
import { type CareTeamRole, isSameMember, type Team } from '../care-team/model.ts';
import { createTeamRecords } from '../care-team/team-records.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { displayOf } from '../directory/display-of.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import type { Environment } from '../environment.ts';
import type { ClinicalTask, Issue } from '../errors.ts';
import { createVersionCheck } from '../records/record-change.ts';
import type { VersionCheck } from '../store/port.ts';
import { importIssue } from './issues.ts';
import { canImportWithout, type ImportOutcome, type ResourceImporter } from './resource-importer.ts';

/** Those who can join, that their names must still be the same, and what keeps the others out. */
type ImportableParticipants = {
  readonly imported: readonly ImportedParticipant[];
  readonly versionChecks: readonly VersionCheck[];
  readonly issues: readonly Issue[];
};

/** What is told of those who are entered in error there, and are here in another status: they stay in it. */
const checkRetracted = ({ participants }: Team, imported: readonly ImportedParticipant[]): readonly Issue[] =>
  imported
    .filter(({ status }) => status === 'entered-in-error')
    .filter(({ member, status }) =>
      participants.some((one) => isSameMember(one.member, member) && one.status !== status),
    )
    .map(({ element }) => importIssue('in-error-there', element));

const hasAnyMember = ({ participants }: Team, imported: readonly ImportedParticipant[]): boolean =>
  imported.some(({ member }) => participants.some((one) => isSameMember(one.member, member)));

/** Takes the participants of another system's care teams into the one team that each patient has here. */
export const createCareTeamImporter = (
  environment: Environment,
  { directory, roles }: { readonly directory: DirectoryRecords; readonly roles: readonly CareTeamRole[] },
): ResourceImporter => {
  const { now } = environment;
  const teams = createTeamRecords(environment, directory);
  const read = createCareTeamSourceReader({ ...environment, roles });

  /** The participants with the names of their members, as far as these are known. */
  const nameMembers =
    (participants: readonly SourceParticipant[], mayFollow: boolean): ClinicalTask<ImportableParticipants> =>
    async () => {
      const imported: ImportedParticipant[] = [];
      const versionChecks: VersionCheck[] = [];
      const issues: Issue[] = [];
      for (const participant of participants) {
        const { member, element } = participant;
        if (member === null) {
          issues.push(careTeamIssue('no-member', `${element}.member`));
          continue;
        }
        const loaded = await directory.require(member.type, member.id, element)();
        if (E.isRight(loaded)) {
          imported.push({ ...participant, member: { ...member, display: displayOf(loaded.right.state) } });
          versionChecks.push(createVersionCheck(directoryRecordDefinitions[member.type], loaded.right));
        } else if (canImportWithout(loaded.left, mayFollow)) issues.push(...loaded.left.issues);
        else return loaded;
      }
      return E.right({ imported, versionChecks, issues });
    };

  return (resource, mayFollow) => async () => {
    const reading = read(resource);
    if (E.isLeft(reading)) return reading;
    const {
      value: { patientId, participants },
      issues: readingIssues,
    } = reading.right;
    const members = await nameMembers(participants, mayFollow)();
    if (E.isLeft(members)) return members;
    const patient = await directory.require('Patient', patientId, 'CareTeam.subject')();
    if (E.isLeft(patient)) return patient;
    const { imported, issues: memberIssues } = members.right;
    // Of an empty team, the patient says when it was modified.
    const versionChecks = [
      ...members.right.versionChecks,
      createVersionCheck(directoryRecordDefinitions.Patient, patient.right),
    ];

    return E.right(async () => {
      const loaded = await teams.load(patientId, statusesForImport(imported))();
      if (E.isLeft(loaded)) return loaded;
      const before = teamOf(loaded.right);
      const at = dateNextChange(loaded.right.active, now());
      const { team, issues } = mergeImported(before, imported, at);
      const changes = await teams.changes(loaded.right, team, { at, by: null })();
      if (E.isLeft(changes)) return changes;
      const allIssues = [...readingIssues, ...memberIssues, ...checkRetracted(before, imported), ...issues];
      const result: ImportOutcome =
        changes.right.length > 0
          ? { countedAs: 'taken', issues: allIssues }
          : hasAnyMember(before, imported)
            ? { countedAs: 'alreadyHere', issues: allIssues }
            : {
                countedAs: null,
                issues: [...allIssues, importIssue('nobody-joins', 'CareTeam.participant')],
              };
      return E.right({
        changes: changes.right,
        versionChecks: [...loaded.right.versionChecks, ...versionChecks],
        result,
      });
    });
  };
};
