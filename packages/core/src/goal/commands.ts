import * as E from 'fp-ts/lib/Either.js';
import type { CommandDefinition } from '../chart/command-definition.ts';
import { startRecord } from '../chart/command-records.ts';
import type { Environment } from '../environment.ts';
import { sentCommonElements, storeCommonElements } from '../fhir/common-elements.ts';
import { isPresent } from '../fhir/element.ts';
import { toStoredElement } from '../fhir/stored-element.ts';
import { createVersionCheck, load, recordExists } from '../records/transact.ts';
import { storeGoalElements } from './elements.ts';
import {
  type GoalCommand,
  type GoalCommandBody,
  type GoalNote,
  type GoalRecord,
  goalCommandSchema,
} from './model.ts';
import { defineGoalRecord, isDiscarded } from './record.ts';
import { checkGoalStep, requireOwnExpression, unknownGoalError } from './rules.ts';

const toCommandBody = (command: GoalCommand, newId: () => string): GoalCommandBody => {
  const { achievementStatus, progress, barriers } = command;
  const notes: readonly GoalNote[] = [
    ...(progress === undefined ? [] : [{ id: newId(), text: progress }]),
    ...(barriers === undefined ? [] : [{ id: newId(), text: barriers, isBarriers: true as const }]),
  ];
  switch (command.kind) {
    case 'goal': {
      const { kind, description, descriptionCoding, startDate, target, priority, dueDate } = command;
      const { statusDate, statusReason } = command;
      return {
        kind,
        description,
        descriptionCoding: isPresent(descriptionCoding) ? descriptionCoding : undefined,
        startDate,
        statusDate,
        statusReason,
        target: target && toStoredElement(target),
        achievementStatus,
        priority,
        dueDate,
        notes,
        elements: storeGoalElements(command),
      };
    }
    case 'updateGoal': {
      const { kind, priority, dueDate } = command;
      return { kind, achievementStatus, priority, dueDate, notes };
    }
    case 'closeGoal': {
      const { kind, statusDate, statusReason } = command;
      return { kind, statusDate, statusReason, achievementStatus, notes };
    }
  }
};

/** The comments of a command as they could be sent again. An imported goal can have several. */
const toComments = (notes: readonly GoalNote[]) => {
  const joinTexts = (some: readonly GoalNote[]) => some.map(({ text }) => text).join('\n');
  const progress = joinTexts(notes.filter(({ isBarriers }) => isBarriers !== true));
  const barriers = joinTexts(notes.filter(({ isBarriers }) => isBarriers === true));
  return {
    ...(progress !== '' && { progress }),
    ...(barriers !== '' && { barriers }),
  };
};

/** A command as it could be sent again. */
const toInput = ({ id, patientId, common }: GoalRecord, { notes, ...body }: GoalCommandBody): GoalCommand => {
  if (body.kind !== 'goal') {
    const { sourceStatus: _, ...change } = { sourceStatus: undefined, ...body };
    return { goalId: id, ...change, ...toComments(notes) };
  }
  const { kind, sourceStatus: _, furtherTargets: __, elements, ...goal } = body;
  return { kind, patientId, ...sentCommonElements(common), ...goal, ...elements, ...toComments(notes) };
};

/** Goal commands: one begins a goal, the others belong to the one that they name. */
export const defineGoalCommands = ({
  newId,
  ...environment
}: Pick<Environment, 'newId' | 'zone' | 'extensionBase' | 'fields'>): CommandDefinition<
  GoalCommand,
  GoalCommandBody
> => {
  const recordDefinition = defineGoalRecord(environment);
  return {
    recordDefinition,
    commandKinds: goalCommandSchema.options.map(({ shape }) => shape.kind.value),
    steps: ['commit', 'discard', 'enterInError'],
    schema: goalCommandSchema,
    checkStep: checkGoalStep,
    closes: ({ kind }) => kind === 'closeGoal',
    toInput,
    place: async (directory, command, { by, isReached }) => {
      const { store } = directory;
      if (command.kind !== 'goal') {
        const goal = await load(store, recordDefinition, command.goalId);
        if (E.isLeft(goal)) return goal;
        const unknown = E.left(unknownGoalError);
        if (!recordExists(goal.right) || isDiscarded(goal.right.state)) return unknown;
        if (!(await isReached(goal.right.state))) return unknown;
        const { patientId } = goal.right.state;
        return E.right({
          record: goal.right,
          patientId,
          body: toCommandBody(command, newId),
          sideChanges: [],
          versionChecks: [],
        });
      }
      const { patientId } = command;
      const own = requireOwnExpression(command, by);
      if (E.isLeft(own)) return own;
      const patient = await directory.require('Patient', patientId, 'patientId');
      if (E.isLeft(patient)) return patient;
      const record = await startRecord({ store, newId }, recordDefinition, command.id);
      if (E.isLeft(record)) return record;
      return E.right({
        record: record.right,
        patientId,
        body: toCommandBody(command, newId),
        common: storeCommonElements(command),
        sideChanges: [],
        versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
      });
    },
  };
};
