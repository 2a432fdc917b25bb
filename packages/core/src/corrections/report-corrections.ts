import * as E from 'fp-ts/lib/Either.js';
import type { AccessEvent, Returned } from '../access/access-event.ts';
import { outcomeOf, type ReportAccess } from '../access/access-reporter.ts';
import type { Correction } from '../records/correction.ts';
import { createResult, type Result } from '../result.ts';
import type { Corrections } from './corrections.ts';

/** Both patients count as seen. An erased record belongs to the patient in whose chart it was. */
const returnedBy = ({ patientId, toPatientId, records }: Correction): Returned => ({
  resources: records.map((record) => ({ ...record, patientId: toPatientId ?? patientId })),
  searchedPatientIds: toPatientId === null ? [patientId] : [patientId, toPatientId],
});

type Corrected = Pick<AccessEvent, 'interaction' | 'resourceType' | 'id'>;

/** Reports each correction to `onAccess`: a move and a merge as an update, and an erasure as a delete. */
export const reportCorrections = (
  { moveToPatient, mergePatients, erase, of }: Corrections,
  report: ReportAccess,
): Corrections => {
  const reported =
    <Body extends { readonly by: string }>(
      run: (body: Body) => Result<Correction>,
      correctedBy: (body: Body) => Corrected,
    ) =>
    (body: Body): Result<Correction> =>
      createResult(async () => {
        const answer = await run(body)();
        // Plain JavaScript may name nobody.
        if (typeof body?.by !== 'string') return answer;
        const error = await report({
          ...{ by: body.by, client: null, address: null, query: '', status: null, requestId: null },
          ...correctedBy(body),
          ...outcomeOf(E.isLeft(answer) ? answer.left : null),
          returned: E.isLeft(answer) ? [] : [returnedBy(answer.right)],
        });
        return error === null ? answer : E.left(error);
      });
  return {
    moveToPatient: reported(moveToPatient, ({ resourceType, resourceId }) => ({
      ...{ interaction: 'update', resourceType, id: resourceId },
    })),
    mergePatients: reported(mergePatients, ({ patientId }) => ({
      ...{ interaction: 'update', resourceType: 'Patient', id: patientId },
    })),
    erase: reported(erase, ({ resourceType, resourceId }) => ({
      ...{ interaction: 'delete', resourceType, id: resourceId },
    })),
    of,
  };
};
