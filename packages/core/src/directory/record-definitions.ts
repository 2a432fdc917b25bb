import type { RecordDefinition } from '../records/record-definition.ts';
import type { RecordRef } from '../store/port.ts';
import type { DirectoryEntry, DirectoryType } from './model.ts';

const defineEntryRecord = <Type extends DirectoryType>(
  type: Type,
  patientId: (entry: DirectoryEntry[Type]) => string | null,
  {
    refersTo = () => [],
    withPatient = null,
  }: Partial<Pick<RecordDefinition<DirectoryEntry[Type]>, 'refersTo' | 'withPatient'>> = {},
): RecordDefinition<DirectoryEntry[Type]> => ({
  type,
  id: ({ id }) => id,
  patientId,
  derive: () => null,
  refersTo,
  withPatient,
});

const patientRef = (id: string): RecordRef => ({ type: 'Patient', id });

const withPatient = <Entry extends { readonly patientId: string }>(entry: Entry, _: string, to: string) => ({
  ...entry,
  patientId: to,
});

/** The records of the directory: decided on, and never read as resources. */
export const directoryRecordDefinitions: {
  readonly [Type in DirectoryType]: RecordDefinition<DirectoryEntry[Type]>;
} = {
  Patient: defineEntryRecord('Patient', ({ id }) => id),
  Practitioner: defineEntryRecord('Practitioner', () => null),
  Organization: defineEntryRecord('Organization', () => null),
  // Its note need not be there yet.
  Encounter: defineEntryRecord('Encounter', ({ patientId }) => patientId, {
    refersTo: ({ patientId }) => [patientRef(patientId)],
    withPatient,
  }),
  Note: defineEntryRecord('Note', ({ patientId }) => patientId, {
    refersTo: ({ patientId, encounterId }) => [
      patientRef(patientId),
      ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
    ],
    withPatient,
  }),
};
