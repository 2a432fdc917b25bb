import * as z from 'zod';
import { directoryProfiles } from '../directory/resources.ts';
import { type DirectorySearchType, directoryFacts } from '../directory/search.ts';
import { bundleHeadSchema, historyEntrySchema, historyHeadSchema, usCoreProfile } from '../fhir/bundle.ts';
import { includeValues } from '../fhir/reference.ts';
import type { ResourceType, ServedType } from '../fhir/resource-type.ts';
import { createProvenanceParameters, createProvenanceSchema } from '../provenance/model.ts';
import { revIncludes } from '../provenance/read.ts';
import { historyParameters } from '../records/history.ts';
import type { AnyResource, Resources } from '../resource-definition.ts';
import { type DeclaredParameters, modifiersOf } from '../search/named-parameter.ts';
import { defaultCount, maxCount, type PagingName } from '../search/paging.ts';
import type { SearchParameter } from '../search/parameters.ts';
import { pageParameters, type ResultParameter, type ResultParameterTable } from '../search/parse-search.ts';
import { sortParameter } from '../search/sort.ts';
import { datePrefixes } from '../store/query.ts';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const notStored = {
  description: 'Not stored: dropped, or refused under `Prefer: handling=strict`.',
};

/** Describes the elements that are not stored in one line. */
const nameNotStored = (schema: z.core.JSONSchema.BaseSchema): void => {
  const { notStored: names } = schema;
  if (!Array.isArray(names)) return;
  delete schema.notStored;
  schema.patternProperties = { [`^(${names.join('|')})$`]: notStored };
};

const omitNotStored = (schema: z.core.JSONSchema.BaseSchema): void => {
  delete schema.notStored;
};

const createRenderer =
  (changeElement: (schema: z.core.JSONSchema.BaseSchema) => void) =>
  (schema: z.ZodType): JsonSchema => {
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io: 'input',
      override: ({ jsonSchema }) => changeElement(jsonSchema),
    });
    return json;
  };

/** The bodies that a schema allows, as far as JSON Schema can express it. */
export const toBodySchema = createRenderer(nameNotStored);

/** The resources that a schema describes, which have none of the elements that are not stored. */
export const toResourceSchema = createRenderer(omitNotStored);

/** A search parameter. */
export type ParameterDescription = {
  /** The name, such as `patient`. */
  readonly name: string;
  /** The values that it allows, as a sentence. */
  readonly description: string;
  /** The values that it allows, as far as JSON Schema can express it. */
  readonly schema: JsonSchema;
  /** The type of a search parameter in FHIR; null if it only selects the page. */
  readonly searchType: 'token' | 'reference' | 'date' | 'string' | 'number' | 'quantity' | 'uri' | null;
};

const code = (text: string) => `\`${text}\``;
const anyOf = (texts: readonly string[]) => texts.map(code).join(', ');

const describeParameter = (parameter: SearchParameter): string => {
  switch (parameter.kind) {
    case 'id':
      return 'Id of the resource.';
    case 'patient':
      return 'Reference to the patient: `Patient/<id>`, or only the id.';
    case 'token':
      return parameter.codes === undefined
        ? 'Token: `code`, `system|code`, `system|` or `|code`.'
        : `Token: one of ${anyOf(parameter.codes)}, with or without its system and \`|\` before it.`;
    case 'fixed':
      return `Token: ${anyOf(parameter.codes)}, with or without its system and \`|\` before it.`;
    case 'profile':
      return `URL of a profile: ${anyOf([parameter.profile])}.`;
    case 'reference':
      return `Reference: ${anyOf(parameter.types.map((type) => `${type}/<id>`))}, or only the id${parameter.hasVersions ? '; a version, with `/_history/<version>` after it' : ''}.`;
    case 'string':
      return 'The beginnings of words, in any order, without regard to accents and case.';
    case 'since':
      return 'Only versions from this date or time on.';
    case 'lastUpdated':
    case 'date':
      return `Date, or time with its offset, of any precision, with one of the prefixes ${anyOf(datePrefixes)} or none.`;
  }
};

