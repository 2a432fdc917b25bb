import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import { createCommandPlacer } from '../immunization/commands.ts';
import { createImmunizationSourceReader } from '../immunization/import.ts';
import { locateAtElements } from '../immunization/issue-privacy.ts';
import type { ImmunizationCommand } from '../immunization/model.ts';
import { defineImmunizationRecord } from '../immunization/record-definition.ts';
import { createRecordImporter } from './record-importer.ts';
import type { ResourceImporter } from './resource-importer.ts';

/** What speaks against a note that is known, where the patient or the encounter that it names is not. */
const unknownReferenceRules: readonly string[] = ['unknown-patient', 'unknown-encounter'];

/** Takes immunizations into the chart, each in the note that it names, if it can stand there. */
export const createImmunizationImporter = (
  environment: Environment,
  directory: DirectoryRecords,
): ResourceImporter => {
  const placeCommand = createCommandPlacer(environment, directory);

  /** A command in the note that it names, or else as if it named none, unless what the note itself names may follow. */
  const placeIfPossible = async (command: ImmunizationCommand, at: number, mayFollow: boolean) => {
    const placed = await placeCommand(command, at)();
    if (E.isRight(placed) || command.noteId === undefined || placed.left._tag === 'StoreFailure') {
      return placed;
    }
    const lacksOthers = placed.left.issues.some(({ rule }) => unknownReferenceRules.includes(rule));
    if (lacksOthers && mayFollow) return placed;
    return placeCommand({ ...command, noteId: undefined }, at)();
  };

  return createRecordImporter(environment)({
    recordDefinition: defineImmunizationRecord(environment.extensionBase),
    read: createImmunizationSourceReader(environment.extensionBase),
    prepare:
      ({ id, command, isInError }, at, mayFollow) =>
      async () => {
        const placed = await placeIfPossible(command, at, mayFollow);
        if (E.isLeft(placed)) return E.left(locateAtElements(placed.left));
        const { patientId, body, sideChanges } = placed.right;
        const authorship = { at, by: null };
        const committed = { body, stagedAt: at, committed: { ...authorship, order: 0 } };
        const commands = [isInError ? { ...committed, enteredInError: authorship } : committed];
        return E.right({ record: { id, patientId, commands }, sideChanges });
      },
    complete: ({ command: { noteId } }, record) => {
      const isKept = noteId === undefined || noteId === record.commands[0]?.body.noteId;
      return TE.right({ value: record, issues: isKept ? [] : [leftOutIssue('Immunization.extension')] });
    },
  });
};
