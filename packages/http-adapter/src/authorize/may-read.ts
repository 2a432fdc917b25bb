import { type ChartLimit, isWithinLimit } from '@clinical-records/core';
import type { RouteResult } from '../routes.ts';

/** Whether the result of a write may be read by its sender. The resource may have more data than the request sent. */
export const mayRead = (limit: ChartLimit | null, result: RouteResult): boolean | Promise<boolean> => {
  if (limit === null || typeof result === 'string') return false;
  const { id, patientId } = result;
  const patientIds = patientId === null ? [] : [patientId];
  if (!isWithinLimit(limit, patientIds)) return false;
  const { authorize } = limit;
  return (
    authorize === undefined ||
    authorize({ id, patientIds }).then((answer) => isWithinLimit(answer, patientIds))
  );
};
