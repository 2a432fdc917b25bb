import type { WithWarnings } from '../access/warnings.ts';
import { utc } from '../fhir/date-time.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { indexerOf, type StoredParameterTable } from '../search/index-entries.ts';
import type { RecordRef } from '../store/port.ts';
import type { RecordDefinition } from './definition.ts';

/** A record that a correction has changed. */
export type CorrectedRecord = RecordRef & {
  readonly version: number;
};

/** A correction of charts: what was done, by whom, and why. It is kept for good. */
export type Correction = WithWarnings & {
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

const correctionParameters = {
  [correctedParameter]: {
    kind: 'reference',
    at: ({ patientId, toPatientId, records }: Correction) => [
      ...[patientId, toPatientId].flatMap((id) => (id === null ? [] : [{ type: 'Patient', id }])),
      ...records,
    ],
    version: 1,
    types: [],
  },
} as const satisfies StoredParameterTable<Correction>;

export const correctionFacts = { type: 'Correction', parameters: correctionParameters } as const;

/** A correction is in no chart, because it names two. It is found by the patients and the records. */
export const correctionRecordDefinition: RecordDefinition<Correction> = {
  type: correctionFacts.type,
  id: ({ id }) => id,
  patientId: () => null,
  derive: (correction) => ({ resource: correction, index: indexerOf(correctionParameters)(correction, utc) }),
  withPatient: null,
  refersTo: ({ records }) => records.map(({ type, id }) => ({ type, id })),
};
