import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, otherChartError } from '../errors.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import type { SearchCondition } from '../store/query.ts';
import { type AuthorizeCharts, type ChartLimit, hasLimit, limitedTo } from './chart-limit.ts';

/**
 * Limits the conditions of a search to the charts of its caller. A search for another chart is refused. A `within` that is not
 * valid is refused, too, because an empty bundle would say that a chart is empty.
 */
export const limitConditions = (
  conditions: readonly SearchCondition[],
  limit: ChartLimit,
): E.Either<ClinicalError, readonly SearchCondition[]> => {
  if (!hasLimit(limit)) return E.right(conditions);
  const patientIds = limitedTo(limit);
  if (patientIds === null) return E.left(otherChartError);
  const asksForOtherChart = conditions.some(
    (condition) => condition.on === 'patient' && condition.anyOf.some((id) => !patientIds.has(id)),
  );
  return asksForOtherChart
    ? E.left(otherChartError)
    : E.right([...conditions, { on: 'patient', anyOf: [...patientIds] }]);
};

/**
 * Limits merged conditions to the charts for which a search is authorized. Its patients are those whom it names and to whom it
 * is limited. A search that can find nobody is not asked about.
 */
export const authorizeConditions = async (
  conditions: readonly SearchCondition[],
  authorize: AuthorizeCharts,
): Promise<readonly SearchCondition[]> => {
  const named = conditions.find((condition) => condition.on === 'patient');
  if (named?.anyOf.length === 0) return conditions;
  const answer = await authorize({ id: null, patientIds: named?.anyOf ?? [] });
  if (!hasLimit(answer)) return conditions;
  return mergeConditions([...conditions, { on: 'patient', anyOf: [...(limitedTo(answer) ?? [])] }]);
};
