import { idPattern, parseReference } from '../fhir/reference.ts';
import type { ReferenceCriterion } from '../store/query.ts';

/**
 * Parses `Type/id`, or an id of any of the types; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.12.
 */
export const parseReferenceCriteria =
  (types: readonly string[]) =>
  (value: string): readonly ReferenceCriterion[] | null => {
    if (idPattern.test(value)) return types.map((type) => ({ type, id: value }));
    const reference = parseReference(value);
    return reference !== null && types.includes(reference.type) ? [reference] : null;
  };
