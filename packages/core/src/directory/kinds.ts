import type { RecordKind } from '../records/record-kind.ts';
import type { RecordRef } from '../store/port.ts';
import type { DirectoryEntry, DirectoryType } from './model.ts';

const kind = <Type extends DirectoryType>(
  type: Type,
  patientId: (entry: DirectoryEntry[Type]) => string | null,
  refersTo: (entry: DirectoryEntry[Type]) => readonly RecordRef[] = () => [],
): RecordKind<DirectoryEntry[Type]> => ({
  type,
  id: ({ id }) => id,
  patientId,
  derive: () => null,
  refersTo,
});

const patientRef = (id: string): RecordRef => ({ type: 'Patient', id });

/** The records of the directory: decided on, and never read as resources. */
export const directoryKinds: { readonly [Type in DirectoryType]: RecordKind<DirectoryEntry[Type]> } = {
  Patient: kind('Patient', ({ id }) => id),
  Practitioner: kind('Practitioner', () => null),
  Organization: kind('Organization', () => null),
  // Its note need not be there yet.
  Encounter: kind(
    'Encounter',
    ({ patientId }) => patientId,
    ({ patientId }) => [patientRef(patientId)],
  ),
  Note: kind(
    'Note',
    ({ patientId }) => patientId,
    ({ patientId, encounterId }) => [
      patientRef(patientId),
      ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
    ],
  ),
};
