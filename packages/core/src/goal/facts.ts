import { subjectReferences } from '../fhir/reference-parameters.ts';
import { usCoreProfile } from '../fhir/us-core.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';
import type { Goal } from './model.ts';
import { goalParameters, indexGoal } from './search-parameters.ts';

export const goalFacts: ResourceFacts<'Goal', Goal> = {
  type: 'Goal',
  initial: 'G',
  profile: usCoreProfile('Goal'),
  conforms: () => true,
  parameters: goalParameters,
  index: indexGoal,
  references: subjectReferences,
  elements: {
    mandatory: ['lifecycleStatus', 'description', 'subject'],
    summary: ['achievementStatus', 'priority', 'start[x]', 'expressedBy'],
  },
};
