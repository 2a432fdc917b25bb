import { subjectReferences } from '../fhir/reference-parameters.ts';
import { usCoreProfile } from '../fhir/us-core.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';
import type { ServiceRequest } from './model.ts';
import { indexServiceRequest, serviceRequestParameters } from './search-parameters.ts';

export const serviceRequestFacts: ResourceFacts<'ServiceRequest', ServiceRequest> = {
  type: 'ServiceRequest',
  initial: 'S',
  profile: usCoreProfile('ServiceRequest'),
  conforms: () => true,
  parameters: serviceRequestParameters,
  index: indexServiceRequest,
  references: {
    ...subjectReferences,
    encounter: ['encounter'],
    performer: ['performer'],
    requester: ['requester'],
  },
  elements: {
    mandatory: ['status', 'intent', 'code', 'subject'],
    summary: [
      ...['category', 'priority', 'orderDetail', 'quantity[x]', 'encounter', 'occurrence[x]', 'asNeeded[x]'],
      ...['authoredOn', 'requester', 'performerType', 'performer', 'locationCode', 'locationReference'],
      ...['reasonCode', 'reasonReference', 'specimen', 'bodySite', 'patientInstruction'],
    ],
  },
};
