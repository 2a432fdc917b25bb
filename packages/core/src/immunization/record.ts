import type { RecordKind } from '../records/record-kind.ts';
import { deriveImmunization } from './derive.ts';
import type { ImmunizationRecord } from './model.ts';

export const immunizationKind = (extensionBase: string): RecordKind<ImmunizationRecord> => {
  const derive = deriveImmunization(extensionBase);
  return {
    type: 'Immunization',
    id: ({ id }) => id,
    patientId: ({ patientId }) => patientId,
    derive: (record) => {
      const resource = derive(record);
      return resource && { resource, index: [] };
    },
  };
};
