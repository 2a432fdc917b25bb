import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { notFound, type Result } from '../errors.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { isPresent, type Present } from '../records/record-kind.ts';
import type { TeamRecord } from './model.ts';
import { careTeamKind } from './record.ts';
import { parseTeamId } from './team-id.ts';

/** Reads the record of a patient's whole team, which is there as soon as the patient is; `NotFound` where there is no patient. */
export const loadTeam = (
  { store }: Environment,
  { directory, extensionBase }: { readonly directory: DirectoryRecords; readonly extensionBase: string },
) => {
  const kind = careTeamKind(extensionBase);
  return (patientId: string): Result<Present<TeamRecord>> => {
    // Under such an id lies a part of a team.
    if (parseTeamId(patientId).suffix !== null) return TE.left(notFound('CareTeam', patientId));
    const team = load(store)(kind, patientId);
    const mention = pipe(
      directory.known('Patient', patientId),
      TE.flatMap(() => team),
    );
    return pipe(
      team,
      TE.flatMap((loaded) => (isPresent(loaded) ? TE.right(loaded) : mention)),
      TE.filterOrElse(isPresent, () => notFound('CareTeam', patientId)),
    );
  };
};
