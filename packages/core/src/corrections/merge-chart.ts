import { isErasedVersion } from '../records/erased-record.ts';
import { toLoadedRecord } from '../records/load.ts';
import { type Authorship, createChange, ensureNotBackdated } from '../records/record-change.ts';
import type { RecordDefinition, RecordDefinitions } from '../records/record-definition.ts';
import type { IndexedRecord, RecordChange } from '../store/port.ts';

/** The types of records that a merge does not move, because their ids are those of the patient. */
const keptTypes = ['Patient', 'CareTeam'];

/** The same state of a record, of another patient. A reference to the patient is changed, too. */
const replacePatient = (state: string, patientId: string, toPatientId: string): object => ({
  // Within a text of the state, the quotes would be escaped.
  ...JSON.parse(
    state.replaceAll(`"reference":"Patient/${patientId}"`, `"reference":"Patient/${toPatientId}"`),
  ),
  patientId: toPatientId,
});

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
  chart
    .filter((record) => !keptTypes.includes(record.type) && !isErasedVersion(record))
    .map((record) => {
      const definition = definitions[record.type] as RecordDefinition<object>;
      const loaded = toLoadedRecord<object>(record.id, record);
      const state = replacePatient(record.state, patientId, toPatientId);
      return createChange(definition, loaded, state, ensureNotBackdated(loaded, authorship));
    });
