import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { MemberType } from '../care-team/model.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  type Result,
  ruleViolation,
  sentenceOf,
  storeFailure,
  toldAt,
} from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { type Access, chartWithin } from '../records/access.ts';
import { changeTo, isSameState } from '../records/change.ts';
import { absent, isPresent, type Loaded, load } from '../records/load.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import { unknownEntry } from './faults.ts';
import type { Following } from './following.ts';
import { inGroups } from './in-groups.ts';
import { directoryKinds } from './kinds.ts';
import {
  canHaveId,
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  entrySchemas,
} from './model.ts';
import { type Demanded, type Planning, plansOn } from './plans.ts';
import type { AskHost } from './resolve.ts';

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

/** An entry before and after a put; null before where it is new. */
export type Put<Entry> = { readonly before: Entry | null; readonly entry: Entry };

/** What a put writes, decided and not committed yet. Names in care teams follow afterwards, by `Following.memberAfterwards`. */
type PutDecisions = {
  readonly [Type in DirectoryType]: (
    input: DirectoryInput[Type],
  ) => Result<Decision<Put<DirectoryEntry[Type]>>>;
};

/** The directory as the services see it. */
export type DirectoryRecords = Directory & {
  readonly decide: PutDecisions;
  /** The entry with an id; the host is asked for one that is not there yet. */
  readonly known: <Type extends DirectoryType>(
    type: Type,
    id: string,
  ) => Result<Loaded<DirectoryEntry[Type]>>;
  readonly demanded: Demanded;
  /** Whether the host can be asked for what is not known. */
  readonly asksHost: boolean;
  /** Those of the ids for whom the host would be asked: nobody, where it cannot be asked. */
  readonly unknown: (type: DirectoryType, ids: readonly string[]) => Result<readonly string[]>;
  /** The same directory on another store, to be asked for one who is limited to a chart: of other charts it knows nothing. */
  readonly on: (store: ClinicalStore, access?: Access) => DirectoryRecords;
};

/** How the host is asked, and what care teams make of what the directory learns. */
type DirectoryOptions = {
  readonly ask: AskHost | undefined;
  readonly followingOn: (environment: Environment) => Following;
  /** The one chart whose encounters and notes are known; null where all are. */
  readonly chart?: string | null;
};

/** What an entry says, as far as it says anything. */
const saidIn = (entry: object | null): object =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([, said]) => said !== null));

/** What is wrong with what `resolve` answered, and nothing of what is in it. */
const notAnEntry = (type: DirectoryType, { faults }: ClinicalError): Error =>
  new Error(`resolve answered what is not a valid ${type}. ${faults.map(sentenceOf).join(' ')}`);

