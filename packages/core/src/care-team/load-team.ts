import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { notFound, type Result } from '../errors.ts';
import { isPresent, load, type Present } from '../records/load.ts';
import { careTeamKind } from './kind.ts';
import type { TeamRecord } from './model.ts';
import { parseTeamId } from './team-id.ts';

/**
 * Reads the record of a patient's whole team, which is there as soon as the patient is; `NotFound` where there is no patient.
 * Of a team without participants, the patient is read before the team: whoever joins in between is seen.
 */
export const loadTeam = ({ store, extensionBase }: Environment, directory: DirectoryRecords) => {
  const kind = careTeamKind(extensionBase);
  return (patientId: string): Result<Present<TeamRecord>> =>
    async () => {
      const nowhere = E.left(notFound('CareTeam', patientId));
      // Under such an id lies a part of a team.
      if (parseTeamId(patientId).suffix !== null) return nowhere;
      const team = await load(store, kind, patientId)();
      if (E.isLeft(team)) return team;
      if (isPresent(team.right) && team.right.state.participants.length > 0) return E.right(team.right);
      const patient = await directory.known('Patient', patientId)();
      if (E.isLeft(patient)) return patient;
      const afterPatient = await load(store, kind, patientId)();
      if (E.isLeft(afterPatient)) return afterPatient;
      if (!isPresent(afterPatient.right)) return nowhere;
      const { state, ...read } = afterPatient.right;
      // When its patient was last modified, the directory knows.
      const { lastModified } = patient.right.state ?? state.patient;
      return E.right({ ...read, state: { ...state, patient: { ...state.patient, lastModified } } });
    };
};
