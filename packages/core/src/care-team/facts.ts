import { subjectReferences } from '../fhir/reference-parameters.ts';
import { usCoreProfile } from '../fhir/us-core.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';
import type { CareTeam } from './model.ts';
import { careTeamParameters } from './search-parameters.ts';

export const careTeamFacts: ResourceFacts<'CareTeam', CareTeam> = {
  type: 'CareTeam',
  initial: 'C',
  profile: usCoreProfile('CareTeam'),
  // A team has participants, and each has a role.
  conforms: ({ participant = [] }) =>
    participant.length > 0 && participant.every(({ role }) => role !== undefined),
  parameters: careTeamParameters,
  references: { ...subjectReferences, participant: ['participant', 'member'] },
  elements: { mandatory: ['subject', 'participant'], summary: ['status', 'name'] },
};
