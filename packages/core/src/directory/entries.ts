import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, ruleViolation } from '../errors.ts';
import { directoryFault } from './faults.ts';
import type { DirectoryEntry, DirectoryInput } from './model.ts';

/** The entry that a patient's input becomes: modified now, if the host does not say when, and only if something changed. */
export const patientEntry = (
  { id, lastName, firstName, lastModified }: DirectoryInput['Patient'],
  before: DirectoryEntry['Patient'] | null,
  now: number,
): DirectoryEntry['Patient'] => {
  const isSame = before !== null && before.lastName === lastName && before.firstName === firstName;
  const otherwise = isSame ? before.lastModified : now;
  return {
    id,
    lastName,
    firstName,
    lastModified: lastModified === undefined ? otherwise : new Date(lastModified).getTime(),
  };
};

/** The entry that an encounter's input becomes. It stays with its patient, and keeps its note. */
export const encounterEntry = (
  { id, patientId }: DirectoryInput['Encounter'],
  before: DirectoryEntry['Encounter'] | null,
): E.Either<ClinicalError, DirectoryEntry['Encounter']> =>
  before !== null && before.patientId !== patientId
    ? E.left(ruleViolation(directoryFault('encounter-of-another-patient', 'Encounter.patientId')))
    : E.right({ id, patientId, noteId: before?.noteId ?? null });

/** What a note's input makes of the note and of its encounter: each belongs to the other alone, and both to one patient. */
export const noteEntries = (
  { id, patientId, ...input }: DirectoryInput['Note'],
  before: DirectoryEntry['Note'] | null,
  encounter: DirectoryEntry['Encounter'] | null,
): E.Either<
  ClinicalError,
  { note: DirectoryEntry['Note']; encounter: DirectoryEntry['Encounter'] | null }
> => {
  const encounterId = input.encounterId ?? before?.encounterId ?? null;
  const faults = [
    ...(before !== null && before.patientId !== patientId
      ? [directoryFault('note-of-another-patient', 'Note.patientId')]
      : []),
    ...(before?.encounterId != null && before.encounterId !== encounterId
      ? [directoryFault('note-of-another-encounter', 'Note.encounterId')]
      : []),
    ...(encounter !== null && encounter.patientId !== patientId
      ? [directoryFault('encounter-of-another-patient', 'Note.encounterId')]
      : []),
    ...(encounter?.noteId != null && encounter.noteId !== id
      ? [directoryFault('note-of-another-encounter', 'Note.encounterId')]
      : []),
  ];
  if (faults.length > 0) return E.left(ruleViolation(faults));
  return E.right({
    note: {
      id,
      patientId,
      encounterId,
      title: input.title ?? before?.title ?? null,
      dateOfService: input.dateOfService ?? before?.dateOfService ?? null,
    },
    encounter: encounter && { ...encounter, noteId: id },
  });
};
