import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, ruleViolation } from '../errors.ts';
import { isPresent } from '../fhir/element.ts';
import type { RecordDefinition } from '../records/definition.ts';
import {
  createChange,
  createVersionCheck,
  type ExistingRecord,
  isSameState,
  type LoadedRecord,
  load,
  recordExists,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef, VersionCheck } from '../store/port.ts';
import type { DirectoryFollower, SideChanges } from './directory-records.ts';
import { type DirectoryEntry, type DirectoryInput, type DirectoryType, directoryIssue } from './model.ts';
import { deriveEntry } from './search.ts';

const defineEntryRecord = <Type extends DirectoryType>(
  type: Type,
  patientId: (entry: DirectoryEntry[Type]) => string | null,
  {
    derive = () => null,
    refersTo = () => [],
    withPatient = null,
  }: Partial<Pick<RecordDefinition<DirectoryEntry[Type]>, 'derive' | 'refersTo' | 'withPatient'>>,
): RecordDefinition<DirectoryEntry[Type]> => ({
  type,
  id: ({ id }) => id,
  patientId,
  derive,
  refersTo,
  withPatient,
});

const patientRef = (id: string): RecordRef => ({ type: 'Patient', id });

const withPatient = <Entry extends { readonly patientId: string }>(entry: Entry, _: string, to: string) => ({
  ...entry,
  patientId: to,
});

/** The definitions of the records of entries. */
export type EntryDefinitions = {
  readonly [Type in DirectoryType]: RecordDefinition<DirectoryEntry[Type]>;
};

/** The records of visits, which no search finds. */
export const visitRecordDefinitions: Pick<EntryDefinitions, 'Encounter' | 'Note'> = {
  // Its note need not be there yet.
  Encounter: defineEntryRecord('Encounter', ({ patientId }) => patientId, {
    refersTo: ({ patientId }) => [patientRef(patientId)],
    withPatient,
  }),
  Note: defineEntryRecord('Note', ({ patientId }) => patientId, {
    refersTo: ({ patientId, encounterId }) => [
      patientRef(patientId),
      ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
    ],
    withPatient,
  }),
};

/** The records of the directory. A search finds people and organizations, by the resources that they are shown as. */
export const defineDirectoryRecords = ({ zone }: Pick<Environment, 'zone'>): EntryDefinitions => ({
  Patient: defineEntryRecord('Patient', ({ id }) => id, { derive: deriveEntry('Patient', zone) }),
  Practitioner: defineEntryRecord('Practitioner', () => null, { derive: deriveEntry('Practitioner', zone) }),
  Organization: defineEntryRecord('Organization', () => null, { derive: deriveEntry('Organization', zone) }),
  ...visitRecordDefinitions,
});

/** The optional properties of an entry. One that an input omits stays as it was, and null or an empty array removes it. */
const mergeOptional = <Name extends string, Entry extends { readonly [Key in Name]?: unknown }>(
  input: { readonly [Key in Name]?: unknown },
  before: Entry | null,
  ...names: readonly Name[]
): Pick<Entry, Name> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = input[name] === undefined ? before?.[name] : input[name];
      return value === null || !isPresent(value) ? [] : [[name, value]];
    }),
  ) as Pick<Entry, Name>;

/** The entry that a patient's input becomes: modified now, if the host does not say when, and only if something changed. */
export const mergePatient = (
  { id, lastName, lastModified, ...input }: DirectoryInput['Patient'],
  before: DirectoryEntry['Patient'] | null,
  now: number,
): DirectoryEntry['Patient'] => {
  const entry = {
    id,
    lastName,
    firstName: input.firstName ?? '',
    lastModified: before?.lastModified ?? now,
    ...mergeOptional(input, before, 'birthDate', 'gender', 'deceased', 'identifier'),
    ...(before?.replacedBy !== undefined && { replacedBy: before.replacedBy }),
  };
  if (lastModified !== undefined) return { ...entry, lastModified: new Date(lastModified).getTime() };
  return isSameState(before, entry) ? entry : { ...entry, lastModified: now };
};

