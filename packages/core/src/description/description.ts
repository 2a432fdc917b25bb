import { directoryProfiles } from '../directory/resources.ts';
import { type DirectorySearchType, directoryFacts } from '../directory/search.ts';
import type { Environment } from '../environment.ts';
import { bundleHeadSchema, historyEntrySchema, historyHeadSchema, usCoreProfile } from '../fhir/bundle.ts';
import { includeValues } from '../fhir/reference.ts';
import type { ServedType } from '../fhir/resource-type.ts';
import type { HostExtension, TypeFields } from '../host-fields/host-extension.ts';
import { createProvenanceParameters, createProvenanceSchema } from '../provenance/model.ts';
import { revIncludes } from '../provenance/read.ts';
import { historyParameters } from '../records/history.ts';
import type { AnyResource, RequestDefinition, Resources } from '../resource-definition.ts';
import { pageParameters } from '../search/parse-search.ts';
import { sortParameter } from '../search/sort.ts';
import { type CommandDescription, describeCommands } from './describe-commands.ts';
import { type CorrectionDescription, describeCorrections } from './describe-corrections.ts';
import { describeParameters, type ParameterDescription } from './describe-parameters.ts';
import { addFieldSchemas, extensionsIn } from './field-schemas.ts';
import { type JsonSchema, toBodySchema, toResourceSchema } from './json-schema.ts';

/** The request bodies of a resource's writes; absent where there is no such write. */
export type BodyDescriptions = {
  /** The body that creates a resource. */
  readonly create?: JsonSchema;
  /** The body that updates a resource. */
  readonly update?: JsonSchema;
};

/** One type of resource in `records.describe()`: its schemas, and how it is searched. */
export type ResourceDescription = {
  /** The resource as it is read. */
  readonly resource: JsonSchema;
  /** The URL of its US Core profile. */
  readonly profile: string;
  readonly parameters: readonly ParameterDescription[];
  /** The values of `_include`, such as `Goal:patient`. */
  readonly includes: readonly string[];
  /** The values of `_revinclude`: resources that refer to a match, such as `Provenance:target`. */
  readonly revIncludes: readonly string[];
  /** The request bodies of its writes. */
  readonly bodies: BodyDescriptions;
  /** The extensions of the host; absent if it has none. */
  readonly extensions?: readonly (HostExtension & { readonly url: string })[];
};

/** A description of the entries of one type in the directory. */
export type DirectoryDescription = {
  /** The URL of the US Core profile to which its resources can conform; absent if there is none. */
  readonly profile?: string;
  readonly parameters: readonly ParameterDescription[];
};

/** A description of the interface, for OpenAPI, forms and other programs. */
export type InterfaceDescription = {
  readonly resources: Readonly<Record<ServedType, ResourceDescription>>;
  readonly commands: CommandDescription;
  readonly corrections: CorrectionDescription;
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
  fields: TypeFields | undefined,
): BodyDescriptions => {
  const describeBody = ({ body }: RequestDefinition) =>
    addFieldSchemas(toBodySchema(body(extensionBase)), fields, toBodySchema);
  return {
    ...(create && { create: describeBody(create) }),
    ...(update && { update: describeBody(update) }),
  };
};

const describeResource = (
  definition: AnyResource,
  extensionBase: string,
  fields: TypeFields | undefined,
): ResourceDescription => {
  const { type, profile, parameters, references, schema, requests } = definition;
  const includes = includeValues(type, references);
  return {
    profile,
    resource: addFieldSchemas(toResourceSchema(schema(extensionBase)), fields, toResourceSchema),
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
    bodies: describeBodies(requests, extensionBase, fields),
    ...(fields !== undefined && { extensions: extensionsIn(fields) }),
  };
};

const describeProvenance = (types: readonly string[]): ResourceDescription => ({
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
export const describe = (
  resources: Resources,
  { extensionBase, fields }: Pick<Environment, 'extensionBase' | 'fields'>,
): InterfaceDescription => {
  const definitions = [...resources.values()];
  const described = definitions.map((definition) => [
    definition.type,
    describeResource(definition, extensionBase, fields?.get(definition.type)),
  ]);
  return {
    resources: {
      ...Object.fromEntries(described),
      Provenance: describeProvenance([...resources.keys()]),
    } as InterfaceDescription['resources'],
    commands: describeCommands(resources, fields),
    corrections: describeCorrections(resources),
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
