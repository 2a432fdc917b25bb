import { chartKind } from '../chart/chart-kind.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { deriveServiceRequest } from './derive.ts';
import { serviceRequestIndex } from './search-index.ts';

export const serviceRequestKind = (zone: TimeZone) =>
  chartKind('ServiceRequest', deriveServiceRequest, (request) => serviceRequestIndex(request, zone));