const describeModifiers = (modifiers: readonly string[]): string =>
  modifiers.length === 0 ? '' : ` Modifiers: ${anyOf(modifiers.map((modifier) => `:${modifier}`))}.`;

const wholeNumber = { type: 'integer', minimum: 0 };

/** The types of the parameters in FHIR. */
const searchTypes = {
  id: 'token',
  patient: 'reference',
  token: 'token',
  fixed: 'token',
  profile: 'uri',
  reference: 'reference',
  date: 'date',
  string: 'string',
  lastUpdated: 'date',
  since: 'date',
} as const satisfies Record<SearchParameter['kind'], ParameterDescription['searchType']>;

const paging: Readonly<Record<PagingName, Pick<ParameterDescription, 'description' | 'schema'>>> = {
  _count: {
    description: `The most resources of a page: at most ${maxCount}, and fewer if they are large; 0 returns only the total.`,
    schema: { ...wholeNumber, default: defaultCount },
  },
  _offset: {
    description: 'How many matches are before the page.',
    schema: { ...wholeNumber, default: 0 },
  },
  _after: {
    description: 'Where the page begins: an opaque text that a `next` link of the search has.',
    schema: { type: 'string' },
  },
};

/** The effects of the result parameters that are a choice. */
const choices: Readonly<Record<string, string>> = {
  _summary: 'The parts of each match: with `count`, only the total is returned.',
  _total: 'The total is accurate with each value.',
};

const describeResultParameter = (
  name: string,
  parameter: ResultParameter,
): Pick<ParameterDescription, 'description' | 'schema'> => {
  switch (parameter.kind) {
    case 'include':
      return {
        description: `Adds resources to the page, which are not counted: ${anyOf(parameter.values)}.`,
        schema: { type: 'string', enum: parameter.values },
      };
    case 'sort': {
      const key = `(${parameter.values.join('|')})`;
      return {
        description: `The order of the matches, by times with commas between them: ${anyOf(parameter.values)}. With \`-\` before it, the latest is first. Default: as they were created.`,
        schema: { type: 'string', pattern: `^${key}(,${key})*$` },
      };
    }
    case 'choice':
      return { description: choices[name] ?? '', schema: { type: 'string', enum: parameter.values } };
    case 'elements':
      return {
        description:
          'Names of elements with commas between them: each match has these and the mandatory ones.',
        schema: { type: 'string' },
      };
  }
};

const value = { type: 'string', minLength: 1 };

/** One value, or the values of a repeated parameter, all of which count. */
const values = { anyOf: [value, { type: 'array', items: value }] };

/** Describes every parameter of a search. */
export const describeParameters = ({
  declared,
  isStored = false,
  results = {},
}: DeclaredParameters & {
  readonly results?: ResultParameterTable;
}): readonly ParameterDescription[] => [
  ...Object.entries(declared).map(([name, parameter]) => ({
    name,
    description: `${describeParameter(parameter)}${describeModifiers(modifiersOf(parameter, { isStored }))}`,
    schema: values,
    searchType: searchTypes[parameter.kind],
  })),
  ...Object.entries(results).map(([name, parameter]) => ({
    name,
    ...describeResultParameter(name, parameter),
    searchType: null,
  })),
  ...Object.entries(paging).map(([name, described]) => ({ name, ...described, searchType: null })),
];

/** The request bodies of a resource's writes; absent where there is no such write. */
export type BodyDescriptions = {
  /** The body that creates a resource. */
  readonly create?: JsonSchema;
  /** The body that updates a resource. */
  readonly update?: JsonSchema;
};

