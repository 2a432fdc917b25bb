import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { MemberType } from '../care-team/model.ts';
import type { Environment } from '../environment.ts';
import { type Result, ruleViolation, toldAt } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { changeTo, isSameState } from '../records/change.ts';
import { isPresent, type Loaded, load } from '../records/load.ts';
import { transact } from '../records/transact.ts';
import { unknownEntry } from './faults.ts';
import type { Following } from './following.ts';
import { directoryKinds } from './kinds.ts';
import {
  canHaveId,
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  entrySchemas,
} from './model.ts';
import { type Demanded, type Planning, plansOn } from './plans.ts';
import { asking, type Resolve } from './resolve.ts';

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

/** The directory as the services see it. */
export type DirectoryRecords = Directory & {
  /** The entry with an id; the host is asked for one that is not there yet. */
  readonly known: <Type extends DirectoryType>(
    type: Type,
    id: string,
  ) => Result<Loaded<DirectoryEntry[Type]>>;
  readonly demanded: Demanded;
};

/** What an entry says, as far as it says anything. */
const saidIn = (entry: object | null): object =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([, said]) => said !== null));

export const createDirectory = (
  { store, now }: Environment,
  { resolve, following }: { readonly resolve: Resolve | undefined; readonly following: Following },
): DirectoryRecords => {
  const keep =
    <Type extends DirectoryType>(type: Type, plan: Planning<Type>) =>
    (sent: unknown): Result<DirectoryEntry[Type]> => {
      const kind = directoryKinds[type];
      const input = parseBody(entrySchemas[type], type)(sent, 'strict');
      if (E.isLeft(input)) return TE.left(input.left);
      return transact(store)(async () => {
        const at = now();
        const before = await load(store, kind, input.right.id)();
        if (E.isLeft(before)) return before;
        const planned = await plan(input.right, before.right, at)();
        if (E.isLeft(planned)) return planned;
        const { entry, alongside } = planned.right;
        if (isSameState(before.right.state, entry)) return E.right({ changes: [], answer: entry });
        const others = await alongside();
        if (E.isLeft(others)) return others;
        const change = changeTo(kind, before.right, entry, { at, by: null });
        return E.right({ changes: [change, ...others.right], answer: entry });
      });
    };

  // What an entry refers to is asked for in its turn.
  const plans = plansOn(store, { following, demanded: (...named) => demanded(...named) });

  const put = <Type extends DirectoryType>(type: Type) => keep(type, plans[type]);
  const putMember = <Type extends MemberType>(type: Type) =>
    flow(
      put(type),
      TE.tap(({ id }) => following.memberAfterwards(type, id)),
    );

  /** Keeps what `resolve` answers. What an entry says that was put meanwhile stays; an answer of another patient is refused. */
  const fill = <Type extends DirectoryType>(type: Type, answered: unknown) =>
    keep<Type>(type, (input, before, at) => {
      const ofPatient = 'patientId' in input ? { patientId: input.patientId } : {};
      return plans[type]({ ...input, ...saidIn(before.state), ...ofPatient }, before, at);
    })(answered);

  const known: DirectoryRecords['known'] = (type, id) => {
    const read = load(store, directoryKinds[type], id);
    if (resolve === undefined) return read;
    return async () => {
      const loaded = await read();
      // What nobody can have as an id, the host is not asked for.
      if (E.isLeft(loaded) || isPresent(loaded.right) || !canHaveId(type, id)) return loaded;
      const asked = await asking(resolve, fill)(type, id)();
      return E.isLeft(asked) ? asked : read();
    };
  };

  const demanded: Demanded = (type, id, expression) => async () => {
    const loaded = await known(type, id)();
    if (E.isLeft(loaded)) return E.left(toldAt(() => expression)(loaded.left));
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
