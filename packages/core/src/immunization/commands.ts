import * as E from 'fp-ts/lib/Either.js';
import type { CommandDefinition, Placement } from '../chart/command-definition.ts';
import { startRecord } from '../chart/command-records.ts';
import { addToNote, type DirectoryRecords, requireCurrentPatient } from '../directory/directory-records.ts';
import type { DirectoryEntry, DirectoryType } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, relocateIssues, ruleViolation } from '../errors.ts';
import { sentCommonElements, storeCommonElements } from '../fhir/common-elements.ts';
import { normalizeCode } from '../fhir/element.ts';
import { toStoredElement } from '../fhir/stored-element.ts';
import { createVersionCheck, type LoadedRecord, recordExists } from '../records/transact.ts';
import type { RecordChange } from '../store/port.ts';
import {
  type ImmunizationCommand,
  type ImmunizationCommandBody,
  immunizationCommandSchema,
  storeImmunizationElements,
} from './model.ts';
import { defineImmunizationRecord } from './record.ts';
import { checkCommand, placeInNote } from './rules.ts';

/** A vaccine that has only a text is stored with that as an unstructured code. */
const toVaccineCode = ({
  coding,
  ...rest
}: ImmunizationCommand['vaccineCode']): ImmunizationCommandBody['vaccineCode'] => {
  if (coding !== undefined) return { coding, ...rest };
  const { text = '' } = rest;
  return { coding: [{ system: 'unstructured', code: normalizeCode(text), display: text }], ...rest };
};

export const toCommandBody = (
  command: ImmunizationCommand,
  targetNote: Pick<DirectoryEntry['Note'], 'id' | 'encounterId'>,
): ImmunizationCommandBody => {
  const { kind, vaccineCode, occurrenceDateTime, status, statusReason, note } = command;
  return {
    kind,
    status: status ?? (statusReason === undefined ? 'completed' : 'not-done'),
    statusReason,
    vaccineCode: toVaccineCode(vaccineCode),
    occurrenceDateTime,
    note: note?.map(toStoredElement),
    noteId: targetNote.id,
    encounterId: targetNote.encounterId,
    elements: storeImmunizationElements(command),
  };
};

/** Whether a patient is known. A patient whose note or encounter is known is known, unless the patient was erased. */
const isKnownPatient = (
  patient: LoadedRecord<DirectoryEntry['Patient']>,
  entriesOfPatient: readonly (LoadedRecord<{ readonly patientId: string }> | undefined)[],
): boolean =>
  recordExists(patient) ||
  (patient.isErased !== true && entriesOfPatient.some((entry) => entry?.state?.patientId === patient.id));

/** The body of a command, and the changes beside it once its record is decided. */
type PlacementInNote = Pick<Placement<ImmunizationCommandBody>, 'patientId' | 'body' | 'versionChecks'> & {
  readonly sideChangesOf: (id: string) => readonly RecordChange[];
};

/** Places a command in its note, by the entries of a directory to which it refers. */
export const createCommandPlacer =
  ({ newId, zone }: Pick<Environment, 'newId' | 'zone'>) =>
  async (directory: DirectoryRecords, command: ImmunizationCommand, at: number): Outcome<PlacementInNote> => {
    const findEntry = async <Type extends DirectoryType>(type: Type, id: string | undefined) =>
      id === undefined ? E.right<ClinicalError, undefined>(undefined) : directory.find(type, id);
    // The encounter before the note: it may be what brings it.
    const [encounter, storedPatient] = await Promise.all([
      findEntry('Encounter', command.encounterId),
      directory.find('Patient', command.patientId),
    ]);
    if (E.isLeft(encounter)) return E.left(relocateIssues(() => 'encounterId')(encounter.left));
    const note = await findEntry('Note', command.noteId);
    if (E.isLeft(note)) return E.left(relocateIssues(() => 'noteId')(note.left));
    if (E.isLeft(storedPatient)) return storedPatient;
    const patient = requireCurrentPatient(storedPatient.right, 'patientId');
    if (E.isLeft(patient)) return patient;
    const target = placeInNote(
      {
        patientId: command.patientId,
        isPatientKnown: isKnownPatient(patient.right, [note.right, encounter.right]),
        note: note.right?.state,
        encounter: encounter.right?.state,
      },
      { newId, at },
    );
    const issues = checkCommand(command, { zone, at });
    if (E.isLeft(target)) return E.left(ruleViolation([...issues, ...target.left]));
    if (issues.length > 0) return E.left(ruleViolation(issues));
    return E.right({
      patientId: command.patientId,
      body: toCommandBody(command, target.right.note),
      versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
      sideChangesOf: (id) =>
        addToNote(id, { ...target.right, stored: note.right, encounter: encounter.right }, at),
    });
  };

/** Immunize commands and immunization statements: each is one immunization, in a note. */
export const defineImmunizationCommands = (
  environment: Pick<Environment, 'newId' | 'zone' | 'extensionBase' | 'fields'>,
): CommandDefinition<ImmunizationCommand, ImmunizationCommandBody> => {
  const recordDefinition = defineImmunizationRecord(environment);
  const placeCommand = createCommandPlacer(environment);
  return {
    recordDefinition,
    commandKinds: immunizationCommandSchema.shape.kind.options,
    steps: ['commit', 'discard', 'enterInError'],
    schema: immunizationCommandSchema,
    checkStep: () => [],
    closes: () => false,
    toInput: ({ patientId, common }, { kind, encounterId, elements, ...given }) => ({
      kind,
      patientId,
      ...sentCommonElements(common),
      ...given,
      ...(encounterId !== null && { encounterId }),
      ...elements,
    }),
    place: async (directory, command, { at }) => {
      const placed = await placeCommand(directory, command, at);
      if (E.isLeft(placed)) return placed;
      const { newId } = environment;
      const record = await startRecord({ store: directory.store, newId }, recordDefinition, command.id);
      if (E.isLeft(record)) return record;
      const { patientId, body, versionChecks, sideChangesOf } = placed.right;
      const sideChanges = sideChangesOf(record.right.id);
      return E.right({
        record: record.right,
        patientId,
        body,
        common: storeCommonElements(command),
        sideChanges,
        versionChecks,
      });
    },
  };
};
