import * as E from 'fp-ts/lib/Either.js';
import type { AccessHooks } from '../access/access.ts';
import type { ChartLimit, LimitByType, ReadOptions } from '../access/chart-limit.ts';
import { type ClinicalError, forbidden, type Outcome } from '../errors.ts';
import { parseReference, type ReferencePath, readReferences } from '../fhir/reference.ts';
import { ownProperty } from '../fhir/schema.ts';
import { parameterIssue } from '../search/issues.ts';
import type { ResultParameters, ResultParameterTable } from '../search/parse-search.ts';
import { createLaterTurns, createTurns, isLarge } from '../store/turns.ts';
import type { ResourceFacts } from './definition.ts';
import type { FoundMatch } from './find.ts';

/** How many are looked up at the same moment: for each that is not known, the host may ask a database of its own. */
const lookupsAtOnce = 10;

/** Looks up everything that one request mentions, a few at a time, however many they are. */
export const lookUpInGroups =
  <Reference, Result>(lookUp: (mention: Reference) => Outcome<Result>) =>
  async (mentions: readonly Reference[]): Outcome<readonly Result[]> => {
    const results: Result[] = [];
    for (let index = 0; index < mentions.length; index += lookupsAtOnce) {
      const group = await Promise.all(
        mentions.slice(index, index + lookupsAtOnce).map((mention) => lookUp(mention)),
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

/** Finds the resources to which matches refer, or which refer to a match. */
export type Include = {
  /** The types of the resources, if a caller who may read none of them is refused. Without them, such resources are left out. */
  readonly types?: readonly string[];
  readonly find: (
    matches: readonly FoundMatch[],
    limitOf: LimitByType,
    openReferenced?: OpenReferenced,
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
  limitOf: LimitByType,
): E.Either<ClinicalError, readonly Include[]> => {
  const requested: Include[] = [];
  for (const [name, includes] of Object.entries(table)) {
    for (const value of results.get(name) ?? []) {
      const [source, reference, target] = value.split(':');
      const include =
        ownProperty(includes, value) ??
        ownProperty(includes, `${source}:${reference}`)?.leadingTo(target ?? '');
      if (include === undefined) continue;
      if (include.types?.every((type) => limitOf(type) === null)) {
        return E.left(forbidden(parameterIssue('include-forbidden', name)));
      }
      requested.push(include);
    }
  }
  return E.right(requested);
};

/** A page is parsed at once, so the pages of this process take turns. */
const takeTurn = createTurns();
const takeLaterTurn = createLaterTurns(takeTurn);

/** Finds what includes add to a page of matches of a type: each resource once, and none that is a match itself. */
export const findIncluded = async (
  includes: readonly Include[],
  {
    type,
    matches,
    limitOf,
    openReferenced,
  }: {
    readonly type: string;
    readonly matches: readonly FoundMatch[];
    readonly limitOf: LimitByType;
    readonly openReferenced: OpenReferenced | undefined;
  },
): Promise<E.Either<ClinicalError, readonly IncludedResource[]>> => {
  const seen = new Set(matches.map(({ id }) => `${type}/${id}`));
  const included: IncludedResource[] = [];
  await (isLarge(matches.map(({ resource }) => resource)) ? takeLaterTurn() : takeTurn());
  for (const { find } of includes) {
    const added = await find(matches, limitOf, openReferenced);
    if (E.isLeft(added)) return added;
    for (const resource of added.right) {
      const name = `${resource.type}/${resource.id}`;
      if (!seen.has(name)) included.push(resource);
      seen.add(name);
    }
  }
  return E.right(included);
};

/** Reads resources of a type to which others refer as JSON text, under a limit; null if the type is not served. */
export type OpenReferenced = (
  type: string,
  limit: ChartLimit & Partial<Pick<AccessHooks, 'onDeny'>>,
) => (id: string) => Outcome<string | null>;

/** The reader of the options; undefined if there is none. */
export const hostReader = ({ readReferenced }: ReadOptions): OpenReferenced | undefined =>
  readReferenced && ((type, limit) => (id) => readReferenced(type, id, limit));

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
  limitOf: LimitByType,
  openReferenced: OpenReferenced,
): Outcome<readonly IncludedResource[]> => {
  // Each type is opened once, however many targets it has.
  const readers = new Map<string, ReturnType<OpenReferenced> | null>();
  const readerOf = (type: string) => {
    const known = readers.get(type);
    if (known !== undefined) return known;
    const limit = limitOf(type);
    const reader = limit && openReferenced(type, limit);
    readers.set(type, reader);
    return reader;
  };
  const lookUp = async ({ type, id }: Target): Outcome<readonly IncludedResource[]> => {
    const json = await (readerOf(type)?.(id) ?? E.right(null));
    if (E.isRight(json)) return E.right(json.right === null ? [] : [{ type, id, json: json.right }]);
    return ['NotFound', 'Forbidden'].includes(json.left._tag) ? E.right([]) : json;
  };
  const included = await lookUpInGroups(lookUp)(targets);
  return E.isLeft(included) ? included : E.right(included.right.flat());
};

/** Finds the resources to which matches refer at one of the paths. */
const createReferenceInclude = (
  paths: readonly ReferencePath[],
  openByDefault: OpenReferenced,
  only?: string,
): Include => ({
  find: (matches, limitOf, openReferenced = openByDefault) => {
    const targets = targetsOf(matches, paths);
    return readTargets(
      only === undefined ? targets : targets.filter(({ type }) => type === only),
      limitOf,
      openReferenced,
    );
  },
  leadingTo: (type) => createReferenceInclude(paths, openByDefault, type),
});

/** The includes of the searches for a type: each of its references, and all of them. Source: FHIR R4, Search, 3.1.1.5.4. */
export const createReferenceIncludes = (
  { type, references }: Pick<ResourceFacts, 'type' | 'references'>,
  openByDefault: OpenReferenced,
): IncludeTable => {
  const paths = Object.entries(references);
  return {
    _include: Object.fromEntries([
      ...paths.map(([name, path]) => [`${type}:${name}`, createReferenceInclude([path], openByDefault)]),
      [
        '*',
        createReferenceInclude(
          paths.map(([, path]) => path),
          openByDefault,
        ),
      ],
    ]),
  };
};
