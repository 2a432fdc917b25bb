import type { HostResource } from '@clinical-records/http-adapter';
import { patientResources, practitionerResources } from './fhir/people.ts';
import { locationResource, organizationResources } from './fhir/places.ts';
import { conditionResources, encounterResources } from './fhir/visits.ts';

const resources: readonly HostResource[] = [
  ...patientResources,
  ...practitionerResources,
  ...organizationResources,
  locationResource,
  ...encounterResources,
  ...conditionResources,
];

/** The resources to which the charts of the demo clinic refer, as a host would build them from its tables. */
export const demoResources: ReadonlyMap<string, HostResource> = new Map(
  resources.map((one) => [`${one.resourceType}/${one.id}`, one]),
);
