import * as E from 'fp-ts/lib/Either.js';
import type { ChartLimit } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, forbidden, invalidRequest, type Outcome, tooCostly } from '../errors.ts';
import { isOneOf } from '../fhir/schema.ts';
import { ClinicalRecordsError, toOutcome } from '../outcome.ts';
import { type Include, type IncludeTable, lookUpInGroups } from '../records/include.ts';
import type { ResourceVersion } from '../records/page.ts';
import type { PastVersion, VersionReaches, VersionReader } from '../records/past-versions.ts';
import { openReach, type Reach } from '../records/reach.ts';
import { searchIssue } from '../search/issues.ts';
import type { MatchingFacts } from '../search/matching.ts';
import { matches } from '../store/matches.ts';
import type { SearchCondition } from '../store/query.ts';
import { pause } from '../store/turns.ts';
import {
  createDeriveProvenance,
  type ProvenanceIds,
  toSearchable,
  type VersionCircumstances,
  type VersionFacts,
  type VersionName,
} from './model.ts';

/** A Provenance that was found: the version that it is about, and what it says of that. */
export type FoundProvenance = VersionFacts & {
  readonly id: string;
  readonly target: VersionName;
  readonly patientId: string | null;
};

/** A limit of a caller; null if it may not read such resources. */
type TargetLimit = ChartLimit | null;

/** The limits of a caller for the resources that Provenances are about, and for the Provenances. */
export type TargetLimits = readonly [TargetLimit, ...TargetLimit[]];

type TargetReaches = readonly [Reach, ...Reach[]];

export type ProvenanceReader = {
  /**
   * Finds the Provenances of a version of a resource, or of all versions, oldest first; none if there is no such resource. The
   * versions are within all reaches. The first is asked about the version, and the others about the Provenance. More than `most`
   * are too costly.
   */
  readonly find: (
    target: Pick<VersionName, 'type' | 'id'> & Partial<VersionName>,
    reaches: TargetReaches,
    most?: number,
  ) => Outcome<readonly FoundProvenance[]>;
  /** Opens the reaches into the versions of a type. A limit that is null refuses everything. */
  readonly open: (type: string, limits: TargetLimits) => E.Either<ClinicalError, TargetReaches>;
  readonly render: (found: FoundProvenance) => ResourceVersion;
};

/** The error of a caller who may read a Provenance, but not the resource that it is about. */
const targetForbidden: ClinicalError = forbidden(searchIssue('target-forbidden'));

const tooManyFound: ClinicalError = tooCostly(searchIssue('too-costly'));

/** Reads why the versions of a resource were written, and for which agents. The current record says it of all of them. */
export type CircumstancesReader = (id: string) => Outcome<(version: PastVersion) => VersionCircumstances>;

/** The reader of a type whose resources derive from no commands. */
export const noCircumstances: CircumstancesReader = async () => E.right(() => ({}));

/** The versions that can be read, newest first: all, or the one that is requested, and an earlier one if there is any. */
const readReadable = async (
  pages: AsyncIterable<readonly PastVersion[]>,
  requested: number | undefined,
  most: number,
): Promise<readonly PastVersion[]> => {
  const readable: PastVersion[] = [];
  for await (const page of pages) {
    for (const version of page) if (version.bytes !== null) readable.push(version);
    if (readable.length > most) throw new ClinicalRecordsError(tooManyFound);
    const [newest] = readable;
    if (requested === undefined || newest === undefined) continue;
    if (readable.length > 1 || newest.version !== requested) break;
  }
  return readable;
};

/** Derives the Provenance of each version that could ever be read. It reads no text of a version. */
export const createProvenanceReader = (
  { organization, zone, now }: Pick<Environment, 'organization' | 'zone' | 'now'>,
  {
    ids,
    facts,
    versionsOf,
    circumstancesOf,
  }: {
    readonly ids: ProvenanceIds;
    readonly facts: ReadonlyMap<string, MatchingFacts>;
    readonly versionsOf: (type: string) => Pick<VersionReader, 'pages'>;
    readonly circumstancesOf: (type: string) => CircumstancesReader;
  },
): ProvenanceReader => {
  const deriveProvenance = createDeriveProvenance(ids);

  return {
    open: (type, limits) => {
      const openOne = (limit: TargetLimit): E.Either<ClinicalError, Reach> =>
        limit === null
          ? E.left(targetForbidden)
          : openReach(limit, { facts: facts.get(type) as MatchingFacts, zone, now });
      const [first, ...others] = limits;
      const ofVersion = openOne(first);
      if (E.isLeft(ofVersion)) return ofVersion;
      const ofProvenance = E.traverseArray(openOne)(others);
      return E.isLeft(ofProvenance) ? ofProvenance : E.right([ofVersion.right, ...ofProvenance.right]);
    },
    find: async (
      { type, id, version: requested },
      [ofVersion, ...ofProvenance],
      most = Number.POSITIVE_INFINITY,
    ) => {
      const named = requested === undefined ? null : ids.format({ type, id, version: requested });
      const reaches: VersionReaches = [
        { reach: ofVersion, id },
        ...ofProvenance.map((reach) => ({ reach, id: named })),
      ];
      const start = requested === undefined ? {} : { before: requested + 1, first: 2 };
      const found = await toOutcome(() =>
        readReadable(versionsOf(type).pages(id, reaches, start), requested, most),
      );
      if (E.isLeft(found)) return found.left._tag === 'NotFound' ? E.right([]) : found;
      const first = found.right.at(-1);
      if (first === undefined) return E.right([]);
      const circumstances = await circumstancesOf(type)(first.id);
      if (E.isLeft(circumstances)) return circumstances;
      return E.right(
        found.right.toReversed().flatMap((read): readonly FoundProvenance[] => {
          const { version, at, by, patientId } = read;
          if (requested !== undefined && version !== requested) return [];
          const target = { type, id: read.id, version };
          const facts = { at, by, isFirst: read === first, ...circumstances.right(read) };
          return [{ id: ids.format(target), target, patientId, ...facts }];
        }),
      );
    },
    render: ({ id, target, patientId, ...facts }) => {
      const json = JSON.stringify(deriveProvenance(target, facts, organization));
      return { id, patientId, version: 1, lastModified: facts.at, json };
    },
  };
};

