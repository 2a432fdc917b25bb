import type { ClinicalError, ClinicalRecords, PractitionerReference } from '@clinical-records/core';
import { toEithers, toTaskEithers } from '@clinical-records/core/fp-ts';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

/** The names of the members of a care team. Nothing is read until the task is run. */
export const membersOf = (
  records: ClinicalRecords,
  patientId: string,
): TE.TaskEither<ClinicalError, readonly string[]> =>
  pipe(
    toTaskEithers(records).careTeams.read(patientId),
    TE.map(({ participant = [] }) => participant.map(({ member }) => member.display)),
  );

/** Records a goal, and reads the resource that it makes. */
export const recordWalk = (records: ClinicalRecords, patientId: string, by: PractitionerReference) => {
  // #region steps
  const { chart, goals } = toTaskEithers(records);
  return pipe(
    chart.record({ kind: 'goal', patientId, description: 'Walk 5 km a day' }, { by }),
    TE.flatMap(({ resourceId }) => goals.read(resourceId)),
    TE.orElse((error) => (error._tag === 'RuleViolation' ? TE.right(null) : TE.left(error))),
  );
  // #endregion
};

/** The name of a care team; null if the patient is not known. */
export const nameOf = async (records: ClinicalRecords, patientId: string): Promise<string | null> => {
  const team = await toEithers(records).careTeams.read(patientId);
  return E.isLeft(team) ? null : team.right.name;
};
