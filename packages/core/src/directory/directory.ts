import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type Result, ruleViolation, toldAt } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { isPresent, type Loaded, type Present } from '../records/record-kind.ts';
import { transact } from '../records/transact.ts';
import type { Change } from '../store/port.ts';
import { encounterEntries, noteEntries, patientEntry } from './entries.ts';
import { unknownEntry } from './faults.ts';
import { directoryKinds } from './kinds.ts';
import {
  canHaveId,
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  entrySchemas,
} from './model.ts';
import { changeOf, decisionOf, type Plan, unchanged } from './plan.ts';
import { asking, type Resolve } from './resolve.ts';

/** An entry whose name shows in care teams. */
export type NamedType = 'Patient' | 'Practitioner' | 'Organization';
export type NamedEntry = {
  [Type in NamedType]: { readonly type: Type; readonly entry: DirectoryEntry[Type] };
}[NamedType];

/** What else is to be written in the commit in which the directory learns a name. */
export type Following = (named: NamedEntry, at: number) => Result<readonly Change[]>;

/**
 * The host's people, encounters and notes, as far as the chart refers to them.
 *
 * Putting one that is there already changes it. Each `put…` answers the entry as it is kept. Its errors: `InvalidRequest`,
 * `StoreFailure`, and of encounters and notes `RuleViolation`.
 */
export type Directory = {
  readonly [Type in DirectoryType as `put${Type}`]: (
    input: DirectoryInput[Type],
  ) => Result<DirectoryEntry[Type]>;
} & {
  /**
   * The entry as it is kept, or null where there is none: the host is asked for one that is not known yet.
   * Errors: `StoreFailure`; of encounters and notes `RuleViolation`, where what the host answers contradicts what is here.
   */
  readonly read: <Type extends DirectoryType>(type: Type, id: string) => Result<DirectoryEntry[Type] | null>;
};

/** What an entry becomes by what is told of it. */
type Planning<Type extends DirectoryType> = (
  input: DirectoryInput[Type],
  before: Loaded<DirectoryEntry[Type]>,
  at: number,
) => Result<Plan<DirectoryEntry[Type]>>;

/** The directory as the services see it. */
export type DirectoryRecords = Directory & {
  /** The entry with an id; the host is asked for one that is not there yet. */
  readonly known: <Type extends DirectoryType>(
    type: Type,
    id: string,
  ) => Result<Loaded<DirectoryEntry[Type]>>;
  /** The entry that an element refers to; a violation of the rules where there is none. */
  readonly demanded: <Type extends DirectoryType>(
    type: Type,
    id: string,
    expression: string,
  ) => Result<Present<DirectoryEntry[Type]>>;
};

export const createDirectory = (
  { store, now }: Environment,
  { resolve, following }: { readonly resolve: Resolve | undefined; readonly following: Following },
): DirectoryRecords => {
  const keep =
    <Type extends DirectoryType>(type: Type, plan: Planning<Type>) =>
    (sent: unknown): Result<DirectoryEntry[Type]> => {
      const decide = (input: DirectoryInput[Type]) => async () => {
        const at = now();
        const before = await load(store)(directoryKinds[type], input.id)();
        if (E.isLeft(before)) return before;
        const planned = await plan(input, before.right, at)();
        return E.isLeft(planned) ? planned : decisionOf(type, before.right, planned.right, at)();
      };
      const input = parseBody(entrySchemas[type], type)(sent, 'strict');
      return E.isLeft(input) ? TE.left(input.left) : transact(store)(decide(input.right));
    };

  const plans: { readonly [Type in DirectoryType]: Planning<Type> } = {
    Patient: (input, before, at) => {
      const entry = patientEntry(input, before.state, at);
      return TE.right({ entry, alongside: following({ type: 'Patient', entry }, at) });
    },
    Practitioner: ({ id, lastName, firstName }, _, at) => {
      const entry = { id, lastName, firstName };
      return TE.right({ entry, alongside: following({ type: 'Practitioner', entry }, at) });
    },
    Organization: ({ id, name }, _, at) => {
      const entry = { id, name };
      return TE.right({ entry, alongside: following({ type: 'Organization', entry }, at) });
    },
    Encounter: (input, before, at) =>
      pipe(
        demanded('Patient', input.patientId, 'Encounter.patientId'),
        // The host is not asked for the note, which may name the encounter in its turn.
        TE.flatMap(
          (): Result<Loaded<DirectoryEntry['Note']> | null> =>
            input.noteId === undefined ? TE.right(null) : load(store)(directoryKinds.Note, input.noteId),
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
  };

  const put = <Type extends DirectoryType>(type: Type) => keep(type, plans[type]);

  /** Renames again in what was written while an entry was renamed: whatever is decided from then on sees the new name. */
  const catchUp = (named: NamedEntry): Result<null> =>
    transact(store)(() =>
      pipe(
        following(named, now()),
        TE.map((changes) => ({ changes, answer: null })),
      )(),
    );

  /** Keeps what `resolve` answers. By then the host may have put somebody newer, who stays. */
  const fill = <Type extends DirectoryType>(type: Type, answered: unknown) =>
    keep<Type>(type, (input, before, at) =>
      isPresent(before) ? TE.right(unchanged(before.state)) : plans[type](input, before, at),
    )(answered);

  const known: DirectoryRecords['known'] = (type, id) => {
    const read = load(store)(directoryKinds[type], id);
    if (resolve === undefined) return read;
    const ask = asking(resolve, fill);
    return pipe(
      read,
      // What nobody can have as an id, the host is not asked for.
      TE.tap((loaded) => (isPresent(loaded) || !canHaveId(type, id) ? TE.right(null) : ask(type, id))),
      TE.flatMap((loaded) => (isPresent(loaded) ? TE.right(loaded) : read)),
    );
  };

  const demanded: DirectoryRecords['demanded'] = (type, id, expression) => async () => {
    const loaded = await known(type, id)();
    if (E.isLeft(loaded)) return E.left(toldAt(expression)(loaded.left));
    return isPresent(loaded.right)
      ? E.right(loaded.right)
      : E.left(ruleViolation(unknownEntry(type, expression)));
  };

  return {
    putPatient: put('Patient'),
    putPractitioner: flow(
      put('Practitioner'),
      TE.tap((entry) => catchUp({ type: 'Practitioner', entry })),
    ),
    putOrganization: flow(
      put('Organization'),
      TE.tap((entry) => catchUp({ type: 'Organization', entry })),
    ),
    putEncounter: put('Encounter'),
    putNote: put('Note'),
    known,
    demanded,
    read: (type, id) =>
      pipe(
        known(type, id),
        TE.map(({ state }) => state),
      ),
  };
};
