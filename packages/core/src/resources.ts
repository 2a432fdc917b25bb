import { careTeam } from './care-team/care-team.ts';
import type { ResourceType } from './fhir/resource-type.ts';
import { goal } from './goal/goal.ts';
import { immunization } from './immunization/immunization.ts';
import { createDeriveProvenance, createProvenanceIds, type DeriveProvenance } from './provenance/model.ts';
import type { ResourceFacts } from './records/definition.ts';
import type { ResourceDefinition, Resources } from './resource-definition.ts';
import { serviceRequest } from './service-request/service-request.ts';

/** The types of resources that the records have. */
export const resources = {
  ServiceRequest: serviceRequest,
  Goal: goal,
  CareTeam: careTeam,
  Immunization: immunization,
} satisfies Resources;

/** The resource of a type. */
export type ResourceOf<Type extends ResourceType> =
  (typeof resources)[Type] extends Pick<ResourceFacts<Type, infer Resource>, 'conforms'> ? Resource : never;

type ServiceOf<Type extends ResourceType> =
  (typeof resources)[Type] extends ResourceDefinition<Type, string, never, infer Service> ? Service : never;

/** The services of all types, by their names. */
export type Services = {
  readonly [Type in ResourceType as (typeof resources)[Type]['name']]: ServiceOf<Type>;
};

/** The Provenance of a version. It derives only from the version, and is not stored. Source: US Core, Basic Provenance. */
export const deriveProvenance: DeriveProvenance = createDeriveProvenance(
  createProvenanceIds(Object.values(resources)),
);
