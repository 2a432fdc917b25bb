import * as E from 'fp-ts/lib/Either.js';
import { directoryIssue, unknownEntryIssue } from '../directory/issues.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Issue } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { immunizationIssue } from './issues.ts';

type Note = DirectoryEntry['Note'];
type Encounter = DirectoryEntry['Encounter'];

/** What a command names, as the directory knows it: undefined where it names none, null where there is none such. */
export type ReferencedEntries = {
  readonly patientId: string;
  readonly isPatientKnown: boolean;
  readonly note: Note | null | undefined;
  readonly encounter: Encounter | null | undefined;
};

/** The note that a command stands in; `isNew` where it is made together with it. */
export type TargetNote = { readonly note: Note; readonly isNew: boolean };

/** Of what is another patient's nothing else is told: whether a note and an encounter differ would show what is in that chart. */
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
 * The note in which a command is placed: the one named, or the one of the encounter named, which is made where there is
 * none yet; or, where neither is named, a Data Import note dated at ingestion. Source: interface, "POST rules", 2 and 3.
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
