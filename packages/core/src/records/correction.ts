import type { AuthorReference } from '../fhir/reference.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { RecordRef } from '../store/port.ts';
import type { RecordDefinition } from './definition.ts';

/** A record that a correction has changed. */
export type CorrectedRecord = RecordRef & {
  readonly version: number;
};

/** A correction of charts: what was done, by whom, and why. It is kept for good. */
export type Correction = {
  readonly id: string;
  /** Whether one record was moved to another chart, a whole chart was merged into another, or records were erased. */
  readonly kind: 'move' | 'merge' | 'erasure';
  /** When it was made: ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  /** The reference to the author, such as `Practitioner/12`. */
  readonly by: AuthorReference;
  readonly reason: string;
  /** The id of the patient in whose chart the records were before. */
  readonly patientId: string;
  /** The id of the patient to whose chart they belong now; null if they were erased. */
  readonly toPatientId: string | null;
  readonly records: readonly CorrectedRecord[];
};

/** The search parameter that finds the corrections of a record or a patient. Only the library uses it. */
export const correctedParameter = 'corrected';

const referTo = ({ type, id }: RecordRef): IndexEntry => ({
  kind: 'reference',
  parameter: correctedParameter,
  type,
  id,
});

const indexCorrection = ({ patientId, toPatientId, records }: Correction): readonly IndexEntry[] =>
  [
    ...[patientId, toPatientId].flatMap((id) => (id === null ? [] : [{ type: 'Patient', id }])),
    ...records,
  ].map(referTo);

/** A correction is in no chart, because it names two. It is found by the patients and the records. */
export const correctionRecordDefinition: RecordDefinition<Correction> = {
  type: 'Correction',
  id: ({ id }) => id,
  patientId: () => null,
  derive: (correction) => ({ resource: correction, index: indexCorrection(correction) }),
  withPatient: null,
  refersTo: ({ records }) => records.map(({ type, id }) => ({ type, id })),
};
