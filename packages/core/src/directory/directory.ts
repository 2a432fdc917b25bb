import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  type ClinicalTask,
  formatIssue,
  relocateIssues,
  ruleViolation,
  storeFailure,
} from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { type ChartLimit, limitedTo } from '../records/chart-limit.ts';
import { type LoadedRecord, load, missingRecord, recordExists } from '../records/load.ts';
import { createChange, isSameState } from '../records/record-change.ts';
import { type Decision, transact } from '../records/transact.ts';
import type { Result, TasksOf } from '../result.ts';
import type { ClinicalStore } from '../store/port.ts';
import { createEntryDeciders, type EntryDecider, type RequiredEntryLookup } from './decide-entry.ts';
import type { DirectoryFollower } from './directory-follower.ts';
import type { HostLookup } from './host-lookup.ts';
import { unknownEntryIssue } from './issues.ts';
import { lookUpInGroups } from './look-up-in-groups.ts';
import {
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  entrySchemas,
  isEntryId,
  memberTypes,
} from './model.ts';
import { directoryRecordDefinitions } from './record-definitions.ts';

/**
 * The host's people, encounters and notes, as far as the chart refers to them.
 *
 * After a `StoreFailure`, put the practitioner or the organization again: some teams may still show the old name.
 */
export type Directory = {
  /**
   * Adds an entry or changes it. Once it answers, a new name shows in every care team. Returns the entry as it is kept.
   * Errors: `InvalidRequest`, `StoreFailure`; of encounters and notes also `RuleViolation`.
   *
   * @example
   * await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
   */
  readonly put: <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ) => Result<DirectoryEntry[Type]>;
  /**
   * The entry as it is kept, or null where there is none: the host is asked for one that is not known yet.
   * Errors: `StoreFailure`; of encounters and notes `RuleViolation`, where what the host answers contradicts what is here.
   */
  readonly read: <Type extends DirectoryType>(type: Type, id: string) => Result<DirectoryEntry[Type] | null>;
};

/** An entry before and after a put; null before where it is new. */
export type EntryChange<Entry> = { readonly before: Entry | null; readonly entry: Entry };

/** What a put writes, decided and not committed yet. Names in care teams follow afterwards, by `DirectoryFollower.memberAfterwards`. */
type PutDeciders = {
  readonly [Type in DirectoryType]: (
    input: DirectoryInput[Type],
  ) => ClinicalTask<Decision<EntryChange<DirectoryEntry[Type]>>>;
};

/** The directory as the services see it. */
export type DirectoryRecords = TasksOf<Directory> & {
  readonly decide: PutDeciders;
  /** The entry with an id; the host is asked for one that is not there yet. */
  readonly find: <Type extends DirectoryType>(
    type: Type,
    id: string,
  ) => ClinicalTask<LoadedRecord<DirectoryEntry[Type]>>;
  readonly require: RequiredEntryLookup;
  /** Whether the host can be asked for what is not known. */
  readonly canAskHost: boolean;
  /** Those of the ids for whom the host would be asked: nobody, where it cannot be asked. */
  readonly findUnknown: (type: DirectoryType, ids: readonly string[]) => ClinicalTask<readonly string[]>;
  /** The same directory on another store, to be asked for one who is limited to a chart: of other charts it knows nothing. */
  readonly onStore: (store: ClinicalStore, limit?: ChartLimit) => DirectoryRecords;
};

/** How the host is asked, and what care teams make of what the directory learns. */
type DirectoryOptions = {
  readonly lookUp: HostLookup | undefined;
  readonly createFollower: (environment: Environment) => DirectoryFollower;
  /** The one chart whose encounters and notes are known; null where all are. */
  readonly onlyPatientId?: string | null;
};

const isMemberType = isOneOf(memberTypes);

/** What an entry says, as far as it says anything. */
const omitNulls = (entry: object | null): object =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([, value]) => value !== null));

/** What is wrong with what `resolve` answered, and nothing of what is in it. */
const invalidAnswer = (type: DirectoryType, { issues }: ClinicalError): Error =>
  new Error(`resolve answered what is not a valid ${type}. ${issues.map(formatIssue).join(' ')}`);

