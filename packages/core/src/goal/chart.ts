import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartDefinition } from '../chart/chart-records.ts';
import { newRecord } from '../chart/new-record.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { isPresent, load } from '../records/load.ts';
import { goalFault } from './faults.ts';
import { goalKind } from './kind.ts';
import { goalObjections } from './lifecycle.ts';
import { type GoalCommand, type GoalCommandBody, goalCommand } from './model.ts';

const bodyOf = (command: GoalCommand, newId: () => string): GoalCommandBody => {
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
export const goalChart = (
  environment: Environment,
  directory: DirectoryRecords,
): ChartDefinition<GoalCommand, GoalCommandBody> => ({
  kind: goalKind,
  commandKinds: goalCommand.options.map(({ shape }) => shape.kind.value),
  steps: ['commit', 'enterInError'],
  schema: goalCommand,
  objections: goalObjections,
  place: (command) =>
    pipe(
      command.kind === 'goal'
        ? pipe(
            directory.demanded('Patient', command.patientId, 'patientId'),
            TE.flatMap(() => newRecord(environment, goalKind, command.id)),
            TE.map((record) => ({ record, patientId: command.patientId })),
          )
        : pipe(
            load(environment.store, goalKind, command.goalId),
            TE.filterOrElse(isPresent, () => ruleViolation(goalFault('unknown-goal', 'goalId'))),
            TE.map((record) => ({ record, patientId: record.state.patientId })),
          ),
      TE.map((place) => ({ ...place, body: bodyOf(command, environment.newId), alongside: [] })),
    ),
});
