import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest, type Outcome } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { ChartLimit } from '../records/chart-limit.ts';
import { lookUpInGroups } from '../records/look-up-in-groups.ts';
import { searchIssue } from '../search/issues.ts';
import { matches } from '../store/matches.ts';
import type { SearchCondition } from '../store/query.ts';
import type { ProvenanceIds, VersionName } from './provenance-id.ts';
import type { ReadProvenances, VersionProvenance } from './read-provenances.ts';
import { toSearchable } from './search-parameters.ts';

type Target = Pick<VersionName, 'type' | 'id'>;

/** The most resources whose versions one search reads. */
const maxTargets = 100;

/** The resources that a condition names, whether it names a version of them or not. */
const targetsOf = (condition: SearchCondition, { types, parse }: ProvenanceIds): readonly Target[] => {
  const isResourceType = isOneOf(types);
  if (condition.on === 'id') return condition.anyOf.flatMap((id) => parse(id) ?? []);
  if (condition.on !== 'reference') return [];
  return condition.anyOf.flatMap(({ type, id }) =>
    isResourceType(type) ? [{ type, id: id.replace(/\/.*$/, '') }] : [],
  );
};

/** The resources whose Provenances can match: those that the first condition names, each once. */
export const requestedTargets = (
  conditions: readonly SearchCondition[],
  ids: ProvenanceIds,
): E.Either<ClinicalError, readonly Target[]> => {
  const [first] = conditions;
  if (first === undefined) return E.left(invalidRequest(searchIssue('target-required')));
  const named = new Map(targetsOf(first, ids).map(({ type, id }) => [`${type}/${id}`, { type, id }]));
  return named.size > maxTargets
    ? E.left(invalidRequest(searchIssue('too-many-values')))
    : E.right([...named.values()]);
};

type Found = E.Either<ClinicalError, readonly VersionProvenance[]>;

const isForbidden = (found: Found): boolean => E.isLeft(found) && found.left._tag === 'Forbidden';

/**
 * Leaves out what the caller may not read of an id that the search names without a type. If that is all of it, the search is
 * refused.
 */
const omitForbiddenTypes = (
  found: readonly Found[],
  targets: readonly Target[],
  types: readonly ResourceType[],
): readonly Found[] =>
  found.filter((one, at) => {
    if (!isForbidden(one)) return true;
    const ofId = found.filter((_, other) => targets[other]?.id === targets[at]?.id);
    return ofId.length < types.length || ofId.every(isForbidden);
  });

/** Finds the Provenances of resources that meet all conditions, oldest first. */
export const findProvenances = async (
  read: ReadProvenances,
  {
    targets,
    conditions,
    types,
    limitsOf,
  }: {
    readonly targets: readonly Target[];
    readonly conditions: readonly SearchCondition[];
    readonly types: readonly ResourceType[];
    readonly limitsOf: (target: Target) => readonly (ChartLimit | null)[];
  },
): Outcome<readonly VersionProvenance[]> => {
  const results = await lookUpInGroups(async (target: Target) =>
    E.right(await read(target, limitsOf(target))),
  )(targets);
  if (E.isLeft(results)) return results;
  const found = E.sequenceArray(omitForbiddenTypes(results.right, targets, types));
  if (E.isLeft(found)) return found;
  const isMatch = matches({ type: 'Provenance', conditions });
  return E.right(
    found.right
      .flat()
      .filter((one) => isMatch({ ...toSearchable(one), at: one.lastModified }))
      .toSorted((one, other) => one.lastModified - other.lastModified),
  );
};
