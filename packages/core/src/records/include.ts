import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, forbidden, type Outcome } from '../errors.ts';
import { parameterIssue } from '../search/issues.ts';
import type { ResultParameters, ResultParameterTable } from '../search/result-parameters.ts';
import type { ReadOptions } from './chart-limit.ts';
import type { FoundMatch } from './find.ts';
import { createTurns } from './turns.ts';

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
      const include = includes[value];
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
    const found = await find(matches, reach, readReferenced);
    if (E.isLeft(found)) return found;
    for (const resource of found.right) {
      const name = `${resource.type}/${resource.id}`;
      if (!seen.has(name)) included.push(resource);
      seen.add(name);
    }
  }
  return E.right(included);
};
