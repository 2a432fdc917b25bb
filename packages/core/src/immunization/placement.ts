import * as E from 'fp-ts/lib/Either.js';
import { directoryIssue, unknownEntryIssue } from '../directory/issues.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Issue } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { immunizationIssue } from './issues.ts';

type Note = DirectoryEntry['Note'];
type Encounter = DirectoryEntry['Encounter'];

/** The directory entries that a command names: undefined if it names none, null if the entry does not exist. */
export type ReferencedEntries = {
  readonly patientId: string;
  /** Whether the patient is in the directory. */
  readonly isPatientKnown: boolean;
  /** The note that the command names. */
  readonly note: Note | null | undefined;
  /** The encounter that the command names. */
  readonly encounter: Encounter | null | undefined;
};

/** The note that contains a command. */
export type TargetNote = {
  readonly note: Note;
  /** Whether the note is created together with the command. */
  readonly isNew: boolean;
};

/**
 * Reports nothing else about an entry of another patient: whether a note and an encounter differ would reveal what is in that
 * chart.
 */
const checkReferences = ({
  patientId,
  isPatientKnown,
  note,
  encounter,
}: ReferencedEntries): readonly Issue[] => {
  const isOfPatient = (one: { readonly patientId: string }) => one.patientId === patientId;
  return [
    ...(isPatientKnown ? [] : [unknownEntryIssue('Patient', 'patientId')]),
    ...(note === null ? [unknownEntryIssue('Note', 'noteId')] : []),
    ...(note && !isOfPatient(note) ? [directoryIssue('note-of-another-patient', 'noteId')] : []),
    ...(encounter === null ? [unknownEntryIssue('Encounter', 'encounterId')] : []),
    ...(encounter && !isOfPatient(encounter)
      ? [directoryIssue('encounter-of-another-patient', 'encounterId')]
      : []),
    ...(note && encounter && isOfPatient(note) && isOfPatient(encounter) && note.encounterId !== encounter.id
      ? [immunizationIssue('note-and-encounter-differ', 'noteId')]
      : []),
  ];
};

/**
 * Chooses the note of a command: the named note, or the note of the named encounter, which is created if it does not exist.
 * If neither is named, it is a Data Import note dated at ingestion. Source: docs/http-interface.md#immunization.
 */
export const placeInNote = (
  entries: ReferencedEntries,
  { newId, at }: { readonly newId: () => string; readonly at: number },
): E.Either<readonly Issue[], TargetNote> => {
  const issues = checkReferences(entries);
  if (issues.length > 0) return E.left(issues);
  const { patientId, note, encounter } = entries;
  if (note) return E.right({ note, isNew: false });
  if (!encounter) {
    const dated = { title: 'Data Import', dateOfService: formatInstant(at) };
    return E.right({ note: { id: newId(), patientId, encounterId: null, ...dated }, isNew: true });
  }
  const ofEncounter = { patientId, encounterId: encounter.id, title: null, dateOfService: null };
  return E.right({
    note: { id: encounter.noteId ?? newId(), ...ofEncounter },
    isNew: encounter.noteId === null,
  });
};
