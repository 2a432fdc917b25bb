import { type LoadedRecord, missingRecord, recordExists } from '../records/load.ts';
import { createChange } from '../records/record-change.ts';
import type { RecordChange } from '../store/port.ts';
import type { DirectoryEntry } from './model.ts';
import { directoryRecordDefinitions } from './record-definitions.ts';

/** The changes that add a note: the note itself and, if it has an encounter, the reference from the encounter to it. */
export const addNote = (
  note: DirectoryEntry['Note'],
  encounter: LoadedRecord<DirectoryEntry['Encounter']> | undefined,
  at: number,
): readonly RecordChange[] => {
  const authorship = { at, by: null };
  const noteChange = createChange(directoryRecordDefinitions.Note, missingRecord(note.id), note, authorship);
  return encounter === undefined || !recordExists(encounter)
    ? [noteChange]
    : [
        noteChange,
        createChange(
          directoryRecordDefinitions.Encounter,
          encounter,
          { ...encounter.state, noteId: note.id },
          authorship,
        ),
      ];
};
