import type { TimeZone } from '../fhir/time-zone.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { deriveServiceRequest } from './derive.ts';
import type { OrderRecord } from './model.ts';
import { serviceRequestIndex } from './search-index.ts';

export const serviceRequestKind = (zone: TimeZone): RecordKind<OrderRecord> => ({
  type: 'ServiceRequest',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const resource = deriveServiceRequest(record);
    return resource && { resource, index: serviceRequestIndex(resource, zone) };
  },
});
