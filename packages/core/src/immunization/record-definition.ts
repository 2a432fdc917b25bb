import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { deriveImmunization } from './derive.ts';
import type { ImmunizationRecord } from './model.ts';

const refersTo: RecordDefinition<ImmunizationRecord>['refersTo'] = ({ patientId, commands }) => [
  { type: 'Patient', id: patientId },
  ...commands.flatMap(({ body: { noteId, encounterId } }) => [
    { type: 'Note', id: noteId },
    ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
  ]),
];

export const defineImmunizationRecord = (extensionBase: string) => ({
  ...defineChartRecord('Immunization', deriveImmunization(extensionBase)),
  refersTo,
});
