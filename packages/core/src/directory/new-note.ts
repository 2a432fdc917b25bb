import { changeTo } from '../records/change.ts';
import { absent, isPresent, type Loaded } from '../records/load.ts';
import type { Change } from '../store/port.ts';
import { directoryKinds } from './kinds.ts';
import type { DirectoryEntry } from './model.ts';

/** What has to be written for a new note: the note, and that its encounter has it, where it is of one. */
export const newNote = (
  note: DirectoryEntry['Note'],
  encounter: Loaded<DirectoryEntry['Encounter']> | undefined,
  at: number,
): readonly Change[] => {
  const act = { at, by: null };
  const written = changeTo(directoryKinds.Note, absent(note.id), note, act);
  return encounter === undefined || !isPresent(encounter)
    ? [written]
    : [written, changeTo(directoryKinds.Encounter, encounter, { ...encounter.state, noteId: note.id }, act)];
};
