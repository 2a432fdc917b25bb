import type { RecordKind } from '../records/record-kind.ts';
import type { DirectoryEntry, DirectoryType } from './model.ts';

const kind = <Type extends DirectoryType>(
  type: Type,
  patientId: (entry: DirectoryEntry[Type]) => string | null,
): RecordKind<DirectoryEntry[Type]> => ({ type, id: ({ id }) => id, patientId, derive: () => null });

/** The records of the directory: decided on, and never read as resources. */
export const directoryKinds: { readonly [Type in DirectoryType]: RecordKind<DirectoryEntry[Type]> } = {
  Patient: kind('Patient', ({ id }) => id),
  Practitioner: kind('Practitioner', () => null),
  Organization: kind('Organization', () => null),
  Encounter: kind('Encounter', ({ patientId }) => patientId),
  Note: kind('Note', ({ patientId }) => patientId),
};
