import * as E from 'fp-ts/lib/Either.js';
import type { CommandDefinition } from '../chart/command-records.ts';
import { startRecord } from '../chart/start-record.ts';
import type { Environment } from '../environment.ts';
import { ruleViolation } from '../errors.ts';
import { load, recordExists } from '../records/load.ts';
import { goalIssue } from './issues.ts';
import { checkGoalStep } from './lifecycle.ts';
import { type GoalCommand, type GoalCommandBody, goalCommand } from './model.ts';
import { defineGoalRecord } from './record-definition.ts';

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
export const defineGoalCommands = ({
  newId,
  zone,
}: Pick<Environment, 'newId' | 'zone'>): CommandDefinition<GoalCommand, GoalCommandBody> => {
  const recordDefinition = defineGoalRecord({ zone });
  return {
    recordDefinition,
    commandKinds: goalCommand.options.map(({ shape }) => shape.kind.value),
    steps: ['commit', 'enterInError'],
    schema: goalCommand,
    checkStep: checkGoalStep,
    place: async (directory, command) => {
      const { store } = directory;
      if (command.kind !== 'goal') {
        const goal = await load(store, recordDefinition, command.goalId);
        if (E.isLeft(goal)) return goal;
        if (!recordExists(goal.right)) return E.left(ruleViolation(goalIssue('unknown-goal', 'goalId')));
        const { patientId } = goal.right.state;
        return E.right({
          record: goal.right,
          patientId,
          body: toCommandBody(command, newId),
          sideChanges: [],
        });
      }
      const { patientId } = command;
      const patient = await directory.require('Patient', patientId, 'patientId');
      if (E.isLeft(patient)) return patient;
      const record = await startRecord({ store, newId }, recordDefinition, command.id);
      if (E.isLeft(record)) return record;
      return E.right({
        record: record.right,
        patientId,
        body: toCommandBody(command, newId),
        sideChanges: [],
      });
    },
  };
};
