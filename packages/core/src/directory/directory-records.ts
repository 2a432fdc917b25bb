import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  formatIssue,
  misuse,
  type Outcome,
  relocateIssues,
  ruleViolation,
} from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { lookUpInGroups } from '../records/include.ts';
import {
  createChange,
  type Decision,
  ensureNotBackdated,
  type ImportMark,
  isSameState,
  type LoadedRecord,
  load,
  markChangedHere,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';
import {
  createEntryDeciders,
  type EntryDecider,
  type EntryDefinitions,
  type RequiredEntryLookup,
  visitRecordDefinitions,
} from './decide-entry.ts';
import type { HostLookup } from './host-lookup.ts';
import {
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  directoryIssue,
  entrySchemas,
  isEntryId,
  type MemberType,
  unknownEntryIssue,
  type WithImportMark,
} from './model.ts';

/** The directory on a store, as the services use it. */
export type DirectoryRecords = {
  readonly store: ClinicalStore;
  readonly decide: PutDeciders;
  /**
   * Finds the entry with an id. The host is asked for an entry that is not there yet. With a limit, an answer that contradicts
   * stored entries counts as missing.
   */
  readonly find: <Type extends DirectoryType>(
    type: Type,
    id: string,
  ) => Outcome<LoadedRecord<DirectoryEntry[Type]>>;
  readonly require: RequiredEntryLookup;
  /** Whether there is a host that can be asked for unknown entries. */
  readonly canAskHost: boolean;
  /** Returns the ids for which the host would be asked: none, if there is no host to ask. */
  readonly findUnknown: (type: DirectoryType, ids: readonly string[]) => Outcome<readonly string[]>;
  /** The same directory on another store. With patients, it shows only encounters and notes of theirs. */
  readonly onStore: (store: ClinicalStore, onlyPatientIds?: ReadonlySet<string> | null) => DirectoryRecords;
};

type DirectoryOptions = {
  readonly definitions: EntryDefinitions;
  readonly lookUp: HostLookup | undefined;
  readonly follower: DirectoryFollower;
  /** The charts whose encounters and notes are shown; null where all are. */
  readonly onlyPatientIds?: ReadonlySet<string> | null;
};

/** Refuses an entry of a patient who was merged into another one: the chart is no longer written under this id. */
export const requireCurrentPatient = <Loaded extends { readonly state: unknown }>(
  loaded: Loaded,
  expression: string,
): E.Either<ClinicalError, Loaded> => {
  const { state } = loaded;
  const isReplaced = typeof state === 'object' && state !== null && 'replacedBy' in state;
  return isReplaced ? E.left(ruleViolation(directoryIssue('replaced-patient', expression))) : E.right(loaded);
};

/** The note that gets an immunization, and the records of the note and its encounter as far as they were read. */
type ImmunizationNote = {
  readonly note: DirectoryEntry['Note'];
  readonly isNew: boolean;
  readonly stored?: LoadedRecord<DirectoryEntry['Note']> | undefined;
  readonly encounter?: LoadedRecord<DirectoryEntry['Encounter']> | undefined;
};

/** A note lists its immunizations until it has an encounter, which they get then. */
const withImmunization = (note: DirectoryEntry['Note'], id: string): DirectoryEntry['Note'] =>
  note.encounterId === null ? { ...note, immunizationIds: [...(note.immunizationIds ?? []), id] } : note;

/** The changes that put an immunization into a note. A new note of an encounter also changes the encounter. */
export const addToNote = (
  immunizationId: string,
  { note, isNew, stored = missingRecord(note.id), encounter }: ImmunizationNote,
  at: number,
): readonly RecordChange[] => {
  const { Note, Encounter } = visitRecordDefinitions;
  const authorship = { at, by: null };
  const next = withImmunization(note, immunizationId);
  if (!isNew && next === note) return [];
  const noteChange = createChange(Note, stored, next, authorship);
  return !isNew || encounter === undefined || !recordExists(encounter)
    ? [noteChange]
    : [noteChange, createChange(Encounter, encounter, { ...encounter.state, noteId: note.id }, authorship)];
};

/** The changes of other records in the commit of an entry, and the version checks for them. */
export type SideChanges = Pick<Decision<unknown>, 'changes' | 'versionChecks'>;

/** Carries the names of the directory to the care teams, and the encounters of notes to the immunizations. */
export type DirectoryFollower = {
  /** The changes of the commit that writes a patient: a new team, or a new name in the team. */
  readonly onPatient: (
    store: ClinicalStore,
    entry: DirectoryEntry['Patient'],
    at: number,
  ) => Outcome<SideChanges>;
  /** The changes of the commit that writes a member who was there before. */
  readonly onMember: <Type extends MemberType>(
    store: ClinicalStore,
    member: { readonly type: Type; readonly entry: DirectoryEntry[Type] },
    at: number,
  ) => Outcome<SideChanges>;
  /** The changes of the commit that writes a note. If it gets its encounter, the immunizations in it get the encounter, too. */
  readonly onNote: (
    store: ClinicalStore,
    note: { readonly before: DirectoryEntry['Note'] | null; readonly after: DirectoryEntry['Note'] | null },
    at: number,
  ) => Outcome<readonly RecordChange[]>;
  /** Renames a member in the teams that the commit did not change. */
  readonly afterMember: (store: ClinicalStore, type: MemberType, id: string) => Outcome<unknown>;
};

/** An entry before and after a put; null before where it is new. */
type EntryChange<Entry> = { readonly before: Entry | null; readonly entry: Entry };

type PutDecision<Type extends DirectoryType> = () => Outcome<Decision<EntryChange<DirectoryEntry[Type]>>>;

/** How an entry that is not put by the host is written. */
type PutOptions = {
  /** Elements that an input omits stay, or are removed; or the input only adds those that the entry lacks. */
  readonly mode?: 'merge' | 'replace' | 'complete';
  /** The mark of an import; null where it leaves the one that is there. */
  readonly imported?: ImportMark | null;
};

/** Parse an input and return its decision. The names in care teams follow afterwards, by `DirectoryFollower.afterMember`. */
type PutDeciders = {
  readonly [Type in DirectoryType]: (input: DirectoryInput[Type], options?: PutOptions) => PutDecision<Type>;
};

/** The next state of an entry with its mark: a put changes here what an import has written. */
const withMark = <Entry extends object>(
  before: Entry | null,
  after: Entry,
  imported: ImportMark | null | undefined,
): Entry => {
  const mark = imported ?? (before as WithImportMark | null)?.imported;
  if (mark === undefined) return after;
  const entry = { ...after, imported: mark };
  return imported !== undefined || isSameState(before, entry) ? entry : markChangedHere(entry);
};

const omitMissing = (entry: object | null): object =>
  Object.fromEntries(Object.entries(entry ?? {}).filter(([, value]) => value != null));

/** The elements that an entry can be without. */
const noElements = { birthDate: null, gender: null, deceased: null, identifier: null };

/** The input as the deciders take it, who keep what it omits. A chart that it names must be that of the entry. */
const toMergedInput = <Input extends object>(
  input: Input,
  before: object | null,
  mode: PutOptions['mode'],
): Input => {
  if (mode === 'replace') return { ...noElements, ...omitMissing(input) } as Input;
  if (mode !== 'complete') return input;
  const ofPatient = 'patientId' in input ? { patientId: input.patientId } : {};
  return { ...input, ...omitMissing(before), ...ofPatient };
};

/** Says what is wrong with an answer of `resolve`, and shows none of its values. */
const invalidAnswer = (type: DirectoryType, { issues }: ClinicalError) =>
  misuse(`resolve() did not return a valid ${type}. ${issues.map(formatIssue).join(' ')}`);

/** Makes the decision on an entry that is put, of which a decider decides what the entry becomes. */
const createPutDecider =
  (store: ClinicalStore, now: Environment['now'], definitions: EntryDefinitions) =>
  <Type extends DirectoryType>(type: Type, decide: EntryDecider<Type>) =>
  (sent: unknown, { mode, imported }: PutOptions = {}): PutDecision<Type> => {
    const definition = definitions[type];
    const input = createBodyParser(entrySchemas[type], type)(sent, 'strict');
    return async () => {
      if (E.isLeft(input)) return input;
      const loaded = await load(store, definition, input.right.id);
      if (E.isLeft(loaded)) return loaded;
      const authorship = ensureNotBackdated(loaded.right, { at: now(), by: null });
      const merged = toMergedInput(input.right, loaded.right.state, mode);
      const decided = await decide(merged, loaded.right, authorship.at);
      if (E.isLeft(decided)) return decided;
      const { versionChecks = [], sideChanges } = decided.right;
      const before = loaded.right.state;
      const entry = withMark(before, decided.right.entry, imported);
      if (isSameState(before, entry)) return E.right({ changes: [], result: { before, entry } });
      const added = await sideChanges();
      if (E.isLeft(added)) return added;
      const change = createChange(definition, loaded.right, entry, authorship);
      return E.right({
        changes: [change, ...added.right.changes],
        versionChecks: [...versionChecks, ...(added.right.versionChecks ?? [])],
        result: { before, entry },
      });
    };
  };

/**
 * Writes an answer of `resolve`. The properties of an entry that was put in between stay. An answer of another patient is
 * refused, since to ask again does not help; an answer that is not a valid entry is a `Misuse`.
 */
const createAnswerWriter =
  (
    store: ClinicalStore,
    decide: Readonly<
      Record<DirectoryType, (sent: unknown, options: PutOptions) => PutDecision<DirectoryType>>
    >,
  ) =>
  async (type: DirectoryType, answer: object): Outcome<unknown> => {
    const written = await transact(store, null)(decide[type](answer, { mode: 'complete' }));
    return E.isLeft(written) && written.left._tag === 'InvalidRequest'
      ? E.left(invalidAnswer(type, written.left))
      : written;
  };

/** Loads an entry. With a limit, an entry of another chart is missing. */
const createVisibleLoad =
  (store: ClinicalStore, definitions: EntryDefinitions, onlyPatientIds: ReadonlySet<string> | null) =>
  async <Type extends DirectoryType>(type: Type, id: string): Outcome<LoadedRecord<DirectoryEntry[Type]>> => {
    const loaded = await load(store, definitions[type], id);
    if (onlyPatientIds === null || E.isLeft(loaded)) return loaded;
    const patientId = loaded.right.stored?.patientId ?? null;
    return patientId === null || onlyPatientIds.has(patientId) ? loaded : E.right(missingRecord(id));
  };

/** Whether the host is asked for an entry: not for one that was erased, or where no entry can have the id. */
const isLookedUp = (type: DirectoryType, loaded: LoadedRecord<unknown>): boolean =>
  !recordExists(loaded) && !loaded.isErased && isEntryId(type, loaded.id);

/** Finds entries. The host is asked about an entry that is not there yet. */
const createHostFind =
  (
    lookUp: HostLookup,
    loadVisible: DirectoryRecords['find'],
    {
      putAnswer,
      onlyPatientIds,
    }: {
      readonly putAnswer: ReturnType<typeof createAnswerWriter>;
      readonly onlyPatientIds: ReadonlySet<string> | null;
    },
  ): DirectoryRecords['find'] =>
  async (type, id) => {
    const loaded = await loadVisible(type, id);
    if (E.isLeft(loaded) || !isLookedUp(type, loaded.right)) return loaded;
    const answer = await lookUp(type, id, onlyPatientIds);
    if (E.isLeft(answer)) return answer;
    if (answer.right === null) return loaded;
    const written = await putAnswer(type, answer.right);
    if (E.isRight(written)) return loadVisible(type, id);
    // The answer may contradict an entry of another chart, and a limited directory reveals nothing of other charts.
    return onlyPatientIds !== null && written.left._tag === 'RuleViolation' ? E.right(loaded.right) : written;
  };

export const createDirectoryRecords = (
  { store, now }: Pick<Environment, 'store' | 'now'>,
  { definitions, lookUp, follower, onlyPatientIds = null }: DirectoryOptions,
): DirectoryRecords => {
  const decidePut = createPutDecider(store, now, definitions);
  // The entries that an entry refers to are asked for in turn.
  const deciders = createEntryDeciders(store, { follower, require: (...named) => require(...named) });
  const decide = {
    Patient: decidePut('Patient', deciders.Patient),
    Practitioner: decidePut('Practitioner', deciders.Practitioner),
    Organization: decidePut('Organization', deciders.Organization),
    Encounter: decidePut('Encounter', deciders.Encounter),
    Note: decidePut('Note', deciders.Note),
  };
  const putAnswer = createAnswerWriter(store, decide);
  const loadVisible = createVisibleLoad(store, definitions, onlyPatientIds);
  const find =
    lookUp === undefined ? loadVisible : createHostFind(lookUp, loadVisible, { putAnswer, onlyPatientIds });

  const findUnknown: DirectoryRecords['findUnknown'] = async (type, ids) => {
    if (lookUp === undefined) return E.right([]);
    const loaded = await lookUpInGroups((id: string) => loadVisible(type, id))(ids);
    return E.isLeft(loaded)
      ? loaded
      : E.right(loaded.right.filter((record) => isLookedUp(type, record)).map(({ id }) => id));
  };

  const require: RequiredEntryLookup = async (type, id, expression) => {
    const loaded = await find(type, id);
    if (E.isLeft(loaded)) return E.left(relocateIssues(() => expression)(loaded.left));
    return recordExists(loaded.right)
      ? requireCurrentPatient(loaded.right, expression)
      : E.left(ruleViolation(unknownEntryIssue(type, expression)));
  };

  return {
    store,
    decide,
    find,
    require,
    canAskHost: lookUp !== undefined,
    findUnknown,
    onStore: (otherStore, patientIds = null) =>
      createDirectoryRecords(
        { store: otherStore, now },
        { definitions, lookUp, follower, onlyPatientIds: patientIds },
      ),
  };
};