/**
 * Merges an encounter's input into the encounter and the note that it names. A note that does not exist yet is created.
 * An encounter keeps its patient and its note.
 */
export const mergeEncounter = (
  { id, patientId, noteId }: DirectoryInput['Encounter'],
  before: DirectoryEntry['Encounter'] | null,
  note: DirectoryEntry['Note'] | null,
): E.Either<
  ClinicalError,
  { encounter: DirectoryEntry['Encounter']; note: DirectoryEntry['Note'] | null }
> => {
  const hasAnother = before?.noteId != null && noteId !== undefined && noteId !== before.noteId;
  const isOfAnother = note?.encounterId != null && note.encounterId !== id;
  const issues = [
    ...(before !== null && before.patientId !== patientId
      ? [directoryIssue('encounter-of-another-patient', 'Encounter.patientId')]
      : []),
    ...(note !== null && note.patientId !== patientId
      ? [directoryIssue('note-of-another-patient', 'Encounter.noteId')]
      : []),
    ...(hasAnother || isOfAnother ? [directoryIssue('note-of-another-encounter', 'Encounter.noteId')] : []),
  ];
  if (issues.length > 0) return E.left(ruleViolation(issues));
  const { title = null, dateOfService = null } = note ?? {};
  return E.right({
    encounter: { id, patientId, noteId: noteId ?? before?.noteId ?? null },
    note: noteId === undefined ? null : { id: noteId, patientId, encounterId: id, title, dateOfService },
  });
};

/** Merges a note's input into the note and its encounter. Each belongs only to the other, and both to one patient. */
export const mergeNote = (
  { id, patientId, ...input }: DirectoryInput['Note'],
  before: DirectoryEntry['Note'] | null,
  encounter: DirectoryEntry['Encounter'] | null,
): E.Either<
  ClinicalError,
  { note: DirectoryEntry['Note']; encounter: DirectoryEntry['Encounter'] | null }
> => {
  const encounterId = input.encounterId ?? before?.encounterId ?? null;
  const hasAnother = before?.encounterId != null && before.encounterId !== encounterId;
  const isOfAnother = encounter?.noteId != null && encounter.noteId !== id;
  const issues = [
    ...(before !== null && before.patientId !== patientId
      ? [directoryIssue('note-of-another-patient', 'Note.patientId')]
      : []),
    ...(encounter !== null && encounter.patientId !== patientId
      ? [directoryIssue('encounter-of-another-patient', 'Note.encounterId')]
      : []),
    ...(hasAnother || isOfAnother ? [directoryIssue('note-of-another-encounter', 'Note.encounterId')] : []),
  ];
  if (issues.length > 0) return E.left(ruleViolation(issues));
  return E.right({
    note: {
      id,
      patientId,
      encounterId,
      title: input.title ?? before?.title ?? null,
      dateOfService: input.dateOfService ?? before?.dateOfService ?? null,
      ...(encounterId === null && before?.immunizationIds && { immunizationIds: before.immunizationIds }),
    },
    encounter: encounter && { ...encounter, noteId: id },
  });
};

/** The next state of an entry, and the changes of other records that follow from it. */
type EntryDecision<Entry> = {
  readonly entry: Entry;
  /** The patient of the entry, who may be merged or erased before the commit. */
  readonly versionChecks?: readonly VersionCheck[];
  readonly sideChanges: () => Outcome<SideChanges>;
};

/** Decides the next state of an entry from the input of a put. */
export type EntryDecider<Type extends DirectoryType> = (
  input: DirectoryInput[Type],
  before: LoadedRecord<DirectoryEntry[Type]>,
  at: number,
) => Outcome<EntryDecision<DirectoryEntry[Type]>>;

/** The entry that an element refers to; a `RuleViolation` if there is none. */
export type RequiredEntryLookup = <Type extends DirectoryType>(
  type: Type,
  id: string,
  expression: string,
) => Outcome<ExistingRecord<DirectoryEntry[Type]>>;

