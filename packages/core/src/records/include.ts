import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, forbidden, type Outcome } from '../errors.ts';
import { parseReference, type ReferencePath, readReferences } from '../fhir/reference.ts';
import { parameterIssue } from '../search/issues.ts';
import type { ResultParameters, ResultParameterTable } from '../search/parse-search.ts';
import { createTurns } from '../store/turns.ts';
import type { ReadOptions } from './chart-limit.ts';
import type { ResourceFacts } from './definition.ts';
import type { FoundMatch } from './find.ts';

/** How many are looked up at the same moment: for each that is not known, the host may ask a database of its own. */
const groupSize = 10;

/** Looks up everything that one request mentions, a few at a time, however many they are. */
export const lookUpInGroups =
  <Reference, Result>(lookUp: (mention: Reference) => Outcome<Result>) =>
  async (mentions: readonly Reference[]): Outcome<readonly Result[]> => {
    const results: Result[] = [];
    for (let index = 0; index < mentions.length; index += groupSize) {
      const group = await Promise.all(
        mentions.slice(index, index + groupSize).map((mention) => lookUp(mention)),
      );
      for (const result of group) {
        if (E.isLeft(result)) return result;
        results.push(result.right);
      }
    }
    return E.right(results);
  };

/** A resource that a search adds to a page. It does not match the search. */
export type IncludedResource = {
  readonly type: string;
  readonly id: string;
  readonly json: string;
  /** The patient to whom it belongs, if the text does not say so. */
  readonly patientId?: string | null;
};

/** The chart limit under which the caller may read resources of a type; null if it may not. */
export type Reach = NonNullable<ReadOptions['reach']>;

/** Finds the resources to which matches refer, or which refer to a match. */
export type Include = {
  /** The types of the resources, if a caller who may read none of them is refused. Without them, such resources are left out. */
  readonly types?: readonly string[];
  readonly find: (
    matches: readonly FoundMatch[],
    reach: Reach,
    readReferenced?: ReadOptions['readReferenced'],
  ) => Outcome<readonly IncludedResource[]>;
  /** The same for one type of the resources to which a reference leads. */
  readonly leadingTo: (type: string) => Include;
};

/** The includes of a type by their parameter and its value, such as `Goal:patient`. Source: FHIR R4, Search, 3.1.1.5.4. */
export type IncludeTable = Readonly<
  Partial<Record<'_include' | '_revinclude', Readonly<Record<string, Include>>>>
>;

/** The parameters that a table of includes declares. */
export const includeParameters = (table: IncludeTable): ResultParameterTable =>
  Object.fromEntries(
    Object.entries(table).map(([name, includes]) => [
      name,
      { kind: 'include', values: Object.keys(includes) },
    ]),
  );

/** The includes that a search asks for, if its caller may read what they find. */
export const requestedIncludes = (
  table: IncludeTable,
  { results }: Pick<ResultParameters, 'results'>,
  reach: Reach,
): E.Either<ClinicalError, readonly Include[]> => {
  const requested: Include[] = [];
  for (const [name, includes] of Object.entries(table)) {
    for (const value of results.get(name) ?? []) {
      const [source, reference, target] = value.split(':');
      const include = includes[value] ?? includes[`${source}:${reference}`]?.leadingTo(target ?? '');
      if (include === undefined) continue;
      if (include.types?.every((type) => reach(type) === null)) {
        return E.left(forbidden(parameterIssue('include-forbidden', name)));
      }
      requested.push(include);
    }
  }
  return E.right(requested);
};

/** A page is parsed at once, so the pages of this process take turns. */
const takeTurn = createTurns();

/** Finds what includes add to a page of matches of a type: each resource once, and none that is a match itself. */
export const findIncluded = async (
  includes: readonly Include[],
  {
    type,
    matches,
    reach,
    readReferenced,
  }: Pick<ReadOptions, 'readReferenced'> & {
    readonly type: string;
    readonly matches: readonly FoundMatch[];
    readonly reach: Reach;
  },
): Promise<E.Either<ClinicalError, readonly IncludedResource[]>> => {
  const seen = new Set(matches.map(({ id }) => `${type}/${id}`));
  const included: IncludedResource[] = [];
  await takeTurn();
  for (const { find } of includes) {
    const added = await find(matches, reach, readReferenced);
    if (E.isLeft(added)) return added;
    for (const resource of added.right) {
      const name = `${resource.type}/${resource.id}`;
      if (!seen.has(name)) included.push(resource);
      seen.add(name);
    }
  }
  return E.right(included);
};

/** Reads a resource to which another refers as JSON text; null if its type is not served. */
export type ReadReferenced = NonNullable<ReadOptions['readReferenced']>;

type Target = { readonly type: string; readonly id: string };

/** The targets of references in matches, each once. */
const targetsOf = (matches: readonly FoundMatch[], paths: readonly ReferencePath[]): readonly Target[] => {
  const references = new Set(
    matches.flatMap(({ resource }) => {
      const parsed: unknown = JSON.parse(resource);
      return paths.flatMap((path) => readReferences(parsed, path));
    }),
  );
  return [...references].flatMap((reference) => parseReference(reference) ?? []);
};

/** Reads resources to which others refer. One that the caller may not read, or that does not exist, is left out. */
export const readTargets = async (
  targets: readonly Target[],
  reach: NonNullable<ReadOptions['reach']>,
  read: ReadReferenced,
): Outcome<readonly IncludedResource[]> => {
  const lookUp = async ({ type, id }: Target): Outcome<readonly IncludedResource[]> => {
    const limit = reach(type);
    if (limit === null) return E.right([]);
    const json = await read(type, id, limit);
    if (E.isRight(json)) return E.right(json.right === null ? [] : [{ type, id, json: json.right }]);
    return ['NotFound', 'Forbidden'].includes(json.left._tag) ? E.right([]) : json;
  };
  const included = await lookUpInGroups(lookUp)(targets);
  return E.isLeft(included) ? included : E.right(included.right.flat());
};

/** Finds the resources to which matches refer at one of the paths. */
const createReferenceInclude = (
  paths: readonly ReferencePath[],
  readByDefault: ReadReferenced,
  only?: string,
): Include => ({
  find: (matches, reach, read = readByDefault) => {
    const targets = targetsOf(matches, paths);
    return readTargets(
      only === undefined ? targets : targets.filter(({ type }) => type === only),
      reach,
      read,
    );
  },
  leadingTo: (type) => createReferenceInclude(paths, readByDefault, type),
});

/** The includes of the searches for a type: each of its references, and all of them. Source: FHIR R4, Search, 3.1.1.5.4. */
export const createReferenceIncludes = (
  { type, references }: Pick<ResourceFacts, 'type' | 'references'>,
  readByDefault: ReadReferenced,
): IncludeTable => {
  const paths = Object.entries(references);
  return {
    _include: Object.fromEntries([
      ...paths.map(([name, path]) => [`${type}:${name}`, createReferenceInclude([path], readByDefault)]),
      [
        '*',
        createReferenceInclude(
          paths.map(([, path]) => path),
          readByDefault,
        ),
      ],
    ]),
  };
};
