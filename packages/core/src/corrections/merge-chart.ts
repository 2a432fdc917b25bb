import { recordExists, toLoadedRecord } from '../records/load.ts';
import { type Authorship, createChange, ensureNotBackdated } from '../records/record-change.ts';
import type { RecordDefinition, RecordDefinitions } from '../records/record-definition.ts';
import type { IndexedRecord, RecordChange } from '../store/port.ts';

/** The changes that give the records of a chart to another patient. They keep their ids. */
export const mergeChart = (
  definitions: RecordDefinitions,
  chart: readonly IndexedRecord[],
  {
    patientId,
    toPatientId,
    authorship,
  }: { readonly patientId: string; readonly toPatientId: string; readonly authorship: Authorship },
): readonly RecordChange[] =>
  chart.flatMap((record) => {
    const definition = definitions[record.type] as RecordDefinition<object>;
    const loaded = toLoadedRecord<object>(record.id, record);
    const { withPatient } = definition;
    if (withPatient === null || !recordExists(loaded)) return [];
    const state = withPatient(loaded.state, patientId, toPatientId);
    return [createChange(definition, loaded, state, ensureNotBackdated(loaded, authorship))];
  });
