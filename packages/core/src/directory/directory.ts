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

/** An entry whose name shows in care teams: of their patients, and of their members. */
type MemberType = 'Practitioner' | 'Organization';
export type NamedType = 'Patient' | MemberType;
export type NamedEntry = {
  [Type in NamedType]: { readonly type: Type; readonly entry: DirectoryEntry[Type] };
}[NamedType];

/** How care teams take on the names of the directory. */
export type Following = {
  /** What is written in the commit in which the directory learns a name. */
  readonly alongside: (named: NamedEntry, at: number) => Result<readonly Change[]>;
  /** Renames a member in all teams that this commit left as they were. */
  readonly afterwards: (type: MemberType, id: string) => Result<unknown>;
};

/**
 * The host's people, encounters and notes, as far as the chart refers to them.
 *
 * Putting one that is there already changes it, and its name in all care teams by the time that it answers. Each `put…`
 * answers the entry as it is kept. Its errors: `InvalidRequest`, `StoreFailure`, and of encounters and notes `RuleViolation`.
 * A practitioner or an organization of whom the put was a `StoreFailure` is put again: some teams may not have the new name.
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
      return TE.right({ entry, alongside: following.alongside({ type: 'Patient', entry }, at) });
    },
    Practitioner: ({ id, lastName, firstName }, _, at) => {
      const entry = { id, lastName, firstName };
      return TE.right({ entry, alongside: following.alongside({ type: 'Practitioner', entry }, at) });
    },
    Organization: ({ id, name }, _, at) => {
      const entry = { id, name };
      return TE.right({ entry, alongside: following.alongside({ type: 'Organization', entry }, at) });
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
  const putMember = <Type extends MemberType>(type: Type) =>
    flow(
      put(type),
      TE.tap(({ id }) => following.afterwards(type, id)),
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
    putPractitioner: putMember('Practitioner'),
    putOrganization: putMember('Organization'),
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
