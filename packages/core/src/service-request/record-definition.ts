import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { Environment } from '../environment.ts';
import { deriveServiceRequest } from './derive.ts';
import { indexServiceRequest } from './search-parameters.ts';

export const defineServiceRequestRecord = ({
  zone,
  extensionBase,
}: Pick<Environment, 'zone' | 'extensionBase'>) =>
  defineChartRecord('ServiceRequest', deriveServiceRequest(extensionBase), (request) =>
    indexServiceRequest(request, zone),
  );
