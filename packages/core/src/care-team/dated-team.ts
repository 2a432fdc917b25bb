import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { parseTeamId } from '../directory/team-id.ts';
import { notFound, type Outcome } from '../errors.ts';
import { createVersionCheck } from '../records/record-change.ts';
import type { VersionCheck } from '../store/port.ts';
import { hasParticipants } from './derive.ts';
import type { TeamSnapshot } from './team-snapshot.ts';

/** A team, and the version checks of its date: the patient of a team without participants must not be modified meanwhile. */
export type DatedTeam<Part> = TeamSnapshot<Part> & { readonly versionChecks: readonly VersionCheck[] };

/** Reads a team with its date. The patient of an empty team is read before the team, so that a member who joins in between is found. */
export const readDatedTeam = async <Part>(
  directory: DirectoryRecords,
  patientId: string,
  read: () => Outcome<TeamSnapshot<Part> | null>,
): Outcome<DatedTeam<Part>> => {
  const notFoundError = E.left(notFound('CareTeam', patientId));
  // Such an id names one status of a team.
  if (parseTeamId(patientId).suffix !== null) return notFoundError;
  const found = await read();
  if (E.isLeft(found)) return found;
  if (found.right !== null && hasParticipants(found.right.active.state)) {
    return E.right({ ...found.right, versionChecks: [] });
  }
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  if (patient.right.state?.replacedBy !== undefined) return notFoundError;
  const afterPatient = await read();
  if (E.isLeft(afterPatient)) return afterPatient;
  if (afterPatient.right === null) return notFoundError;
  const { active, parts } = afterPatient.right;
  const { lastModified } = patient.right.state ?? active.state.patient;
  const state = { ...active.state, patient: { ...active.state.patient, lastModified } };
  const versionChecks = [createVersionCheck(directoryRecordDefinitions.Patient, patient.right)];
  return E.right({ active: { ...active, state }, parts, versionChecks });
};