export const createDirectory = (
  environment: Environment,
  { ask, followingOn, chart = null }: DirectoryOptions,
): DirectoryRecords => {
  const { store, now } = environment;
  const following = followingOn(environment);
  const deciding =
    <Type extends DirectoryType>(type: Type, plan: Planning<Type>) =>
    (sent: unknown): Result<Decision<Put<DirectoryEntry[Type]>>> => {
      const kind = directoryKinds[type];
      const input = parseBody(entrySchemas[type], type)(sent, 'strict');
      if (E.isLeft(input)) return TE.left(input.left);
      return async () => {
        const at = now();
        const loaded = await load(store, kind, input.right.id)();
        if (E.isLeft(loaded)) return loaded;
        const planned = await plan(input.right, loaded.right, at)();
        if (E.isLeft(planned)) return planned;
        const { entry, alongside } = planned.right;
        const before = loaded.right.state;
        if (isSameState(before, entry)) return E.right({ changes: [], answer: { before, entry } });
        const others = await alongside();
        if (E.isLeft(others)) return others;
        const change = changeTo(kind, loaded.right, entry, { at, by: null });
        return E.right({ changes: [change, ...others.right], answer: { before, entry } });
      };
    };

  const keep =
    <Type extends DirectoryType>(type: Type, plan: Planning<Type>) =>
    (sent: unknown): Result<DirectoryEntry[Type]> =>
      pipe(
        transact(store)(deciding(type, plan)(sent)),
        TE.map(({ entry }) => entry),
      );

  // What an entry refers to is asked for in its turn.
  const plans = plansOn(store, { following, demanded: (...named) => demanded(...named) });

  const put = <Type extends DirectoryType>(type: Type) => keep(type, plans[type]);
  const putMember =
    <Type extends MemberType>(type: Type) =>
    (sent: unknown) =>
      pipe(
        keep(type, plans[type])(sent),
        TE.tap(({ id }) => following.memberAfterwards(type, id)),
      );

  /**
   * Keeps what `resolve` answers. What an entry says that was put meanwhile stays; an answer of another patient is refused, since
   * to ask again does not help. An answer that is no such entry is the host's fault.
   */
  const fill = <Type extends DirectoryType>(type: Type, answered: object) =>
    pipe(
      keep<Type>(type, (input, before, at) => {
        const ofPatient = 'patientId' in input ? { patientId: input.patientId } : {};
        return plans[type]({ ...input, ...saidIn(before.state), ...ofPatient }, before, at);
      })(answered),
      TE.mapLeft((error) =>
        error._tag === 'InvalidRequest' ? storeFailure('resolve-failed', notAnEntry(type, error)) : error,
      ),
    );

  /** The entry with an id, as one who is limited to a chart sees it: what is in another is not there. */
  const seen = <Type extends DirectoryType>(type: Type, id: string): Result<Loaded<DirectoryEntry[Type]>> => {
    const read = load(store, directoryKinds[type], id);
    if (chart === null) return read;
    const isElsewhere = ({ stored }: Loaded<unknown>) =>
      stored !== null && stored.patientId !== null && stored.patientId !== chart;
    return pipe(
      read,
      TE.map((loaded) => (isElsewhere(loaded) ? absent(id) : loaded)),
    );
  };

  /** Whether the host is asked for it: not for what nobody can have as an id. */
  const isAskedFor = (type: DirectoryType, loaded: Loaded<unknown>): boolean =>
    ask !== undefined && !isPresent(loaded) && canHaveId(type, loaded.id);

  const known: DirectoryRecords['known'] = (type, id) => async () => {
    const loaded = await seen(type, id)();
    if (E.isLeft(loaded) || ask === undefined || !isAskedFor(type, loaded.right)) return loaded;
    const asked = await ask(type, id, chart)();
    if (E.isLeft(asked)) return asked;
    if (asked.right === null) return loaded;
    const kept = await fill(type, asked.right)();
    return E.isLeft(kept) ? kept : seen(type, id)();
  };

  const unknown: DirectoryRecords['unknown'] = (type, ids) =>
    ask === undefined
      ? TE.right([])
      : pipe(
          ids,
          inGroups((id) => seen(type, id)),
          TE.map((loaded) => loaded.filter((one) => isAskedFor(type, one)).map(({ id }) => id)),
        );

  const demanded: Demanded = (type, id, expression) => async () => {
    const loaded = await known(type, id)();
    if (E.isLeft(loaded)) return E.left(toldAt(() => expression)(loaded.left));
    return isPresent(loaded.right)
      ? E.right(loaded.right)
      : E.left(ruleViolation(unknownEntry(type, expression)));
  };

  return {
    decide: {
      Patient: deciding('Patient', plans.Patient),
      Practitioner: deciding('Practitioner', plans.Practitioner),
      Organization: deciding('Organization', plans.Organization),
      Encounter: deciding('Encounter', plans.Encounter),
      Note: deciding('Note', plans.Note),
    },
    putPatient: put('Patient'),
    putPractitioner: putMember('Practitioner'),
    putOrganization: putMember('Organization'),
    putEncounter: put('Encounter'),
    putNote: put('Note'),
    asksHost: ask !== undefined,
    known,
    demanded,
    unknown,
    on: (other, access = {}) =>
      createDirectory({ ...environment, store: other }, { ask, followingOn, chart: chartWithin(access) }),
    read: (type, id) =>
      pipe(
        known(type, id),
        TE.map(({ state }) => state),
      ),
  };
};
