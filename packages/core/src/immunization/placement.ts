import * as E from 'fp-ts/lib/Either.js';
import { directoryFault, unknownEntry } from '../directory/faults.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import type { Fault } from '../errors.ts';
import { instantText } from '../fhir/date-time.ts';
import { immunizationFault } from './faults.ts';

type Note = DirectoryEntry['Note'];
type Encounter = DirectoryEntry['Encounter'];

/** What a command names, as the directory knows it: undefined where it names none, null where there is none such. */
export type Named = {
  readonly patientId: string;
  readonly isPatientKnown: boolean;
  readonly note: Note | null | undefined;
  readonly encounter: Encounter | null | undefined;
};

/** The note that a command stands in; `isNew` where it is made together with it. */
export type NotePlace = { readonly note: Note; readonly isNew: boolean };

/** Of what is another patient's nothing else is told: whether a note and an encounter differ would show what is in that chart. */
const faultsOfNamed = ({ patientId, isPatientKnown, note, encounter }: Named): readonly Fault[] => {
  const isTheirs = (one: { readonly patientId: string }) => one.patientId === patientId;
  return [
    ...(isPatientKnown ? [] : [unknownEntry('Patient', 'patientId')]),
    ...(note === null ? [unknownEntry('Note', 'noteId')] : []),
    ...(note && !isTheirs(note) ? [directoryFault('note-of-another-patient', 'noteId')] : []),
    ...(encounter === null ? [unknownEntry('Encounter', 'encounterId')] : []),
    ...(encounter && !isTheirs(encounter)
      ? [directoryFault('encounter-of-another-patient', 'encounterId')]
      : []),
    ...(note && encounter && isTheirs(note) && isTheirs(encounter) && note.encounterId !== encounter.id
      ? [immunizationFault('note-and-encounter-differ', 'noteId')]
      : []),
  ];
};

/**
 * The note in which a command is placed: the one named, or the one of the encounter named, which is made where there is
 * none yet; or, where neither is named, a Data Import note dated at ingestion. Source: interface, "POST rules", 2 and 3.
 */
export const placeInNote = (
  named: Named,
  { newId, at }: { readonly newId: () => string; readonly at: number },
): E.Either<readonly Fault[], NotePlace> => {
  const faults = faultsOfNamed(named);
  if (faults.length > 0) return E.left(faults);
  const { patientId, note, encounter } = named;
  if (note) return E.right({ note, isNew: false });
  if (!encounter) {
    const dated = { title: 'Data Import', dateOfService: instantText(at) };
    return E.right({ note: { id: newId(), patientId, encounterId: null, ...dated }, isNew: true });
  }
  const ofEncounter = { patientId, encounterId: encounter.id, title: null, dateOfService: null };
  return E.right({
    note: { id: encounter.noteId ?? newId(), ...ofEncounter },
    isNew: encounter.noteId === null,
  });
};