type TargetName = Pick<VersionName, 'type' | 'id'>;

/** The most resources whose versions one search reads. */
const maxTargets = 100;

/** The resources that a condition names, whether it names a version of them or not. */
const namedTargets = (condition: SearchCondition, { types, parse }: ProvenanceIds): readonly TargetName[] => {
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
): E.Either<ClinicalError, readonly TargetName[]> => {
  const [first] = conditions;
  if (first === undefined) return E.left(invalidRequest(searchIssue('target-required')));
  const named = new Map(namedTargets(first, ids).map(({ type, id }) => [`${type}/${id}`, { type, id }]));
  return named.size > maxTargets
    ? E.left(invalidRequest(searchIssue('too-many-values')))
    : E.right([...named.values()]);
};

/** The most Provenances that one search sorts. */
const maxFound = 10_000;

/** After so many Provenances, a search lets other work go on. */
const foundInTurn = 500;

type FoundResult = E.Either<ClinicalError, readonly FoundProvenance[]>;

const isForbidden = (result: FoundResult): boolean => E.isLeft(result) && result.left._tag === 'Forbidden';

/**
 * Leaves out what the caller may not read of an id that the search names without a type. If that is all of it, the search is
 * refused.
 */
const omitForbiddenTypes = (
  results: readonly FoundResult[],
  targets: readonly TargetName[],
  types: readonly string[],
): readonly FoundResult[] =>
  results.filter((result, index) => {
    if (!isForbidden(result)) return true;
    const ofId = results.filter((_, otherIndex) => targets[otherIndex]?.id === targets[index]?.id);
    return ofId.length < types.length || ofId.every(isForbidden);
  });

/** Finds the Provenances of resources that meet all conditions, oldest first. */
export const findProvenances = async (
  { find }: Pick<ProvenanceReader, 'find'>,
  {
    targets,
    conditions,
    types,
    reachesOf,
  }: {
    readonly targets: readonly TargetName[];
    readonly conditions: readonly SearchCondition[];
    readonly types: readonly string[];
    readonly reachesOf: (type: string) => ReturnType<ProvenanceReader['open']>;
  },
): Outcome<readonly FoundProvenance[]> => {
  const isMatch = matches({ type: 'Provenance', conditions });
  let [total, inTurn] = [0, 0];
  const findOf = async (target: TargetName): Outcome<FoundResult> => {
    const reaches = reachesOf(target.type);
    const found = E.isLeft(reaches) ? reaches : await find(target, reaches.right, maxFound);
    if (E.isLeft(found)) return found.left._tag === 'TooCostly' ? found : E.right(found);
    total += found.right.length;
    inTurn += found.right.length;
    if (total > maxFound) return E.left(tooManyFound);
    const matching = found.right.filter((one) => isMatch({ ...toSearchable(one), at: one.at }));
    if (inTurn > foundInTurn) {
      inTurn = 0;
      await pause();
    }
    return E.right(E.right(matching));
  };
  const results = await lookUpInGroups(findOf)(targets);
  if (E.isLeft(results)) return results;
  const found = E.sequenceArray(omitForbiddenTypes(results.right, targets, types));
  return E.isLeft(found) ? found : E.right(found.right.flat().toSorted((a, b) => a.at - b.at));
};

/** The includes that every search has. Source: US Core, us-core-server. */
export const revIncludes = ['Provenance:target'] as const;

/** Finds nothing: the resources do not refer to the type that a search names. */
const noInclude: Include = { find: async () => E.right([]), leadingTo: () => noInclude };

/** Finds the Provenance of each match: that of the version on the page. A team that is not stored yet has no version. */
const createInclude = (reader: ProvenanceReader, type: string): Include => ({
  types: ['Provenance'],
  find: async (matches, limitOf) => {
    const reaches = reader.open(type, [limitOf(type), limitOf('Provenance')]);
    if (E.isLeft(reaches)) return reaches;
    const stored = matches.flatMap(({ id, version }) => (version === null ? [] : [{ type, id, version }]));
    const found = await lookUpInGroups((target: VersionName) => reader.find(target, reaches.right))(stored);
    if (E.isLeft(found)) return found;
    return E.right(
      found.right
        .flat()
        .map(reader.render)
        .map(({ id, json, patientId }) => ({ type: 'Provenance', id, json, patientId })),
    );
  },
  leadingTo: (target) => (target === type ? createInclude(reader, type) : noInclude),
});

export const createIncludes = (reader: ProvenanceReader, type: string): IncludeTable => ({
  _revinclude: Object.fromEntries(revIncludes.map((name) => [name, createInclude(reader, type)])),
});
