import { type ChartLimit, isWithinLimit } from '@clinical-records/core';
import type { RouteResult } from '../routes.ts';

/**
 * Whether the result of a write may be read by its sender. The resource may have more data than the request sent. If the host
 * fails, it may not: a 500 would say that the write failed.
 */
export const mayRead = (
  limit: ChartLimit | null,
  result: RouteResult,
  onFailure: (cause: unknown) => void,
): boolean | Promise<boolean> => {
  if (limit === null || typeof result === 'string') return false;
  const { id, patientId } = result;
  const patientIds = patientId === null ? [] : [patientId];
  if (!isWithinLimit(limit, patientIds)) return false;
  const { authorize } = limit;
  if (authorize === undefined) return true;
  return authorize({ id, patientIds }).then(
    (answer) => isWithinLimit(answer, patientIds),
    (cause: unknown) => {
      onFailure(cause);
      return false;
    },
  );
};
