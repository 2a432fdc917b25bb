import { type LoadedRecord, missingRecord, recordExists } from '../records/load.ts';
import { createChange } from '../records/record-change.ts';
import type { RecordChange } from '../store/port.ts';
import type { DirectoryEntry } from './model.ts';
import { directoryRecordDefinitions } from './record-definitions.ts';

/** The note that gets an immunization, and the records of the note and its encounter as far as they were read. */
type TargetNote = {
  readonly note: DirectoryEntry['Note'];
  readonly isNew: boolean;
  readonly stored?: LoadedRecord<DirectoryEntry['Note']> | undefined;
  readonly encounter?: LoadedRecord<DirectoryEntry['Encounter']> | undefined;
};

/** A note lists its immunizations until it has an encounter, which they get then. */
const withImmunization = (note: DirectoryEntry['Note'], id: string): DirectoryEntry['Note'] =>
  note.encounterId === null ? { ...note, immunizationIds: [...(note.immunizationIds ?? []), id] } : note;

/** The changes that put an immunization into a note. A new note of an encounter also changes the encounter. */
export const addToNote = (
  immunizationId: string,
  { note, isNew, stored = missingRecord(note.id), encounter }: TargetNote,
  at: number,
): readonly RecordChange[] => {
  const { Note, Encounter } = directoryRecordDefinitions;
  const authorship = { at, by: null };
  const next = withImmunization(note, immunizationId);
  if (!isNew && next === note) return [];
  const noteChange = createChange(Note, stored, next, authorship);
  return !isNew || encounter === undefined || !recordExists(encounter)
    ? [noteChange]
    : [noteChange, createChange(Encounter, encounter, { ...encounter.state, noteId: note.id }, authorship)];
};
