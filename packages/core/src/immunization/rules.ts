import * as E from 'fp-ts/lib/Either.js';
import {
  type DirectoryEntry,
  type DirectoryRule,
  directoryIssue,
  unknownEntryIssue,
} from '../directory/model.ts';
import {
  bodyNotSupported,
  type ClinicalError,
  createIssueFactory,
  type Issue,
  notSupported,
  relocateIssues,
  ruleViolation,
} from '../errors.ts';
import { formatInstant, parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { readReferenceId } from '../fhir/reference.ts';
import { type ExistingRecord, type LoadedRecord, recordExists } from '../records/transact.ts';
import type { ImmunizationCreateBody, ImmunizationUpdateBody } from './bodies.ts';
import type { ImmunizationCommand, ImmunizationRecord } from './model.ts';

export const immunizationIssues = {
  'create-statement-only': 'Must be false: an Immunize command cannot be created here.',
  'create-completed-only': 'A new immunization must have the status completed.',
  'note-and-encounter-differ': 'The note does not belong to the encounter.',
  'reason-of-not-done': 'Allowed only with the status not-done.',
  'entered-in-error-only': 'Must be entered-in-error: an immunization cannot be changed in any other way.',
  'unknown-immunization': 'There is no such immunization, and an update cannot create one.',
  'statement-only':
    'Only an immunization statement can be marked as entered in error here, not an Immunize command.',
  'patient-differs': 'The immunization belongs to another patient.',
  'note-differs': 'The immunization is not in this note.',
  'encounter-differs': 'The immunization does not belong to this encounter.',
  'in-the-future': 'The date is more than two days in the future.',
  'note-full': 'The note has 200 immunizations, as many as a note without an encounter can have.',
} as const;

type ImmunizationRule = keyof typeof immunizationIssues;

const immunizationIssue = createIssueFactory(immunizationIssues);

type Note = DirectoryEntry['Note'];
type Encounter = DirectoryEntry['Encounter'];

/** The directory entries that a command names: undefined if it names none, null if the entry does not exist. */
export type ReferencedEntries = {
  readonly patientId: string;
  readonly isPatientKnown: boolean;
  /** The note that the command names. */
  readonly note: Note | null | undefined;
  /** The encounter that the command names. */
  readonly encounter: Encounter | null | undefined;
};

/** An issue that keeps a command from its place in the notes. */
type PlacementIssue = Issue<ImmunizationRule | DirectoryRule>;

/** The note that contains a command. */
export type TargetNote = {
  readonly note: Note;
  /** Whether the note is created together with the command. */
  readonly isNew: boolean;
};

/** The most immunizations that wait in a note for its encounter. The commit that gives them one writes them all. */
const maxInNote = 200;

const isFull = ({ encounterId, immunizationIds = [] }: Note): boolean =>
  encounterId === null && immunizationIds.length >= maxInNote;

/**
 * Reports nothing else about an entry of another patient: whether a note and an encounter differ would reveal what is in that
 * chart.
 */
const issuesOfEntries = ({
  patientId,
  isPatientKnown,
  note,
  encounter,
}: ReferencedEntries): readonly PlacementIssue[] => {
  const isOfPatient = (entry: { readonly patientId: string }) => entry.patientId === patientId;
  return [
    ...(isPatientKnown ? [] : [unknownEntryIssue('Patient', 'patientId')]),
    ...(note === null ? [unknownEntryIssue('Note', 'noteId')] : []),
    ...(note && !isOfPatient(note) ? [directoryIssue('note-of-another-patient', 'noteId')] : []),
    ...(encounter === null ? [unknownEntryIssue('Encounter', 'encounterId')] : []),
    ...(encounter && !isOfPatient(encounter)
      ? [directoryIssue('encounter-of-another-patient', 'encounterId')]
      : []),
    ...(note && encounter && isOfPatient(note) && isOfPatient(encounter) && note.encounterId !== encounter.id
      ? [immunizationIssue('note-and-encounter-differ', 'noteId')]
      : []),
    ...(note && isOfPatient(note) && isFull(note) ? [immunizationIssue('note-full', 'noteId')] : []),
  ];
};

/**
 * Chooses the note of a command: the named note, or the note of the named encounter, which is created if it does not exist.
 * If neither is named, it is a Data Import note dated at ingestion. Source: docs/http-interface.md#immunization.
 */
export const placeInNote = (
  entries: ReferencedEntries,
  { newId, at }: { readonly newId: () => string; readonly at: number },
): E.Either<readonly PlacementIssue[], TargetNote> => {
  const issues = issuesOfEntries(entries);
  if (issues.length > 0) return E.left(issues);
  const { patientId, note, encounter } = entries;
  if (note) return E.right({ note, isNew: false });
  if (!encounter) {
    const dated = { title: 'Data Import', dateOfService: formatInstant(at) };
    return E.right({ note: { id: newId(), patientId, encounterId: null, ...dated }, isNew: true });
  }
  const ofEncounter = { patientId, encounterId: encounter.id, title: null, dateOfService: null };
  return E.right({
    note: { id: encounter.noteId ?? newId(), ...ofEncounter },
    isNew: encounter.noteId === null,
  });
};

/** Refuses an immunization that was administered here. Source: docs/http-interface.md#immunization. */
export const requireCreatable = ({ primarySource }: ImmunizationCreateBody): E.Either<ClinicalError, void> =>
  primarySource
    ? E.left(bodyNotSupported(immunizationIssue('create-statement-only', 'Immunization.primarySource')))
    : E.right(undefined);

/** Finds the rules that a body breaks, whatever is in the chart. Source: docs/http-interface.md#immunization. */
export const checkCreate = ({ status, statusReason }: ImmunizationCreateBody): readonly Issue[] => [
  ...(status === 'completed' ? [] : [immunizationIssue('create-completed-only', 'Immunization.status')]),
  ...(statusReason === undefined
    ? []
    : [immunizationIssue('reason-of-not-done', 'Immunization.statusReason')]),
];

/** How far ahead a vaccine can be dated: to the end of tomorrow, wherever on earth that is. In milliseconds. */
const maxAhead = 2 * 24 * 60 * 60 * 1_000;

/** Finds the rules that a command breaks by itself. */
export const checkCommand = (
  { status, statusReason, occurrenceDateTime }: ImmunizationCommand,
  { zone, at }: { readonly zone: TimeZone; readonly at: number },
): readonly Issue<ImmunizationRule>[] => {
  const begins = parseInterval(occurrenceDateTime, zone)?.from ?? at;
  return [
    ...(statusReason !== undefined && status === 'completed'
      ? [immunizationIssue('reason-of-not-done', 'statusReason')]
      : []),
    ...(begins - at > maxAhead ? [immunizationIssue('in-the-future', 'occurrenceDateTime')] : []),
  ];
};

const elementByField: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
  occurrenceDateTime: 'Immunization.occurrenceDateTime',
};

