import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ClinicalError, Result } from '../errors.ts';
import { changeTo, isSameState } from '../records/change.ts';
import { isPresent, type Loaded, load, type Present } from '../records/load.ts';
import type { Change, ClinicalStore } from '../store/port.ts';
import { encounterEntries, noteEntries, patientEntry } from './entries.ts';
import type { Following } from './following.ts';
import { directoryKinds } from './kinds.ts';
import type { DirectoryEntry, DirectoryInput, DirectoryType } from './model.ts';

/** What an entry becomes, and what its change brings with it. */
type Plan<Entry> = { readonly entry: Entry; readonly alongside: Result<readonly Change[]> };

/** What an entry becomes by what is told of it. */
export type Planning<Type extends DirectoryType> = (
  input: DirectoryInput[Type],
  before: Loaded<DirectoryEntry[Type]>,
  at: number,
) => Result<Plan<DirectoryEntry[Type]>>;

/** The entry that an element refers to; a violation of the rules where there is none. */
export type Demanded = <Type extends DirectoryType>(
  type: Type,
  id: string,
  expression: string,
) => Result<Present<DirectoryEntry[Type]>>;

const nothing = TE.right<ClinicalError, readonly Change[]>([]);

/** The change of an entry that another brings with it, if there is one and it is a change. */
const changeOf = <Type extends DirectoryType>(
  type: Type,
  before: Loaded<DirectoryEntry[Type]> | null,
  { entry, at }: { readonly entry: DirectoryEntry[Type] | null; readonly at: number },
): Result<readonly Change[]> =>
  before === null || entry === null || isSameState(before.state, entry)
    ? nothing
    : TE.right([changeTo(directoryKinds[type], before, entry, { at, by: null })]);

/** How entries of each type are planned. */
export const plansOn = (
  store: ClinicalStore,
  { following, demanded }: { readonly following: Following; readonly demanded: Demanded },
): { readonly [Type in DirectoryType]: Planning<Type> } => ({
  Patient: (input, before, at) => {
    const entry = patientEntry(input, before.state, at);
    return TE.right({ entry, alongside: () => following.patient(entry, at)() });
  },
  // No care team has a member whom the directory does not know: a new one is in none.
  Practitioner: ({ id, lastName, firstName = '' }, before, at) => {
    const entry = { id, lastName, firstName };
    const alongside = () => (isPresent(before) ? following.member('Practitioner', entry, at)() : nothing());
    return TE.right({ entry, alongside });
  },
  Organization: ({ id, name }, before, at) => {
    const entry = { id, name };
    const alongside = () => (isPresent(before) ? following.member('Organization', entry, at)() : nothing());
    return TE.right({ entry, alongside });
  },
  Encounter: (input, before, at) =>
    pipe(
      demanded('Patient', input.patientId, 'Encounter.patientId'),
      // The host is not asked for the note, which may name the encounter in its turn.
      TE.flatMap(
        (): Result<Loaded<DirectoryEntry['Note']> | null> =>
          input.noteId === undefined ? TE.right(null) : load(store, directoryKinds.Note, input.noteId),
      ),
      TE.flatMapEither((note) =>
        pipe(
          encounterEntries(input, before.state, note?.state ?? null),
          E.map((entries) => ({
            entry: entries.encounter,
            alongside: changeOf('Note', note, { entry: entries.note, at }),
          })),
        ),
      ),
    ),
  Note: (input, before, at) =>
    pipe(
      demanded('Patient', input.patientId, 'Note.patientId'),
      TE.flatMap(
        (): Result<Loaded<DirectoryEntry['Encounter']> | null> =>
          input.encounterId === undefined
            ? TE.right(null)
            : demanded('Encounter', input.encounterId, 'Note.encounterId'),
      ),
      TE.flatMapEither((encounter) =>
        pipe(
          noteEntries(input, before.state, encounter?.state ?? null),
          E.map((entries) => ({
            entry: entries.note,
            alongside: changeOf('Encounter', encounter, { entry: entries.encounter, at }),
          })),
        ),
      ),
    ),
});
