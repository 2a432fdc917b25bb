import { careTeam } from '../care-team/model.ts';
import { updateBody as careTeamUpdate } from '../care-team/request-bodies.ts';
import { careTeamParameters } from '../care-team/search-parameters.ts';
import { bundleHeadSchema, historyEntrySchema, historyHeadSchema } from '../fhir/bundle.ts';
import { includeValues } from '../fhir/reference-parameters.ts';
import type { ResourceType, ServedType } from '../fhir/resource-type.ts';
import { usCoreProfile } from '../fhir/us-core.ts';
import { goal, stagedGoal } from '../goal/model.ts';
import { createBody as goalCreate, updateBody as goalUpdate } from '../goal/request-bodies.ts';
import { goalParameters } from '../goal/search-parameters.ts';
import { immunization } from '../immunization/model.ts';
import { createBody, updateBody } from '../immunization/request-bodies.ts';
import { immunizationParameters } from '../immunization/search-parameters.ts';
import { revIncludes } from '../provenance/include.ts';
import { provenance } from '../provenance/model.ts';
import { provenanceParameters } from '../provenance/search-parameters.ts';
import { historyParameters } from '../records/history-reads.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { pageParameters } from '../search/result-parameters.ts';
import { sortValues } from '../search/sort.ts';
import { serviceRequest } from '../service-request/model.ts';
import { serviceRequestParameters } from '../service-request/search-parameters.ts';
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

/** The search of a type, with the resources that it can include. */
const describeSearch = (type: ResourceType, table: SearchParameterTable) => {
  const includes = includeValues(type);
  return {
    parameters: describeParameters(table, {
      _include: { kind: 'include', values: includes },
      _revinclude: { kind: 'include', values: revIncludes },
      ...pageParameters,
      _sort: { kind: 'choice', values: sortValues(table) },
    }),
    includes,
    revIncludes,
  };
};

/** Describes the resources with the schemas that also parse bodies and define the types. */
export const describe = (extensionBase: string): InterfaceDescription => ({
  resources: {
    ServiceRequest: {
      profile: usCoreProfile('ServiceRequest'),
      resource: toResourceSchema(serviceRequest(extensionBase)),
      ...describeSearch('ServiceRequest', serviceRequestParameters),
      bodies: {},
    },
    Goal: {
      profile: usCoreProfile('Goal'),
      resource: toResourceSchema(goal),
      ...describeSearch('Goal', goalParameters),
      bodies: { create: toBodySchema(goalCreate), update: toBodySchema(goalUpdate) },
      staged: toResourceSchema(stagedGoal),
    },
    CareTeam: {
      profile: usCoreProfile('CareTeam'),
      resource: toResourceSchema(careTeam(extensionBase)),
      ...describeSearch('CareTeam', careTeamParameters),
      bodies: { update: toBodySchema(careTeamUpdate(extensionBase)) },
    },
    Immunization: {
      profile: usCoreProfile('Immunization'),
      resource: toResourceSchema(immunization(extensionBase)),
      ...describeSearch('Immunization', immunizationParameters),
      bodies: {
        create: toBodySchema(createBody(extensionBase)),
        update: toBodySchema(updateBody(extensionBase)),
      },
    },
    Provenance: {
      profile: usCoreProfile('Provenance'),
      resource: toResourceSchema(provenance),
      parameters: describeParameters(provenanceParameters),
      includes: [],
      revIncludes: [],
      bodies: {},
    },
  },
  bundle: toResourceSchema(bundleHeadSchema),
  historyParameters: describeParameters(historyParameters),
  historyBundle: toResourceSchema(historyHeadSchema),
  historyEntry: toResourceSchema(historyEntrySchema),
});
