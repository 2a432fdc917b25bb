import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type ClinicalError, forbidden, invalidRequest, type Outcome } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { isOneOf } from '../fhir/schema.ts';
import { type ChartLimit, parseChartLimit } from '../records/chart-limit.ts';
import { keepAuthorized, type PastVersion, type ReadVersions } from '../records/history.ts';
import { type Include, type IncludeTable, lookUpInGroups } from '../records/include.ts';
import type { ResourceVersion } from '../records/page.ts';
import { searchIssue } from '../search/issues.ts';
import { matches } from '../store/matches.ts';
import type { SearchCondition } from '../store/query.ts';
import { createDeriveProvenance, type ProvenanceIds, toSearchable, type VersionName } from './model.ts';

/** How the versions of each type are read. */
export type VersionReaders = Readonly<Record<ResourceType, ReadVersions>>;

/** The Provenance of a version, and the version. */
export type VersionProvenance = ResourceVersion & { readonly target: VersionName };

/**
 * Reads the Provenances of a version of a resource, or of all versions, oldest first; empty if there is no such resource. The
 * versions are read under the first limit, and are within the others, too. The others are asked about the Provenance.
 */
export type ReadProvenances = (
  target: Pick<VersionName, 'type' | 'id'> & Partial<VersionName>,
  limits: readonly (ChartLimit | null)[],
) => Outcome<readonly VersionProvenance[]>;

/** The error of a caller who may read a Provenance, but not the resource that it is about. */
const targetForbidden: ClinicalError = forbidden(searchIssue('target-forbidden'));

/** Whether a patient's chart is within every limit. */
const parseLimits = (limits: readonly (ChartLimit | null)[]) =>
  E.traverseArray((limit: ChartLimit | null) =>
    limit === null ? E.left(targetForbidden) : parseChartLimit(limit),
  )(limits);

/** Derives the Provenance of each version that could ever be read. Their texts are dropped, because they can be large. */
export const createReadProvenances = (
  { usCore }: Pick<Environment, 'usCore'>,
  { ids, readVersions }: { readonly ids: ProvenanceIds; readonly readVersions: VersionReaders },
): ReadProvenances => {
  const deriveProvenance = createDeriveProvenance(ids);
  return async ({ type, id, version: requested }, limits) => {
    const parsed = parseLimits(limits);
    if (E.isLeft(parsed)) return parsed;
    const [limit, ...otherLimits] = limits;
    const versions = await readVersions[type](id, limit ?? {});
    if (E.isLeft(versions)) return versions.left._tag === 'NotFound' ? E.right([]) : versions;
    let reached: readonly PastVersion[] = versions.right.filter(({ patientId }) =>
      parsed.right.every((isWithin) => isWithin(patientId)),
    );
    for (const otherLimit of otherLimits) {
      const { authorize } = otherLimit ?? {};
      if (authorize === undefined) continue;
      const named = requested === undefined ? null : ids.format({ type, id, version: requested });
      reached = await keepAuthorized(reached, { id: named, authorize });
    }
    // A record that is now in a chart out of reach does not exist, and neither do its versions from before.
    if (reached[0] !== versions.right[0]) return E.right([]);
    const readable = reached.filter(({ resource }) => resource !== null);
    const first = readable.at(-1);
    return E.right(
      readable.toReversed().flatMap((read): readonly VersionProvenance[] => {
        const { version, at, by, patientId } = read;
        if (requested !== undefined && version !== requested) return [];
        const target = { type, id: read.id, version };
        const provenance = deriveProvenance(target, { at, by, isFirst: read === first }, usCore);
        const json = JSON.stringify(provenance);
        return [{ id: provenance.id, patientId, version: 1, lastModified: at, json, target }];
      }),
    );
  };
};

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

type ProvenancesResult = E.Either<ClinicalError, readonly VersionProvenance[]>;

const isForbidden = (result: ProvenancesResult): boolean =>
  E.isLeft(result) && result.left._tag === 'Forbidden';

/**
 * Leaves out what the caller may not read of an id that the search names without a type. If that is all of it, the search is
 * refused.
 */
const omitForbiddenTypes = (
  results: readonly ProvenancesResult[],
  targets: readonly Target[],
  types: readonly ResourceType[],
): readonly ProvenancesResult[] =>
  results.filter((result, index) => {
    if (!isForbidden(result)) return true;
    const ofId = results.filter((_, otherIndex) => targets[otherIndex]?.id === targets[index]?.id);
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
  const provenances = E.sequenceArray(omitForbiddenTypes(results.right, targets, types));
  if (E.isLeft(provenances)) return provenances;
  const isMatch = matches({ type: 'Provenance', conditions });
  return E.right(
    provenances.right
      .flat()
      .filter((provenance) => isMatch({ ...toSearchable(provenance), at: provenance.lastModified }))
      .toSorted((a, b) => a.lastModified - b.lastModified),
  );
};

/** The includes that every search has. Source: US Core, us-core-server. */
export const revIncludes = ['Provenance:target'] as const;

/** Finds the Provenance of each match: that of the version on the page. A team that is not stored yet has no version. */
const createInclude = (read: ReadProvenances, type: ResourceType): Include => ({
  types: ['Provenance'],
  find: async (matches, reach) => {
    const stored = matches.flatMap(({ id, version }) => (version === null ? [] : [{ type, id, version }]));
    const provenances = await lookUpInGroups((target: VersionName) =>
      read(target, [reach(type), reach('Provenance')]),
    )(stored);
    if (E.isLeft(provenances)) return provenances;
    return E.right(
      provenances.right
        .flat()
        .map(({ id, json, patientId }) => ({ type: 'Provenance', id, json, patientId })),
    );
  },
});

/** The includes of the searches for a type. */
export const createIncludes = (read: ReadProvenances, type: ResourceType): IncludeTable => ({
  _revinclude: Object.fromEntries(revIncludes.map((name) => [name, createInclude(read, type)])),
});
