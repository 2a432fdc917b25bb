import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import { parseReference } from '../fhir/reference.ts';
import { type ReferencePath, readReferences } from '../fhir/reference-parameters.ts';
import type { ReadOptions } from './chart-limit.ts';
import type { FoundMatch } from './find.ts';
import type { Include, IncludedResource, IncludeTable } from './include.ts';
import { lookUpInGroups } from './look-up-in-groups.ts';
import type { ResourceFacts } from './resource-facts.ts';

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
    const found = await read(type, id, limit);
    if (E.isRight(found)) return E.right(found.right === null ? [] : [{ type, id, json: found.right }]);
    return ['NotFound', 'Forbidden'].includes(found.left._tag) ? E.right([]) : found;
  };
  const found = await lookUpInGroups(lookUp)(targets);
  return E.isLeft(found) ? found : E.right(found.right.flat());
};

/** Finds the resources to which matches refer at one of the paths. */
const createReferenceInclude = (paths: readonly ReferencePath[], readByDefault: ReadReferenced): Include => ({
  find: (matches, reach, read = readByDefault) => readTargets(targetsOf(matches, paths), reach, read),
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