/** The entry to which an input does not refer. */
const noEntry = E.right(null);

const noSideChanges = async (): Outcome<SideChanges> => E.right({ changes: [] });

/** The change of an entry that another brings with it, if there is one and it is a change. */
const changeIfDifferent = <Type extends 'Encounter' | 'Note'>(
  type: Type,
  before: LoadedRecord<DirectoryEntry[Type]> | null,
  { entry, at }: { readonly entry: DirectoryEntry[Type] | null; readonly at: number },
): readonly RecordChange[] =>
  before === null || entry === null || isSameState(before.state, entry)
    ? []
    : [createChange(visitRecordDefinitions[type], before, entry, { at, by: null })];

const addChanges = async (
  changes: readonly RecordChange[],
  sideChanges: Outcome<readonly RecordChange[]>,
): Outcome<SideChanges> =>
  E.map((added: readonly RecordChange[]) => ({ changes: [...changes, ...added] }))(await sideChanges);

/** Decides entries by their types. */
export const createEntryDeciders = (
  store: ClinicalStore,
  { follower, require }: { readonly follower: DirectoryFollower; readonly require: RequiredEntryLookup },
): { readonly [Type in DirectoryType]: EntryDecider<Type> } => ({
  Patient: async (input, before, at) => {
    const entry = mergePatient(input, before.state, at);
    return E.right({ entry, sideChanges: () => follower.onPatient(store, entry, at) });
  },
  // A care team has only members that the directory has: a new member is in no team.
  Practitioner: async ({ id, lastName, firstName, ...input }, before, at) => {
    const identifiers = mergeOptional(input, before.state, 'identifier');
    const entry = { id, lastName, firstName: firstName ?? '', ...identifiers };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Practitioner', entry }, at) : noSideChanges();
    return E.right({ entry, sideChanges });
  },
  Organization: async ({ id, name, ...input }, before, at) => {
    const entry = { id, name, ...mergeOptional(input, before.state, 'identifier') };
    const sideChanges = () =>
      recordExists(before) ? follower.onMember(store, { type: 'Organization', entry }, at) : noSideChanges();
    return E.right({ entry, sideChanges });
  },
  Encounter: async (input, before, at) => {
    const { patientId, noteId } = input;
    const patient = await require('Patient', patientId, 'Encounter.patientId');
    if (E.isLeft(patient)) return patient;
    // The host is not asked for the note, which may name the encounter in its turn.
    const note = noteId === undefined ? noEntry : await load(store, visitRecordDefinitions.Note, noteId);
    if (E.isLeft(note)) return note;
    const merged = mergeEncounter(input, before.state, note.right?.state ?? null);
    if (E.isLeft(merged)) return merged;
    const { encounter: entry, note: after } = merged.right;
    const noteChanges = changeIfDifferent('Note', note.right, { entry: after, at });
    return E.right({
      entry,
      versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
      sideChanges: () =>
        addChanges(noteChanges, follower.onNote(store, { before: note.right?.state ?? null, after }, at)),
    });
  },
  Note: async (input, before, at) => {
    const { patientId, encounterId } = input;
    const patient = await require('Patient', patientId, 'Note.patientId');
    if (E.isLeft(patient)) return patient;
    const encounter =
      encounterId === undefined ? noEntry : await require('Encounter', encounterId, 'Note.encounterId');
    if (E.isLeft(encounter)) return encounter;
    const merged = mergeNote(input, before.state, encounter.right?.state ?? null);
    if (E.isLeft(merged)) return merged;
    const { note: entry, encounter: after } = merged.right;
    const encounterChanges = changeIfDifferent('Encounter', encounter.right, { entry: after, at });
    return E.right({
      entry,
      versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
      sideChanges: () =>
        addChanges(encounterChanges, follower.onNote(store, { before: before.state, after: entry }, at)),
    });
  },
});
