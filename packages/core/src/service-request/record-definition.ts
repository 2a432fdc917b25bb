import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { deriveServiceRequest } from './derive.ts';
import { indexServiceRequest } from './search-parameters.ts';

export const defineServiceRequestRecord = (zone: TimeZone) =>
  defineChartRecord('ServiceRequest', deriveServiceRequest, (request) => indexServiceRequest(request, zone));