export const createDirectory = (
  environment: Environment,
  { lookUp, createFollower, onlyPatientId = null }: DirectoryOptions,
): DirectoryRecords => {
  const { store, now } = environment;
  const follower = createFollower(environment);
  const decidePut =
    <Type extends DirectoryType>(type: Type, decide: EntryDecider<Type>) =>
    (sent: unknown): ClinicalTask<Decision<EntryChange<DirectoryEntry[Type]>>> => {
      const definition = directoryRecordDefinitions[type];
      const input = createBodyParser(entrySchemas[type], type)(sent, 'strict');
      if (E.isLeft(input)) return TE.left(input.left);
      return async () => {
        const at = now();
        const loaded = await load(store, definition, input.right.id)();
        if (E.isLeft(loaded)) return loaded;
        const decided = await decide(input.right, loaded.right, at)();
        if (E.isLeft(decided)) return decided;
        const { entry, sideChanges } = decided.right;
        const before = loaded.right.state;
        if (isSameState(before, entry)) return E.right({ changes: [], result: { before, entry } });
        const others = await sideChanges();
        if (E.isLeft(others)) return others;
        const change = createChange(definition, loaded.right, entry, { at, by: null });
        return E.right({ changes: [change, ...others.right], result: { before, entry } });
      };
    };

  const putEntry =
    <Type extends DirectoryType>(type: Type, decide: EntryDecider<Type>) =>
    (sent: unknown): ClinicalTask<DirectoryEntry[Type]> =>
      pipe(
        transact(store)(decidePut(type, decide)(sent)),
        TE.map(({ entry }) => entry),
      );

  // What an entry refers to is asked for in its turn.
  const deciders = createEntryDeciders(store, { follower, require: (...named) => require(...named) });

  const put = <Type extends DirectoryType>(
    type: Type,
    sent: DirectoryInput[Type],
  ): ClinicalTask<DirectoryEntry[Type]> => {
    const written = putEntry(type, deciders[type])(sent);
    return isMemberType(type)
      ? pipe(
          written,
          TE.tap(({ id }) => follower.afterMember(type, id)),
        )
      : written;
  };

  /**
   * Keeps what `resolve` answers. What an entry says that was put meanwhile stays; an answer of another patient is refused, since
   * to ask again does not help. An answer that is no such entry is the host's fault.
   */
  const putAnswer = <Type extends DirectoryType>(type: Type, answer: object) =>
    pipe(
      putEntry<Type>(type, (input, before, at) => {
        const ofPatient = 'patientId' in input ? { patientId: input.patientId } : {};
        return deciders[type]({ ...input, ...omitNulls(before.state), ...ofPatient }, before, at);
      })(answer),
      TE.mapLeft((error) =>
        error._tag === 'InvalidRequest' ? storeFailure('resolve-failed', invalidAnswer(type, error)) : error,
      ),
    );

  /** The entry with an id, as one who is limited to a chart sees it: what is in another is not there. */
  const loadVisible = <Type extends DirectoryType>(
    type: Type,
    id: string,
  ): ClinicalTask<LoadedRecord<DirectoryEntry[Type]>> => {
    const read = load(store, directoryRecordDefinitions[type], id);
    if (onlyPatientId === null) return read;
    const isOfOtherChart = ({ stored }: LoadedRecord<unknown>) =>
      stored !== null && stored.patientId !== null && stored.patientId !== onlyPatientId;
    return pipe(
      read,
      TE.map((loaded) => (isOfOtherChart(loaded) ? missingRecord(id) : loaded)),
    );
  };

  /** Whether the host is asked for it: not for what nobody can have as an id. */
  const canLookUp = (type: DirectoryType, loaded: LoadedRecord<unknown>): boolean =>
    lookUp !== undefined && !recordExists(loaded) && isEntryId(type, loaded.id);

  const find: DirectoryRecords['find'] = (type, id) => async () => {
    const loaded = await loadVisible(type, id)();
    if (E.isLeft(loaded) || lookUp === undefined || !canLookUp(type, loaded.right)) return loaded;
    const answer = await lookUp(type, id, onlyPatientId)();
    if (E.isLeft(answer)) return answer;
    if (answer.right === null) return loaded;
    const written = await putAnswer(type, answer.right)();
    return E.isLeft(written) ? written : loadVisible(type, id)();
  };

  const findUnknown: DirectoryRecords['findUnknown'] = (type, ids) =>
    lookUp === undefined
      ? TE.right([])
      : pipe(
          ids,
          lookUpInGroups((id) => loadVisible(type, id)),
          TE.map((loaded) => loaded.filter((one) => canLookUp(type, one)).map(({ id }) => id)),
        );

  const require: RequiredEntryLookup = (type, id, expression) => async () => {
    const loaded = await find(type, id)();
    if (E.isLeft(loaded)) return E.left(relocateIssues(() => expression)(loaded.left));
    return recordExists(loaded.right)
      ? E.right(loaded.right)
      : E.left(ruleViolation(unknownEntryIssue(type, expression)));
  };

  return {
    decide: {
      Patient: decidePut('Patient', deciders.Patient),
      Practitioner: decidePut('Practitioner', deciders.Practitioner),
      Organization: decidePut('Organization', deciders.Organization),
      Encounter: decidePut('Encounter', deciders.Encounter),
      Note: decidePut('Note', deciders.Note),
    },
    put,
    canAskHost: lookUp !== undefined,
    find,
    require,
    findUnknown,
    onStore: (other, limit = {}) =>
      createDirectory(
        { ...environment, store: other },
        { lookUp, createFollower, onlyPatientId: limitedTo(limit) },
      ),
    read: (type, id) =>
      pipe(
        find(type, id),
        TE.map(({ state }) => state),
      ),
  };
};
