import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { notFound, type Result } from '../errors.ts';
import { isPresent, type Loaded, load, type Present } from '../records/load.ts';
import { careTeamKind } from './kind.ts';
import type { TeamRecord } from './model.ts';
import { parseTeamId } from './team-id.ts';

/** The team, with when its patient was last modified as the directory has it. */
const withPatient = (
  team: Loaded<TeamRecord>,
  patient: Loaded<DirectoryEntry['Patient']>,
): Loaded<TeamRecord> => {
  if (!isPresent(team) || !isPresent(patient)) return team;
  const { lastModified } = patient.state;
  return { ...team, state: { ...team.state, patient: { ...team.state.patient, lastModified } } };
};

/**
 * Reads the record of a patient's whole team, which is there as soon as the patient is; `NotFound` where there is no patient.
 * Of a team without participants, the patient is read before the team: whoever joins in between is seen.
 */
export const loadTeam = ({ store, extensionBase }: Environment, directory: DirectoryRecords) => {
  const kind = careTeamKind(extensionBase);
  return (patientId: string): Result<Present<TeamRecord>> => {
    // Under such an id lies a part of a team.
    if (parseTeamId(patientId).suffix !== null) return TE.left(notFound('CareTeam', patientId));
    const team = load(store, kind, patientId);
    const afterPatient = pipe(
      directory.known('Patient', patientId),
      TE.flatMap((patient) =>
        pipe(
          team,
          TE.map((loaded) => withPatient(loaded, patient)),
        ),
      ),
    );
    return pipe(
      team,
      TE.flatMap((loaded) =>
        isPresent(loaded) && loaded.state.participants.length > 0 ? TE.right(loaded) : afterPatient,
      ),
      TE.filterOrElse(isPresent, () => notFound('CareTeam', patientId)),
    );
  };
};
