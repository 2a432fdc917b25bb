import { usCoreProfile } from '../fhir/us-core.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';
import type { Immunization } from './model.ts';
import { immunizationParameters, indexImmunization } from './search-parameters.ts';

/**
 * Whether an immunization has a code in CVX, no system that is not a URL, and no status reason, whose system does not exist.
 */
const conforms = ({
  statusReason,
  vaccineCode,
}: Pick<Immunization, 'statusReason' | 'vaccineCode'>): boolean =>
  statusReason === undefined &&
  vaccineCode.coding.some(({ system }) => system === 'http://hl7.org/fhir/sid/cvx') &&
  vaccineCode.coding.every(({ system }) => system !== 'unstructured');

export const immunizationFacts: ResourceFacts<'Immunization', Immunization> = {
  type: 'Immunization',
  initial: 'I',
  profile: usCoreProfile('Immunization'),
  conforms,
  parameters: immunizationParameters,
  index: indexImmunization,
  references: {
    patient: ['patient'],
    manufacturer: ['manufacturer'],
    performer: ['performer', 'actor'],
  },
  elements: {
    mandatory: ['status', 'vaccineCode', 'patient', 'occurrence[x]', 'primarySource'],
    summary: ['performer', 'note'],
  },
};
