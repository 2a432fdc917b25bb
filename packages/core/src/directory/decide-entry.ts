import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import { type ExistingRecord, type LoadedRecord, load, recordExists } from '../records/load.ts';
import { createChange, createVersionCheck, isSameState } from '../records/record-change.ts';
import type { ClinicalStore, RecordChange, VersionCheck } from '../store/port.ts';
import type { DirectoryFollower, SideChanges } from './directory-follower.ts';
import { mergeEncounter, mergeNote, mergePatient } from './merge-entries.ts';
import type { DirectoryEntry, DirectoryInput, DirectoryType } from './model.ts';
import { directoryRecordDefinitions } from './record-definitions.ts';

/** The next state of an entry, and the changes of other records that follow from it. */
type EntryDecision<Entry> = {
  readonly entry: Entry;
  /** The patient of the entry, who may be merged or erased meanwhile. */
  readonly versionChecks?: readonly VersionCheck[];
  readonly sideChanges: () => Outcome<SideChanges>;
};

/** Decides the next state of an entry by the input of a put. */
export type EntryDecider<Type extends DirectoryType> = (
  input: DirectoryInput[Type],
  before: LoadedRecord<DirectoryEntry[Type]>,
  at: number,
) => Outcome<EntryDecision<DirectoryEntry[Type]>>;

/** The entry that an element refers to; a `RuleViolation` if there is none. */
export type RequiredEntryLookup = <Type extends DirectoryType>(
  type: Type,
  id: string,
  expression: string,
) => Outcome<ExistingRecord<DirectoryEntry[Type]>>;

/** The entry to which an input does not refer. */
const noEntry = E.right(null);

const noSideChanges = async (): Outcome<SideChanges> => E.right({ changes: [] });

/** The change of an entry that another brings with it, if there is one and it is a change. */
const changeIfDifferent = <Type extends DirectoryType>(
  type: Type,
  before: LoadedRecord<DirectoryEntry[Type]> | null,
  { entry, at }: { readonly entry: DirectoryEntry[Type] | null; readonly at: number },
): readonly RecordChange[] =>
  before === null || entry === null || isSameState(before.state, entry)
    ? []
    : [createChange(directoryRecordDefinitions[type], before, entry, { at, by: null })];

const addChanges = async (
  changes: readonly RecordChange[],
  others: Outcome<readonly RecordChange[]>,
): Outcome<SideChanges> =>
  E.map((added: readonly RecordChange[]) => ({ changes: [...changes, ...added] }))(await others);

/** Decides entries by their types. */
export const createEntryDeciders = (
  store: ClinicalStore,
  { follower, require }: { readonly follower: DirectoryFollower; readonly require: RequiredEntryLookup },
): { readonly [Type in DirectoryType]: EntryDecider<Type> } => ({
  Patient: async (input, before, at) => {
    const entry = mergePatient(input, before.state, at);
    return E.right({ entry, sideChanges: () => follower.onPatient(store, entry, at) });
  },
  // A care team has only members that the directory has: a new member is in no team.
  Practitioner: async ({ id, lastName, firstName }, before, at) => {
    const entry = { id, lastName, firstName: firstName ?? '' };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Practitioner', entry }, at) : noSideChanges();
    return E.right({ entry, sideChanges });
  },
  Organization: async ({ id, name }, before, at) => {
    const entry = { id, name };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Organization', entry }, at) : noSideChanges();
    return E.right({ entry, sideChanges });
  },
  Encounter: async (input, before, at) => {
    const { patientId, noteId } = input;
    const patient = await require('Patient', patientId, 'Encounter.patientId');
    if (E.isLeft(patient)) return patient;
    // The host is not asked for the note, which may name the encounter in its turn.
    const note = noteId === undefined ? noEntry : await load(store, directoryRecordDefinitions.Note, noteId);
    if (E.isLeft(note)) return note;
    const merged = mergeEncounter(input, before.state, note.right?.state ?? null);
    if (E.isLeft(merged)) return merged;
    const { encounter: entry, note: after } = merged.right;
    const noteChanges = changeIfDifferent('Note', note.right, { entry: after, at });
    return E.right({
      entry,
      versionChecks: [createVersionCheck(directoryRecordDefinitions.Patient, patient.right)],
      sideChanges: () =>
        addChanges(noteChanges, follower.onNote(store, { before: note.right?.state ?? null, after }, at)),
    });
  },
  Note: async (input, before, at) => {
    const { patientId, encounterId } = input;
    const patient = await require('Patient', patientId, 'Note.patientId');
    if (E.isLeft(patient)) return patient;
    const encounter =
      encounterId === undefined ? noEntry : await require('Encounter', encounterId, 'Note.encounterId');
    if (E.isLeft(encounter)) return encounter;
    const merged = mergeNote(input, before.state, encounter.right?.state ?? null);
    if (E.isLeft(merged)) return merged;
    const { note: entry, encounter: after } = merged.right;
    const encounterChanges = changeIfDifferent('Encounter', encounter.right, { entry: after, at });
    return E.right({
      entry,
      versionChecks: [createVersionCheck(directoryRecordDefinitions.Patient, patient.right)],
      sideChanges: () =>
        addChanges(encounterChanges, follower.onNote(store, { before: before.state, after: entry }, at)),
    });
  },
});
