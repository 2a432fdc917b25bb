import { referToAuthor } from '../chart/command.ts';
import { committedCommands } from '../chart/command-lifecycle.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { createReference } from '../fhir/reference.ts';
import { achievementStatuses, type CodeSystem, priorities } from './code-systems.ts';
import { deriveLifecycleStatus } from './lifecycle.ts';
import type { Goal, GoalFields, GoalRecord } from './model.ts';

const toConcept = <Code extends string, System extends string>(
  { system, displays }: CodeSystem<Code, System>,
  code: Code,
) => ({
  coding: [{ system, code, display: displays[code] }],
});

/** The goal that derives from the committed commands; null before the first. Source: docs/http-interface.md#goal. */
export const deriveGoal = (record: GoalRecord): Goal | null => {
  const lifecycle = deriveLifecycleStatus(record);
  const [goal, ...later] = record.commands;
  if (lifecycle === null || goal?.body.kind !== 'goal') return null;
  // A goal entered in error still shows what it had been.
  const { enteredInError: _, ...goalWithoutError } = goal;
  const commands = committedCommands({ ...record, commands: [goalWithoutError, ...later] });
  const expressedBy = goal.committed && referToAuthor(goal.committed);
  const latest = <Field extends keyof GoalFields>(field: Field): GoalFields[Field] =>
    commands.findLast(({ body }) => body[field] !== undefined)?.body[field];
  const achievementStatus = latest('achievementStatus');
  const priority = latest('priority');
  const dueDate = latest('dueDate') ?? null;
  const note = commands.flatMap(({ body, committed }) => {
    const authorReference = referToAuthor(committed);
    return body.notes.map(({ id, text, time = formatInstant(committed.at) }) => ({
      id,
      ...(authorReference !== undefined && { authorReference }),
      ...(time !== null && { time }),
      text,
    }));
  });
  return {
    resourceType: 'Goal',
    id: record.id,
    lifecycleStatus: lifecycle,
    ...(achievementStatus !== undefined && {
      achievementStatus: toConcept(achievementStatuses, achievementStatus),
    }),
    ...(priority !== undefined && { priority: toConcept(priorities, priority) }),
    description: { text: goal.body.description },
    subject: createReference('Patient', record.patientId),
    ...(goal.body.startDate !== undefined && { startDate: goal.body.startDate }),
    ...(dueDate !== null && { target: [{ dueDate }] }),
    ...(expressedBy !== undefined && { expressedBy }),
    ...(note.length > 0 && { note }),
  };
};
