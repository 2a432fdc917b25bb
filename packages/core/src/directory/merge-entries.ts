import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, ruleViolation } from '../errors.ts';
import { directoryIssue } from './issues.ts';
import type { DirectoryEntry, DirectoryInput } from './model.ts';

/** The entry that a patient's input becomes: modified now, if the host does not say when, and only if something changed. */
export const mergePatient = (
  { id, lastName, lastModified, ...input }: DirectoryInput['Patient'],
  before: DirectoryEntry['Patient'] | null,
  now: number,
): DirectoryEntry['Patient'] => {
  const firstName = input.firstName ?? '';
  const isSame = before !== null && before.lastName === lastName && before.firstName === firstName;
  const otherwise = isSame ? before.lastModified : now;
  return {
    id,
    lastName,
    firstName,
    lastModified: lastModified === undefined ? otherwise : new Date(lastModified).getTime(),
    ...(before?.replacedBy !== undefined && { replacedBy: before.replacedBy }),
  };
};

/**
 * Merges an encounter's input into the encounter and the note that it names. A note that does not exist yet is created.
 * An encounter keeps its patient and its note.
 */
export const mergeEncounter = (
  { id, patientId, noteId }: DirectoryInput['Encounter'],
  before: DirectoryEntry['Encounter'] | null,
  note: DirectoryEntry['Note'] | null,
): E.Either<
  ClinicalError,
  { encounter: DirectoryEntry['Encounter']; note: DirectoryEntry['Note'] | null }
> => {
  const hasAnother = before?.noteId != null && noteId !== undefined && noteId !== before.noteId;
  const isOfAnother = note?.encounterId != null && note.encounterId !== id;
  const issues = [
    ...(before !== null && before.patientId !== patientId
      ? [directoryIssue('encounter-of-another-patient', 'Encounter.patientId')]
      : []),
    ...(note !== null && note.patientId !== patientId
      ? [directoryIssue('note-of-another-patient', 'Encounter.noteId')]
      : []),
    ...(hasAnother || isOfAnother ? [directoryIssue('note-of-another-encounter', 'Encounter.noteId')] : []),
  ];
  if (issues.length > 0) return E.left(ruleViolation(issues));
  const { title = null, dateOfService = null } = note ?? {};
  return E.right({
    encounter: { id, patientId, noteId: noteId ?? before?.noteId ?? null },
    note: noteId === undefined ? null : { id: noteId, patientId, encounterId: id, title, dateOfService },
  });
};

/** Merges a note's input into the note and its encounter. Each belongs only to the other, and both to one patient. */
export const mergeNote = (
  { id, patientId, ...input }: DirectoryInput['Note'],
  before: DirectoryEntry['Note'] | null,
  encounter: DirectoryEntry['Encounter'] | null,
): E.Either<
  ClinicalError,
  { note: DirectoryEntry['Note']; encounter: DirectoryEntry['Encounter'] | null }
> => {
  const encounterId = input.encounterId ?? before?.encounterId ?? null;
  const hasAnother = before?.encounterId != null && before.encounterId !== encounterId;
  const isOfAnother = encounter?.noteId != null && encounter.noteId !== id;
  const issues = [
    ...(before !== null && before.patientId !== patientId
      ? [directoryIssue('note-of-another-patient', 'Note.patientId')]
      : []),
    ...(encounter !== null && encounter.patientId !== patientId
      ? [directoryIssue('encounter-of-another-patient', 'Note.encounterId')]
      : []),
    ...(hasAnother || isOfAnother ? [directoryIssue('note-of-another-encounter', 'Note.encounterId')] : []),
  ];
  if (issues.length > 0) return E.left(ruleViolation(issues));
  return E.right({
    note: {
      id,
      patientId,
      encounterId,
      title: input.title ?? before?.title ?? null,
      dateOfService: input.dateOfService ?? before?.dateOfService ?? null,
      ...(encounterId === null && before?.immunizationIds && { immunizationIds: before.immunizationIds }),
    },
    encounter: encounter && { ...encounter, noteId: id },
  });
};
