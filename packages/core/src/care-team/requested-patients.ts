import type { FindQuery } from '../records/find.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import type { PageOrigin } from '../search/paging.ts';
import type { SearchCondition } from '../store/query.ts';

/** The patients whose teams a search can find: those whom each of its conditions on patients names. */
export const requestedPatientIds = (conditions: readonly SearchCondition[]): readonly string[] => {
  const patientIdSets = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return patientIdSets.length === 0
    ? []
    : [...patientIdSets.reduce((some, others) => some.intersection(others))];
};

/** Whether a search can find a team that is not stored yet: the team of a patient whom the search names. */
export const canFindUnstored = (conditions: readonly SearchCondition[], id: string): boolean =>
  requestedPatientIds(conditions).includes(id);

/**
 * The same search, without the patients named up to the last one whose team was shown before it was stored. Some of them may
 * be stored by now, after the last stored team that was shown.
 */
export const omitShownPatients = (query: FindQuery, origin: PageOrigin): FindQuery => {
  if (!('after' in origin) || origin.afterUnstored === undefined) return query;
  const patientIds = requestedPatientIds(query.conditions);
  const anyOf = patientIds.slice(patientIds.indexOf(origin.afterUnstored) + 1);
  return { ...query, conditions: mergeConditions([...query.conditions, { on: 'patient', anyOf }]) };
};
