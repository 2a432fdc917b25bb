import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CommandDefinition } from '../chart/command-records.ts';
import { startRecord } from '../chart/start-record.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { load, recordExists } from '../records/load.ts';
import { goalIssue } from './issues.ts';
import { checkGoalStep } from './lifecycle.ts';
import { type GoalCommand, type GoalCommandBody, goalCommand } from './model.ts';
import { goalRecordDefinition } from './record-definition.ts';

const toCommandBody = (command: GoalCommand, newId: () => string): GoalCommandBody => {
  const { achievementStatus, progress, barriers } = command;
  const notes = [progress, barriers].flatMap((text) => (text === undefined ? [] : [{ id: newId(), text }]));
  switch (command.kind) {
    case 'goal': {
      const { kind, description, startDate, priority, dueDate } = command;
      return { kind, description, startDate, achievementStatus, priority, dueDate, notes };
    }
    case 'updateGoal': {
      const { kind, priority, dueDate } = command;
      return { kind, achievementStatus, priority, dueDate, notes };
    }
    case 'closeGoal':
      return { kind: command.kind, achievementStatus, notes };
  }
};

/** Goal commands: one begins a goal, the others belong to the one that they name. */
export const defineGoalCommands = (
  environment: Environment,
  directory: DirectoryRecords,
): CommandDefinition<GoalCommand, GoalCommandBody> => ({
  recordDefinition: goalRecordDefinition,
  commandKinds: goalCommand.options.map(({ shape }) => shape.kind.value),
  steps: ['commit', 'enterInError'],
  schema: goalCommand,
  checkStep: checkGoalStep,
  place: (command) =>
    pipe(
      command.kind === 'goal'
        ? pipe(
            directory.require('Patient', command.patientId, 'patientId'),
            TE.flatMap(() => startRecord(environment, goalRecordDefinition, command.id)),
            TE.map((record) => ({ record, patientId: command.patientId })),
          )
        : pipe(
            load(environment.store, goalRecordDefinition, command.goalId),
            TE.filterOrElse(recordExists, () => ruleViolation(goalIssue('unknown-goal', 'goalId'))),
            TE.map((record) => ({ record, patientId: record.state.patientId })),
          ),
      TE.map((placed) => ({ ...placed, body: toCommandBody(command, environment.newId), sideChanges: [] })),
    ),
});
