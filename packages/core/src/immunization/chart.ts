import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartDefinition, Placement } from '../chart/chart-records.ts';
import { newRecord } from '../chart/new-record.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { DirectoryEntry, DirectoryType } from '../directory/model.ts';
import { newNote } from '../directory/new-note.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Fault, type Result, ruleViolation, toldAt } from '../errors.ts';
import { intervalOf } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { isPresent, type Loaded } from '../records/load.ts';
import { immunizationFault } from './faults.ts';
import { immunizationKind } from './kind.ts';
import { type ImmunizationBody, type ImmunizationCommand, immunizationCommand } from './model.ts';
import { placeInNote } from './placement.ts';

const bodyOf = (command: ImmunizationCommand, place: DirectoryEntry['Note']): ImmunizationBody => {
  const { kind, vaccineCode, occurrenceDateTime, status, statusReason, note } = command;
  return {
    kind,
    status: status ?? (statusReason === undefined ? 'completed' : 'not-done'),
    statusReason,
    vaccineCode,
    occurrenceDateTime,
    note,
    noteId: place.id,
    encounterId: place.encounterId,
  };
};

/** How far ahead a vaccine can be dated: to the end of tomorrow, wherever on earth that is. In milliseconds. */
const mostAhead = 2 * 24 * 60 * 60 * 1_000;

/** What speaks against a command, whomever it names. */
const faultsOf = (
  { status, statusReason, occurrenceDateTime }: ImmunizationCommand,
  { zone, at }: { readonly zone: TimeZone; readonly at: number },
): readonly Fault[] => {
  const begins = intervalOf(occurrenceDateTime, zone)?.from ?? at;
  return [
    ...(statusReason !== undefined && status === 'completed'
      ? [immunizationFault('reason-of-not-done', 'statusReason')]
      : []),
    ...(begins - at > mostAhead ? [immunizationFault('in-the-future', 'occurrenceDateTime')] : []),
  ];
};

/** What a command becomes, and what is written beside it; which record it stands in is decided elsewhere. */
type PlacedInNote = Omit<Placement<ImmunizationBody>, 'record'>;

/** Places a command in its note, by what the directory knows of those whom it names. */
export const placingInNote = (
  environment: Environment,
  directory: DirectoryRecords,
): ((command: ImmunizationCommand, at: number) => Result<PlacedInNote>) => {
  const entryNamed = <Type extends DirectoryType>(type: Type, id: string | undefined) =>
    id === undefined ? TE.right<ClinicalError, undefined>(undefined) : directory.known(type, id);
  /** Whether a patient is known. A patient whose note or encounter is known is known. */
  const isKnownPatient = (
    patientId: string,
    theirs: readonly (Loaded<{ readonly patientId: string }> | undefined)[],
  ): Result<boolean> =>
    theirs.some((one) => one?.state?.patientId === patientId)
      ? TE.right(true)
      : pipe(directory.known('Patient', patientId), TE.map(isPresent));

  return (command, at) => async () => {
    // The encounter first: it may be what brings the note.
    const encounter = await entryNamed('Encounter', command.encounterId)();
    if (E.isLeft(encounter)) return E.left(toldAt(() => 'encounterId')(encounter.left));
    const note = await entryNamed('Note', command.noteId)();
    if (E.isLeft(note)) return E.left(toldAt(() => 'noteId')(note.left));
    const isPatientKnown = await isKnownPatient(command.patientId, [note.right, encounter.right])();
    if (E.isLeft(isPatientKnown)) return isPatientKnown;
    const place = placeInNote(
      {
        patientId: command.patientId,
        isPatientKnown: isPatientKnown.right,
        note: note.right?.state,
        encounter: encounter.right?.state,
      },
      { newId: environment.newId, at },
    );
    const faults = faultsOf(command, { zone: environment.zone, at });
    if (E.isLeft(place)) return E.left(ruleViolation([...faults, ...place.left]));
    if (faults.length > 0) return E.left(ruleViolation(faults));
    return E.right({
      patientId: command.patientId,
      body: bodyOf(command, place.right.note),
      alongside: place.right.isNew ? newNote(place.right.note, encounter.right, at) : [],
    });
  };
};

/** Immunize commands and immunization statements: each is one immunization, and stands in a note. */
export const immunizationChart = (
  environment: Environment,
  directory: DirectoryRecords,
): ChartDefinition<ImmunizationCommand, ImmunizationBody> => {
  const kind = immunizationKind(environment.extensionBase);
  const placedInNote = placingInNote(environment, directory);
  return {
    kind,
    commandKinds: immunizationCommand.shape.kind.options,
    steps: ['commit', 'enterInError'],
    schema: immunizationCommand,
    objections: () => [],
    place: (command, at) => async () => {
      const placed = await placedInNote(command, at)();
      if (E.isLeft(placed)) return placed;
      const record = await newRecord(environment, kind, command.id)();
      return E.isLeft(record) ? record : E.right({ ...placed.right, record: record.right });
    },
  };
};
