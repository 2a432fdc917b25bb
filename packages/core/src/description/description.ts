import { bundleHeadSchema, historyEntrySchema, historyHeadSchema } from '../fhir/bundle.ts';
import { includeValues } from '../fhir/reference-parameters.ts';
import type { ResourceType, ServedType } from '../fhir/resource-type.ts';
import { usCoreProfile } from '../fhir/us-core.ts';
import { revIncludes } from '../provenance/include.ts';
import { provenance } from '../provenance/model.ts';
import { createProvenanceParameters } from '../provenance/search-parameters.ts';
import { historyParameters } from '../records/history-reads.ts';
import type { AnyResource, Resources } from '../resource-definition.ts';
import { pageParameters } from '../search/result-parameters.ts';
import { sortValues } from '../search/sort.ts';
import { describeParameters, type ParameterDescription } from './describe-parameters.ts';
import { type JsonSchema, toBodySchema, toResourceSchema } from './json-schema.ts';

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

/** A description of the interface, for OpenAPI, forms and other programs. */
export type InterfaceDescription = {
  /** The descriptions by the type of resource. */
  readonly resources: Readonly<Record<ServedType, ResourceDescription>>;
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
    parameters: describeParameters(parameters, {
      _include: { kind: 'include', values: includes },
      _revinclude: { kind: 'include', values: revIncludes },
      ...pageParameters,
      _sort: { kind: 'choice', values: sortValues(parameters) },
    }),
    includes,
    revIncludes,
    bodies: describeBodies(requests, extensionBase),
    ...(stagedSchema && { staged: toResourceSchema(stagedSchema) }),
  };
};

const describeProvenance = (types: readonly ResourceType[]): ResourceDescription => ({
  profile: usCoreProfile('Provenance'),
  resource: toResourceSchema(provenance(types)),
  parameters: describeParameters(createProvenanceParameters(types)),
  includes: [],
  revIncludes: [],
  bodies: {},
});

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
    bundle: toResourceSchema(bundleHeadSchema),
    historyParameters: describeParameters(historyParameters),
    historyBundle: toResourceSchema(historyHeadSchema),
    historyEntry: toResourceSchema(historyEntrySchema),
  };
};
