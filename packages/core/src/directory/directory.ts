import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, ruleViolation, storeFailure } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import type { Environment } from '../records/environment.ts';
import { load } from '../records/load.ts';
import { changeTo, isPresent, isSameState, type Loaded, type Present } from '../records/record-kind.ts';
import { transact } from '../records/transact.ts';
import type { Change } from '../store/port.ts';
import { encounterEntry, noteEntries, patientEntry } from './entries.ts';
import { directoryFault, unknown } from './faults.ts';
import { directoryKinds } from './kinds.ts';
import { type DirectoryEntry, type DirectoryInput, type DirectoryType, entrySchemas } from './model.ts';

type Result<A> = TE.TaskEither<ClinicalError, A>;
type Answer = DirectoryInput[DirectoryType] | null | undefined;

/** Asks the host for a record that was mentioned and is not in the directory yet; null or undefined where it has none. */
export type Resolve = (type: DirectoryType, id: string) => Promise<Answer> | Answer;

/** An entry whose name shows in care teams. */
export type NamedType = 'Patient' | 'Practitioner' | 'Organization';
export type NamedEntry = {
  [Type in NamedType]: { readonly type: Type; readonly entry: DirectoryEntry[Type] };
}[NamedType];

/** What else is to be written in the commit in which the directory learns a name. */
export type Following = (named: NamedEntry, at: number) => Result<readonly Change[]>;

/** What an entry becomes, and what its change brings with it. */
type Plan<Entry> = { readonly entry: Entry; readonly alongside: Result<readonly Change[]> };

type Put<Type extends DirectoryType> = (input: DirectoryInput[Type]) => Result<DirectoryEntry[Type]>;

/** The host's people, encounters and notes, as far as the chart refers to them. To put one again changes it. */
export type Directory = { readonly [Type in DirectoryType as `put${Type}`]: Put<Type> } & {
  /** The entry as it is kept, or null where there is none: the host is asked for one that is not known yet. */
  readonly read: <Type extends DirectoryType>(type: Type, id: string) => Result<DirectoryEntry[Type] | null>;
};

/** The directory as the services see it. */
export type DirectoryRecords = Directory & {
  /** Asks the host for an entry that is not there. */
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
    ): Put<Type> =>
    (input) => {
      const decide = (at: number) =>
        pipe(
          load(store)(directoryKinds[type], input.id),
          TE.flatMap((before) =>
            pipe(
              plan(input, before, at),
              TE.flatMap(({ entry, alongside }) =>
                isSameState(before.state, entry)
                  ? TE.right({ changes: [], answer: entry })
                  : pipe(
                      alongside,
                      TE.map((changes) => ({
                        changes: [
                          changeTo(directoryKinds[type], before, entry, { at, by: null }),
                          ...changes,
                        ],
                        answer: entry,
                      })),
                    ),
              ),
            ),
          ),
        );
      return pipe(
        TE.fromEither(parseBody<unknown>(entrySchemas[type], type)(input, 'strict')),
        TE.flatMap(() => transact(store)(() => decide(now())())),
      );
    };

  const putPatient = put('Patient', (input, before, at) => {
    const entry = patientEntry(input, before.state, at);
    return TE.right({ entry, alongside: following({ type: 'Patient', entry }, at) });
  });
  const putPractitioner = put('Practitioner', ({ id, lastName, firstName }, before, at) => {
    const entry = { id, lastName, firstName };
    return TE.right({
      entry,
      alongside: isPresent(before) ? following({ type: 'Practitioner', entry }, at) : nothing,
    });
  });
  const putOrganization = put('Organization', ({ id, name }, before, at) => {
    const entry = { id, name };
    return TE.right({
      entry,
      alongside: isPresent(before) ? following({ type: 'Organization', entry }, at) : nothing,
    });
  });
  const putEncounter = put('Encounter', (input, before) =>
    pipe(
      demanded('Patient', input.patientId, 'Encounter.patientId'),
      TE.flatMapEither(() => encounterEntry(input, before.state)),
      TE.map((entry) => ({ entry, alongside: nothing })),
    ),
  );
  const putNote = put('Note', (input, before, at) =>
    pipe(
      demanded('Patient', input.patientId, 'Note.patientId'),
      TE.flatMap(() =>
        input.encounterId === undefined
          ? TE.right(null)
          : demanded('Encounter', input.encounterId, 'Note.encounterId'),
      ),
      TE.flatMap((encounter) =>
        pipe(
          TE.fromEither(noteEntries(input, before.state, encounter?.state ?? null)),
          TE.map(({ note, encounter: next }) => ({
            entry: note,
            alongside:
              encounter === null || next === null || isSameState(encounter.state, next)
                ? nothing
                : TE.right([changeTo(directoryKinds.Encounter, encounter, next, { at, by: null })]),
          })),
        ),
      ),
    ),
  );
  const puts = { putPatient, putPractitioner, putOrganization, putEncounter, putNote };

  /** Asks the host, and keeps what it says. */
  const ask = <Type extends DirectoryType>(type: Type, id: string): Result<unknown> =>
    pipe(
      TE.tryCatch(
        async () => resolve?.(type, id),
        (cause) => storeFailure('resolve-failed', cause),
      ),
      TE.flatMap((found): Result<unknown> => {
        if (found === null || found === undefined) return TE.right(null);
        if (found.id !== id) return TE.left(storeFailure('resolve-failed', 'another id than was asked for'));
        const keep: (input: never) => Result<unknown> = puts[`put${type}`];
        return keep(found as never);
      }),
    );

  const known: DirectoryRecords['known'] = (type, id) => {
    const read = load(store)(directoryKinds[type], id);
    return resolve === undefined
      ? read
      : pipe(
          read,
          TE.flatMap((loaded) =>
            isPresent(loaded)
              ? TE.right(loaded)
              : pipe(
                  ask(type, id),
                  TE.flatMap(() => read),
                ),
          ),
        );
  };

  const demanded: DirectoryRecords['demanded'] = (type, id, expression) =>
    pipe(
      known(type, id),
      TE.filterOrElse(isPresent, () => ruleViolation(directoryFault(unknown[type], expression))),
    );

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
