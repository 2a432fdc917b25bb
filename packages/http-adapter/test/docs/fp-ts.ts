import type { ClinicalError, ClinicalRecords, PractitionerReference, Result } from '@clinical-records/core';
import { createResult } from '@clinical-records/core/store';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

// #region pipe
/** The names of the members of a care team. Nothing is read until the task is run. */
export const membersOf = (
  { careTeams }: ClinicalRecords,
  patientId: string,
): TE.TaskEither<ClinicalError, readonly string[]> =>
  pipe(
    careTeams.read(patientId),
    TE.map(({ participant = [] }) => participant.map(({ member }) => member.display)),
  );
// #endregion

// #region steps
/** Records a goal, and reads the resource that it makes. */
export const recordWalk = ({ chart, goals }: ClinicalRecords, patientId: string, by: PractitionerReference) =>
  pipe(
    chart.record({ kind: 'goal', patientId, description: 'Walk 5 km a day' }, { by }),
    TE.flatMap(({ resourceId }) => goals.read(resourceId)),
    TE.orElse((error) => (error._tag === 'RuleViolation' ? TE.right(null) : TE.left(error))),
  );
// #endregion

// #region result
/** The same names, to be awaited again. */
export const membersToAwait = (records: ClinicalRecords, patientId: string): Result<readonly string[]> =>
  createResult(membersOf(records, patientId));
// #endregion
