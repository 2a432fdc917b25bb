import { chartKind } from '../chart/chart-kind.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { deriveImmunization } from './derive.ts';
import type { ImmunizationRecord } from './model.ts';

const refersTo: RecordKind<ImmunizationRecord>['refersTo'] = ({ patientId, commands }) => [
  { type: 'Patient', id: patientId },
  ...commands.flatMap(({ body: { noteId, encounterId } }) => [
    { type: 'Note', id: noteId },
    ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
  ]),
];

export const immunizationKind = (extensionBase: string) => ({
  ...chartKind('Immunization', deriveImmunization(extensionBase)),
  refersTo,
});