/** Locates the issues of a command at the elements of its resource. */
export const locateAtElements = relocateIssues((field) => elementByField[field] ?? field);

/** Refuses every change but the one to entered-in-error. */
export const requireRetraction = ({ status }: ImmunizationUpdateBody): E.Either<ClinicalError, void> =>
  status === 'entered-in-error'
    ? E.right(undefined)
    : E.left(bodyNotSupported(immunizationIssue('entered-in-error-only', 'Immunization.status')));

/** Returns the record if it is a statement, which a PUT can mark as entered in error. */
export const requireStatement = (
  loaded: LoadedRecord<ImmunizationRecord>,
): E.Either<ClinicalError, ExistingRecord<ImmunizationRecord>> => {
  const command = loaded.state?.commands[0];
  if (!recordExists(loaded) || command?.committed == null) {
    return E.left(notSupported(immunizationIssue('unknown-immunization', 'Immunization.id')));
  }
  return command.body.kind === 'immunizationStatement'
    ? E.right(loaded)
    : E.left(notSupported(immunizationIssue('statement-only', 'Immunization.primarySource')));
};

/** Refuses references that are not the statement's own. Other differences are ignored. */
export const requireSameReferences = (
  { patient, extension: [note] = [], encounter }: ImmunizationUpdateBody,
  { patientId, commands: [command] }: ImmunizationRecord,
): E.Either<ClinicalError, void> => {
  const issues = [
    ...(readReferenceId(patient) === patientId ? [] : [immunizationIssue('patient-differs', 'patientId')]),
    ...(note === undefined || note.valueId === command?.body.noteId
      ? []
      : [immunizationIssue('note-differs', 'noteId')]),
    ...(encounter === undefined || readReferenceId(encounter) === command?.body.encounterId
      ? []
      : [immunizationIssue('encounter-differs', 'encounterId')]),
  ];
  return issues.length === 0 ? E.right(undefined) : E.left(locateAtElements(ruleViolation(issues)));
};
