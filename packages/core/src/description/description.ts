import { careTeam } from '../care-team/model.ts';
import { updateBody as careTeamUpdate } from '../care-team/request.ts';
import { careTeamParameters } from '../care-team/search-index.ts';
import { bundleHead } from '../fhir/bundle.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { goal } from '../goal/model.ts';
import { goalParameters } from '../goal/search-index.ts';
import { immunization } from '../immunization/model.ts';
import { createBody, updateBody } from '../immunization/request.ts';
import { immunizationParameters } from '../immunization/search-index.ts';
import { serviceRequest } from '../service-request/model.ts';
import { serviceRequestParameters } from '../service-request/search-index.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { describeParameters, type ParameterDescription } from './parameters.ts';

/** What a resource looks like, which parameters a search of it takes, and which bodies writes take. */
export type ResourceDescription = {
  readonly resource: JsonSchema;
  readonly parameters: readonly ParameterDescription[];
  readonly bodies: { readonly create?: JsonSchema; readonly update?: JsonSchema };
};

/** What is read and what is sent, for whoever describes the interface: OpenAPI, forms, other programs. */
export type Description = {
  readonly resources: Readonly<Record<ResourceType, ResourceDescription>>;
  /** A bundle, but for its entries. */
  readonly bundle: JsonSchema;
};

/** Describes the resources from the very schemas that parse bodies and that the types are inferred from. */
export const describe = (extensionBase: string): Description => ({
  resources: {
    ServiceRequest: {
      resource: jsonSchemaOf(serviceRequest),
      parameters: describeParameters(serviceRequestParameters),
      bodies: {},
    },
    Goal: {
      resource: jsonSchemaOf(goal),
      parameters: describeParameters(goalParameters),
      bodies: {},
    },
    CareTeam: {
      resource: jsonSchemaOf(careTeam(extensionBase)),
      parameters: describeParameters(careTeamParameters),
      bodies: { update: jsonSchemaOf(careTeamUpdate(extensionBase)) },
    },
    Immunization: {
      resource: jsonSchemaOf(immunization(extensionBase)),
      parameters: describeParameters(immunizationParameters),
      bodies: {
        create: jsonSchemaOf(createBody(extensionBase)),
        update: jsonSchemaOf(updateBody(extensionBase)),
      },
    },
  },
  bundle: jsonSchemaOf(bundleHead),
});
