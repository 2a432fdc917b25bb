import * as E from 'fp-ts/lib/Either.js';
import { createImportedCommand } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { isEntryId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import type { ClinicalError } from '../errors.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import { createRecordImporter } from '../importer/record-importer.ts';
import type { ImportContext, ResourceImporter } from '../importer/resource-importer.ts';
import { recordExists } from '../records/load.ts';
import { createCommandPlacer } from './commands.ts';
import { locateAtElements } from './locate-at-elements.ts';
import type { ImmunizationCommand } from './model.ts';
import { defineImmunizationRecord } from './record-definition.ts';
import { createImmunizationSourceReader } from './source-reader.ts';
import { createImmunizationToSource } from './to-source.ts';

/** Whether the patient and the encounter of a command are known. Notes are never imported, so none of them may follow. */
const findsReferences = async (
  { patientId, encounterId }: ImmunizationCommand,
  directory: DirectoryRecords,
): Promise<E.Either<ClinicalError, boolean>> => {
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  if (!recordExists(patient.right)) return E.right(false);
  if (encounterId === undefined) return E.right(true);
  const encounter = await directory.find('Encounter', encounterId);
  // An answer of the host that cannot be imported is known, and wrong.
  if (E.isLeft(encounter)) return encounter.left._tag === 'StoreFailure' ? encounter : E.right(true);
  return E.right(recordExists(encounter.right));
};

/** Imports immunizations into the chart, each in the note that it names, if it can stand there. */
export const createImmunizationImporter = (environment: Environment): ResourceImporter => {
  const placeCommand = createCommandPlacer(environment);

  /** Places a command in the note that it names, or else as if it named none. Null where it has to wait. */
  const placeIfPossible = async (
    command: ImmunizationCommand,
    at: number,
    { directory, isLastPass, createNotes }: ImportContext,
  ) => {
    const placed = await placeCommand(directory, command, at);
    if (E.isRight(placed) || placed.left._tag === 'StoreFailure') return placed;
    if (!isLastPass) {
      const found = await findsReferences(command, directory);
      if (E.isLeft(found)) return found;
      if (!found.right) return E.right(null);
    }
    const { noteId } = command;
    if (noteId === undefined) return placed;
    const withoutNote = { ...command, noteId: undefined };
    if (!createNotes) return placeCommand(directory, withoutNote, at);
    const note = await directory.find('Note', noteId);
    const isFree =
      isEntryId('Note', noteId) && E.isRight(note) && !recordExists(note.right) && !note.right.isErased;
    const newId = isFree ? () => noteId : environment.newId;
    return createCommandPlacer({ ...environment, newId })(directory, withoutNote, at);
  };

  return createRecordImporter(environment)({
    recordDefinition: defineImmunizationRecord(environment),
    read: createImmunizationSourceReader(environment.extensionBase),
    toSource: createImmunizationToSource(environment.extensionBase),
    prepare: async ({ id, command, isInError }, at, context) => {
      const placed = await placeIfPossible(command, at, context);
      if (E.isLeft(placed)) return E.left(locateAtElements(placed.left));
      if (placed.right === null) return E.right(null);
      const { patientId, body, sideChangesOf } = placed.right;
      const status = isInError ? 'entered-in-error' : 'committed';
      const commands = [createImportedCommand(body, { importedAt: at, status })];
      return E.right({ record: { id, patientId, commands }, sideChanges: sideChangesOf(id) });
    },
    complete: async ({ command: { noteId } }, record) => {
      const isKept = noteId === undefined || noteId === record.commands[0]?.body.noteId;
      return E.right({ value: record, issues: isKept ? [] : [leftOutIssue('Immunization.extension')] });
    },
  });
};
