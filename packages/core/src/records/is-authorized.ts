import {
  type AuthorizeCharts,
  type ChartLimit,
  hasLimit,
  limitedTo,
  type ReachedCharts,
} from './chart-limit.ts';

/** Whether a resource is within a limit: every chart to which it belongs is. Without a known chart, it is within no limit. */
export const isWithinLimit = (limit: Pick<ChartLimit, 'within'>, patientIds: readonly string[]): boolean => {
  if (!hasLimit(limit)) return true;
  const reached = limitedTo(limit);
  return reached !== null && patientIds.length > 0 && patientIds.every((id) => reached.has(id));
};

/** Whether `authorize` allows a resource: every chart to which it belongs. */
export const isAuthorized = async (authorize: AuthorizeCharts, reached: ReachedCharts): Promise<boolean> =>
  isWithinLimit(await authorize(reached), reached.patientIds);
