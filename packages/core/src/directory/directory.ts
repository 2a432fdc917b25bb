import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, type Result, ruleViolation } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { changeTo, isPresent, isSameState, type Loaded, type Present } from '../records/record-kind.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { Change } from '../store/port.ts';
import { encounterEntry, noteEntries, patientEntry } from './entries.ts';
import { directoryFault, unknown } from './faults.ts';
import { directoryKinds } from './kinds.ts';
import {
  canHaveId,
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  entrySchemas,
} from './model.ts';
import { asking, type Resolve } from './resolve.ts';

/** An entry whose name shows in care teams. */
export type NamedType = 'Patient' | 'Practitioner' | 'Organization';
export type NamedEntry = {
  [Type in NamedType]: { readonly type: Type; readonly entry: DirectoryEntry[Type] };
}[NamedType];

/** What else is to be written in the commit in which the directory learns a name. */
export type Following = (named: NamedEntry, at: number) => Result<readonly Change[]>;

/** What an entry becomes, and what its change brings with it. */
type Plan<Entry> = { readonly entry: Entry; readonly alongside: Result<readonly Change[]> };

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
   * Errors: `StoreFailure`.
   */
  readonly read: <Type extends DirectoryType>(type: Type, id: string) => Result<DirectoryEntry[Type] | null>;
};

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

const nothing = TE.right<ClinicalError, readonly Change[]>([]);

/** A change of an entry, if it is one, and what goes along with it. */
const decisionOf = <Type extends DirectoryType>(
  type: Type,
  before: Loaded<DirectoryEntry[Type]>,
  { entry, alongside }: Plan<DirectoryEntry[Type]>,
  at: number,
): Result<Decision<DirectoryEntry[Type]>> =>
  isSameState(before.state, entry)
    ? TE.right({ changes: [], answer: entry })
    : pipe(
        alongside,
        TE.map((changes) => ({
          changes: [changeTo(directoryKinds[type], before, entry, { at, by: null }), ...changes],
          answer: entry,
        })),
      );

export const createDirectory = (
  { store, now }: Environment,
  { resolve, following }: { readonly resolve: Resolve | undefined; readonly following: Following },
): DirectoryRecords => {
  const put =
    <Type extends DirectoryType>(
      type: Type,
      plan: (
        input: DirectoryInput[Type],
        before: Loaded<DirectoryEntry[Type]>,
        at: number,
      ) => Result<Plan<DirectoryEntry[Type]>>,
    ) =>
    (sent: unknown): Result<DirectoryEntry[Type]> => {
      const decide = (input: DirectoryInput[Type]) => async () => {
        const at = now();
        const before = await load(store)(directoryKinds[type], input.id)();
        if (E.isLeft(before)) return before;
        const planned = await plan(input, before.right, at)();
        return E.isLeft(planned) ? planned : decisionOf(type, before.right, planned.right, at)();
      };
      const parse = parseBody(entrySchemas[type], type);
      return async () => {
        const input = parse(sent, 'strict');
        return E.isLeft(input) ? input : transact(store)(decide(input.right))();
      };
    };

  /** Renames again in what was written while an entry was renamed: whatever is decided from then on sees the new name. */
  const catchUp = (named: NamedEntry): Result<null> =>
    transact(store)(() =>
      pipe(
        following(named, now()),
        TE.map((changes) => ({ changes, answer: null })),
      )(),
    );

  const putPatient = put('Patient', (input, before, at) => {
    const entry = patientEntry(input, before.state, at);
    return TE.right({ entry, alongside: following({ type: 'Patient', entry }, at) });
  });
  const putPractitioner = flow(
    put('Practitioner', ({ id, lastName, firstName }, _, at) => {
      const entry = { id, lastName, firstName };
      return TE.right({ entry, alongside: following({ type: 'Practitioner', entry }, at) });
    }),
    TE.tap((entry) => catchUp({ type: 'Practitioner', entry })),
  );
  const putOrganization = flow(
    put('Organization', ({ id, name }, _, at) => {
      const entry = { id, name };
      return TE.right({ entry, alongside: following({ type: 'Organization', entry }, at) });
    }),
    TE.tap((entry) => catchUp({ type: 'Organization', entry })),
  );
  const putEncounter = put('Encounter', (input, before) => async () => {
    const patient = await demanded('Patient', input.patientId, 'Encounter.patientId')();
    if (E.isLeft(patient)) return patient;
    const entry = encounterEntry(input, before.state);
    return E.isLeft(entry) ? entry : E.right({ entry: entry.right, alongside: nothing });
  });
  const putNote = put('Note', (input, before, at) =>
    pipe(
      demanded('Patient', input.patientId, 'Note.patientId'),
      TE.flatMap(() =>
        input.encounterId === undefined
          ? TE.right(null)
          : demanded('Encounter', input.encounterId, 'Note.encounterId'),
      ),
      TE.bindTo('encounter'),
      TE.bind('entries', ({ encounter }) =>
        TE.fromEither(noteEntries(input, before.state, encounter?.state ?? null)),
      ),
      TE.map(({ encounter, entries }) => ({
        entry: entries.note,
        alongside:
          encounter === null || entries.encounter === null || isSameState(encounter.state, entries.encounter)
            ? nothing
            : TE.right([changeTo(directoryKinds.Encounter, encounter, entries.encounter, { at, by: null })]),
      })),
    ),
  );
  const puts = { putPatient, putPractitioner, putOrganization, putEncounter, putNote };

  const known: DirectoryRecords['known'] = (type, id) => {
    const read = load(store)(directoryKinds[type], id);
    if (resolve === undefined) return read;
    const ask = asking(resolve, (mentioned, entry) => puts[`put${mentioned}`](entry));
    return pipe(
      read,
      // What nobody can have as an id, the host is not asked for.
      TE.tap((loaded) => (isPresent(loaded) || !canHaveId(type, id) ? TE.right(null) : ask(type, id))),
      TE.flatMap((loaded) => (isPresent(loaded) ? TE.right(loaded) : read)),
    );
  };

  const demanded: DirectoryRecords['demanded'] = (type, id, expression) => async () => {
    const loaded = await known(type, id)();
    if (E.isLeft(loaded)) return loaded;
    return isPresent(loaded.right)
      ? E.right(loaded.right)
      : E.left(ruleViolation(directoryFault(unknown[type], expression)));
  };

  return {
    ...puts,
    known,
    demanded,
    read: (type, id) =>
      pipe(
        known(type, id),
        TE.map(({ state }) => state),
      ),
  };
};
