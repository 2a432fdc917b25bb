import { careTeam } from './care-team/care-team.ts';
import type { ResourceType } from './fhir/resource-type.ts';
import { goal } from './goal/goal.ts';
import { immunization } from './immunization/immunization.ts';
import { createDeriveProvenance, createProvenanceIds, type DeriveProvenance } from './provenance/model.ts';
import type { ResourceFacts } from './records/definition.ts';
import type { AnyResource, ResourceDefinition, Resources } from './resource-definition.ts';
import { type SearchIssue, searchIssue } from './search/issues.ts';
import { issuesOfMatching } from './search/matching.ts';
import type { SearchPairs } from './search/search-input.ts';
import { serviceRequest } from './service-request/service-request.ts';

/** The library's own types of resources. */
export const resources = {
  ServiceRequest: serviceRequest,
  Goal: goal,
  CareTeam: careTeam,
  Immunization: immunization,
} satisfies Readonly<Record<ResourceType, AnyResource>>;

/** The same by their types, for code that loops over all types. */
export const resourcesByType: Resources = new Map(Object.entries(resources));

/** The resource of a type. */
type ResourceOf<Type extends ResourceType> =
  (typeof resources)[Type] extends Pick<ResourceFacts<Type, infer Resource>, 'conforms'> ? Resource : never;

/** The resources of the library's own types, by their types. */
export type ChartResources = { readonly [Type in ResourceType]: ResourceOf<Type> };

type ServiceOf<Type extends ResourceType> =
  (typeof resources)[Type] extends ResourceDefinition<Type, string, never, infer Service> ? Service : never;

/** The services of all types, by their names. */
export type Services = {
  readonly [Type in ResourceType as (typeof resources)[Type]['name']]: ServiceOf<Type>;
};

/**
 * The issues of the searches of a limit, as `matching` has them, for the resources of one of the library's own types; empty if it can be
 * so limited. Those of the host's types are in `records.resources`.
 */
export const matchingIssues = (type: string, matching: readonly SearchPairs[]): readonly SearchIssue[] => {
  const facts = resourcesByType.get(type);
  return facts === undefined ? [searchIssue('limit-type')] : issuesOfMatching(facts, matching);
};

/** The Provenance of a version. It derives only from the version, and is not stored. Source: US Core, Basic Provenance. */
export const deriveProvenance: DeriveProvenance<ResourceType> = createDeriveProvenance(
  createProvenanceIds(Object.values(resources)),
);
