import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { Environment } from '../environment.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { deriveImmunization } from './derive.ts';
import { immunizationFacts } from './facts.ts';
import type { ImmunizationRecord } from './model.ts';
import { indexImmunization } from './search-parameters.ts';

const refersTo: RecordDefinition<ImmunizationRecord>['refersTo'] = ({ patientId, commands }) => [
  { type: 'Patient', id: patientId },
  ...commands.flatMap(({ body: { noteId, encounterId } }) => [
    { type: 'Note', id: noteId },
    ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
  ]),
];

export const defineImmunizationRecord = ({
  zone,
  extensionBase,
}: Pick<Environment, 'zone' | 'extensionBase'>) => ({
  ...defineChartRecord(immunizationFacts, deriveImmunization(extensionBase), (immunization) =>
    indexImmunization(immunization, zone),
  ),
  refersTo,
});