/** A description of one type of resource. */
export type ResourceDescription = {
  /** The resource as it is read. */
  readonly resource: JsonSchema;
  /** The URL of its US Core profile. */
  readonly profile: string;
  /** Its search parameters. */
  readonly parameters: readonly ParameterDescription[];
  /** The values of `_include`, such as `Goal:patient`. */
  readonly includes: readonly string[];
  /** The values of `_revinclude`: resources that refer to a match, such as `Provenance:target`. */
  readonly revIncludes: readonly string[];
  /** The request bodies of its writes. */
  readonly bodies: BodyDescriptions;
  /** The resource as a create shows it while it is only staged; absent if everything that is created can be read. */
  readonly staged?: JsonSchema;
};

/** A description of the entries of one type in the directory. */
export type DirectoryDescription = {
  /** The URL of the US Core profile to which its resources can conform; absent if there is none. */
  readonly profile?: string;
  /** Its search parameters. */
  readonly parameters: readonly ParameterDescription[];
};

/** A description of the interface, for OpenAPI, forms and other programs. */
export type InterfaceDescription = {
  /** The descriptions by the type of resource. */
  readonly resources: Readonly<Record<ServedType, ResourceDescription>>;
  /** The searches of the directory, by the type of entry. */
  readonly directory: Readonly<Record<DirectorySearchType, DirectoryDescription>>;
  /** A bundle of a search without its entries. */
  readonly bundle: JsonSchema;
  readonly historyParameters: readonly ParameterDescription[];
  /** A bundle of a history without its entries. */
  readonly historyBundle: JsonSchema;
  /** An entry of a history without its resource. */
  readonly historyEntry: JsonSchema;
};

const describeBodies = (
  { create, update }: AnyResource['requests'],
  extensionBase: string,
): BodyDescriptions => ({
  ...(create && { create: toBodySchema(create.body(extensionBase)) }),
  ...(update && { update: toBodySchema(update.body(extensionBase)) }),
});

const describeResource = (definition: AnyResource, extensionBase: string): ResourceDescription => {
  const { type, profile, parameters, references, schema, stagedSchema, requests } = definition;
  const includes = includeValues(type, references);
  return {
    profile,
    resource: toResourceSchema(schema(extensionBase)),
    parameters: describeParameters({
      declared: parameters,
      isStored: true,
      results: {
        _include: { kind: 'include', values: includes },
        _revinclude: { kind: 'include', values: revIncludes },
        ...pageParameters,
        ...sortParameter(parameters),
      },
    }),
    includes,
    revIncludes,
    bodies: describeBodies(requests, extensionBase),
    ...(stagedSchema && { staged: toResourceSchema(stagedSchema) }),
  };
};

const describeProvenance = (types: readonly ResourceType[]): ResourceDescription => ({
  profile: usCoreProfile('Provenance'),
  resource: toResourceSchema(createProvenanceSchema(types)),
  parameters: describeParameters({ declared: createProvenanceParameters(types) }),
  includes: [],
  revIncludes: [],
  bodies: {},
});

const describeEntry = (type: DirectorySearchType): DirectoryDescription => {
  const { parameters } = directoryFacts[type];
  const profile = directoryProfiles[type];
  const results = { ...pageParameters, ...sortParameter(parameters) };
  return {
    ...(profile !== undefined && { profile }),
    parameters: describeParameters({ declared: parameters, isStored: true, results }),
  };
};

/** Describes the resources with the schemas that also parse bodies and define the types. */
export const describe = (resources: Resources, extensionBase: string): InterfaceDescription => {
  const definitions = Object.values(resources);
  const described = definitions.map((definition) => [
    definition.type,
    describeResource(definition, extensionBase),
  ]);
  return {
    resources: {
      ...(Object.fromEntries(described) as Readonly<Record<ResourceType, ResourceDescription>>),
      Provenance: describeProvenance(definitions.map(({ type }) => type)),
    },
    directory: {
      Patient: describeEntry('Patient'),
      Practitioner: describeEntry('Practitioner'),
      Organization: describeEntry('Organization'),
    },
    bundle: toResourceSchema(bundleHeadSchema),
    historyParameters: describeParameters({ declared: historyParameters }),
    historyBundle: toResourceSchema(historyHeadSchema),
    historyEntry: toResourceSchema(historyEntrySchema),
  };
};
