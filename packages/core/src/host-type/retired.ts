import { parseReference } from '../fhir/reference.ts';
import { isObject } from '../fhir/schema.ts';
import type { RecordDefinition } from '../records/definition.ts';
import { deriveResource, type HostRecord, withPatient } from './record.ts';

/** The patient of a record, whose element has one of two names. */
const patientIdOf = ({ elements: { patient, subject } }: HostRecord): string | null => {
  for (const element of [patient, subject]) {
    const target = parseReference(isObject(element) ? String(element.reference) : '');
    if (target?.type === 'Patient') return target.id;
  }
  return null;
};

/** How the records of a type derive that is not served any more. They keep the index entries that they have. */
export const defineRetiredRecord = (type: string): RecordDefinition<HostRecord> => ({
  type,
  id: ({ id }) => id,
  patientId: patientIdOf,
  derive: (record) => ({ resource: deriveResource(type, record), index: [] }),
  isRetired: true,
  refersTo: (record) => {
    const id = patientIdOf(record);
    return id === null ? [] : [{ type: 'Patient', id }];
  },
  withPatient,
});
