import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ClinicalError, ClinicalTask } from '../errors.ts';
import { type ExistingRecord, type LoadedRecord, load, recordExists } from '../records/load.ts';
import { createChange, isSameState } from '../records/record-change.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';
import type { DirectoryFollower } from './directory-follower.ts';
import { mergeEncounter, mergeNote, mergePatient } from './merge-entries.ts';
import type { DirectoryEntry, DirectoryInput, DirectoryType } from './model.ts';
import { directoryRecordDefinitions } from './record-definitions.ts';

/** The next state of an entry, and the changes of other records that follow from it. */
type EntryDecision<Entry> = {
  readonly entry: Entry;
  readonly sideChanges: ClinicalTask<readonly RecordChange[]>;
};

/** Decides the next state of an entry by the input of a put. */
export type EntryDecider<Type extends DirectoryType> = (
  input: DirectoryInput[Type],
  before: LoadedRecord<DirectoryEntry[Type]>,
  at: number,
) => ClinicalTask<EntryDecision<DirectoryEntry[Type]>>;

/** The entry that an element refers to; a `RuleViolation` if there is none. */
export type RequiredEntryLookup = <Type extends DirectoryType>(
  type: Type,
  id: string,
  expression: string,
) => ClinicalTask<ExistingRecord<DirectoryEntry[Type]>>;

const noChanges = TE.right<ClinicalError, readonly RecordChange[]>([]);

/** The change of an entry that another brings with it, if there is one and it is a change. */
const changeIfDifferent = <Type extends DirectoryType>(
  type: Type,
  before: LoadedRecord<DirectoryEntry[Type]> | null,
  { entry, at }: { readonly entry: DirectoryEntry[Type] | null; readonly at: number },
): ClinicalTask<readonly RecordChange[]> =>
  before === null || entry === null || isSameState(before.state, entry)
    ? noChanges
    : TE.right([createChange(directoryRecordDefinitions[type], before, entry, { at, by: null })]);

/** Decides entries by their types. */
export const createEntryDeciders = (
  store: ClinicalStore,
  { follower, require }: { readonly follower: DirectoryFollower; readonly require: RequiredEntryLookup },
): { readonly [Type in DirectoryType]: EntryDecider<Type> } => ({
  Patient: (input, before, at) => {
    const entry = mergePatient(input, before.state, at);
    return TE.right({ entry, sideChanges: () => follower.onPatient(store, entry, at)() });
  },
  // A care team has only members that the directory has: a new member is in no team.
  Practitioner: ({ id, lastName, firstName }, before, at) => {
    const entry = { id, lastName, firstName: firstName ?? '' };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Practitioner', entry }, at)() : noChanges();
    return TE.right({ entry, sideChanges });
  },
  Organization: ({ id, name }, before, at) => {
    const entry = { id, name };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Organization', entry }, at)() : noChanges();
    return TE.right({ entry, sideChanges });
  },
  Encounter: (input, before, at) =>
    pipe(
      require('Patient', input.patientId, 'Encounter.patientId'),
      // The host is not asked for the note, which may name the encounter in its turn.
      TE.flatMap(
        (): ClinicalTask<LoadedRecord<DirectoryEntry['Note']> | null> =>
          input.noteId === undefined
            ? TE.right(null)
            : load(store, directoryRecordDefinitions.Note, input.noteId),
      ),
      TE.flatMapEither((note) =>
        pipe(
          mergeEncounter(input, before.state, note?.state ?? null),
          E.map((entries) => ({
            entry: entries.encounter,
            sideChanges: changeIfDifferent('Note', note, { entry: entries.note, at }),
          })),
        ),
      ),
    ),
  Note: (input, before, at) =>
    pipe(
      require('Patient', input.patientId, 'Note.patientId'),
      TE.flatMap(
        (): ClinicalTask<LoadedRecord<DirectoryEntry['Encounter']> | null> =>
          input.encounterId === undefined
            ? TE.right(null)
            : require('Encounter', input.encounterId, 'Note.encounterId'),
      ),
      TE.flatMapEither((encounter) =>
        pipe(
          mergeNote(input, before.state, encounter?.state ?? null),
          E.map((entries) => ({
            entry: entries.note,
            sideChanges: changeIfDifferent('Encounter', encounter, { entry: entries.encounter, at }),
          })),
        ),
      ),
    ),
});
