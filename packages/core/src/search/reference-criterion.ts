import { isId } from '../fhir/id.ts';
import { parseReference } from '../fhir/reference.ts';
import type { ReferenceCriterion } from '../store/query.ts';

/**
 * Parses `Type/id`, or an id of any of the types; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.12.
 */
export const parseReferenceCriteria =
  (types: readonly string[]) =>
  (value: string): readonly ReferenceCriterion[] | null => {
    if (isId(value)) return types.map((type) => ({ type, id: value }));
    const reference = parseReference(value);
    return reference !== null && types.includes(reference.type) ? [reference] : null;
  };

/** A reference to a version. Source: FHIR R4, RESTful API, 3.1.0.3. */
const versionPattern = /^([^/]+\/[^/]+)(\/_history\/[1-9]\d{0,14})$/;

/** Parses the same, or a reference to one version, such as `Goal/1/_history/3`, whose id is then `1/_history/3`. */
export const parseVersionCriteria =
  (types: readonly string[]) =>
  (value: string): readonly ReferenceCriterion[] | null => {
    const [, resource = value, version = ''] = versionPattern.exec(value) ?? [];
    const criteria = parseReferenceCriteria(types)(resource);
    return criteria === null ? null : criteria.map(({ type, id }) => ({ type, id: id + version }));
  };
