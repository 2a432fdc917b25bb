import { faultsOf } from '../errors.ts';

export const serviceRequestRules = {
  'period-order': 'The end of the period lies before its start.',
} as const;

export const serviceRequestFault = faultsOf(serviceRequestRules);
