import { careTeam } from '../care-team/model.ts';
import { updateBody as careTeamUpdate } from '../care-team/request-bodies.ts';
import { careTeamParameters } from '../care-team/search-parameters.ts';
import { bundleHeadSchema } from '../fhir/bundle.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { goal } from '../goal/model.ts';
import { goalParameters } from '../goal/search-parameters.ts';
import { immunization } from '../immunization/model.ts';
import { createBody, updateBody } from '../immunization/request-bodies.ts';
import { immunizationParameters } from '../immunization/search-parameters.ts';
import { serviceRequest } from '../service-request/model.ts';
import { serviceRequestParameters } from '../service-request/search-parameters.ts';
import { describeParameters, type ParameterDescription } from './describe-parameters.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';

/** The schema of a resource, its search parameters, and the request bodies of its writes. */
export type ResourceDescription = {
  readonly resource: JsonSchema;
  readonly parameters: readonly ParameterDescription[];
  readonly bodies: { readonly create?: JsonSchema; readonly update?: JsonSchema };
};

/** A description of the interface, for OpenAPI, forms and other programs. */
export type InterfaceDescription = {
  readonly resources: Readonly<Record<ResourceType, ResourceDescription>>;
  /** A bundle without its entries. */
  readonly bundle: JsonSchema;
};

/** Describes the resources with the schemas that also parse bodies and define the types. */
export const describe = (extensionBase: string): InterfaceDescription => ({
  resources: {
    ServiceRequest: {
      resource: toJsonSchema(serviceRequest),
      parameters: describeParameters(serviceRequestParameters),
      bodies: {},
    },
    Goal: {
      resource: toJsonSchema(goal),
      parameters: describeParameters(goalParameters),
      bodies: {},
    },
    CareTeam: {
      resource: toJsonSchema(careTeam(extensionBase)),
      parameters: describeParameters(careTeamParameters),
      bodies: { update: toJsonSchema(careTeamUpdate(extensionBase)) },
    },
    Immunization: {
      resource: toJsonSchema(immunization(extensionBase)),
      parameters: describeParameters(immunizationParameters),
      bodies: {
        create: toJsonSchema(createBody(extensionBase)),
        update: toJsonSchema(updateBody(extensionBase)),
      },
    },
  },
  bundle: toJsonSchema(bundleHeadSchema),
});
