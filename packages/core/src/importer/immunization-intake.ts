import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { leftOut } from '../fhir/faults.ts';
import { placingInNote } from '../immunization/chart.ts';
import { atElements } from '../immunization/elements.ts';
import { immunizationFromFhir } from '../immunization/from-fhir.ts';
import { immunizationKind } from '../immunization/kind.ts';
import type { ImmunizationCommand } from '../immunization/model.ts';
import type { Intake } from './intake.ts';
import { recordIntake } from './record-intake.ts';

/** What speaks against a note that is known, where the patient or the encounter that it names is not. */
const rulesOfNamed: readonly string[] = ['unknown-patient', 'unknown-encounter'];

/** Takes immunizations into the chart, each in the note that it names, if it can stand there. */
export const immunizationIntake = (environment: Environment, directory: DirectoryRecords): Intake => {
  const placedInNote = placingInNote(environment, directory);

  /** A command in the note that it names, or else as if it named none, unless what the note itself names may follow. */
  const placedIfItCan = async (command: ImmunizationCommand, at: number, mayFollow: boolean) => {
    const placed = await placedInNote(command, at)();
    if (E.isRight(placed) || command.noteId === undefined || placed.left._tag === 'StoreFailure') {
      return placed;
    }
    const lacksOthers = placed.left.faults.some(({ rule }) => rulesOfNamed.includes(rule));
    if (lacksOthers && mayFollow) return placed;
    return placedInNote({ ...command, noteId: undefined }, at)();
  };

  return recordIntake(environment)({
    kind: immunizationKind(environment.extensionBase),
    read: immunizationFromFhir(environment.extensionBase),
    prepare:
      ({ id, command, isInError }, at, mayFollow) =>
      async () => {
        const placed = await placedIfItCan(command, at, mayFollow);
        if (E.isLeft(placed)) return E.left(atElements(placed.left));
        const { patientId, body, alongside } = placed.right;
        const act = { at, by: null };
        const committed = { body, stagedAt: at, committed: { ...act, order: 0 } };
        const commands = [isInError ? { ...committed, enteredInError: act } : committed];
        return E.right({ record: { id, patientId, commands }, alongside });
      },
    lostOf: ({ command: { noteId } }, { commands: [first] }) =>
      TE.right(
        noteId === undefined || noteId === first?.body.noteId ? [] : [leftOut('Immunization.extension')],
      ),
  });
};
