import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { Environment } from '../environment.ts';
import { deriveServiceRequest } from './derive.ts';
import { serviceRequestFacts } from './facts.ts';
import { indexServiceRequest } from './search-parameters.ts';

export const defineServiceRequestRecord = ({
  zone,
  extensionBase,
}: Pick<Environment, 'zone' | 'extensionBase'>) =>
  defineChartRecord(serviceRequestFacts, deriveServiceRequest(extensionBase), (request) =>
    indexServiceRequest(request, zone),
  );
