import { committedCommands } from '../chart/steps.ts';
import { instantText } from '../fhir/date-time.ts';
import { referenceTo } from '../fhir/reference.ts';
import { achievementStatuses, type Codes, priorities } from './codes.ts';
import { lifecycleStatus } from './lifecycle.ts';
import type { Goal, GoalRecord, GoalStatement } from './model.ts';

const concept = <Code extends string>({ system, displays }: Codes<Code>, code: Code) => ({
  coding: [{ system, code, display: displays[code] }],
});

/** The goal that the committed commands make; null as long as there is none. Source: interface, "Goal". */
export const deriveGoal = (record: GoalRecord): Goal | null => {
  const lifecycle = lifecycleStatus(record);
  const [goal, ...later] = record.commands;
  if (lifecycle === null || goal?.body.kind !== 'goal') return null;
  // A goal entered in error still shows what it had been.
  const { enteredInError: _, ...made } = goal;
  const commands = committedCommands({ ...record, commands: [made, ...later] });
  const expressedBy = goal.committed?.by ?? null;
  const latest = <Field extends keyof GoalStatement>(field: Field): GoalStatement[Field] =>
    commands.findLast(({ body }) => body[field] !== undefined)?.body[field];
  const achievementStatus = latest('achievementStatus');
  const priority = latest('priority');
  const dueDate = latest('dueDate') ?? null;
  const note = commands.flatMap(({ body, committed }) =>
    body.notes.map(({ id, text, time = instantText(committed.at) }) => ({
      id,
      ...(committed.by !== null && { authorReference: referenceTo('Practitioner', committed.by) }),
      ...(time !== null && { time }),
      text,
    })),
  );
  return {
    resourceType: 'Goal',
    id: record.id,
    lifecycleStatus: lifecycle,
    ...(achievementStatus !== undefined && {
      achievementStatus: concept(achievementStatuses, achievementStatus),
    }),
    ...(priority !== undefined && { priority: concept(priorities, priority) }),
    description: { text: goal.body.description },
    subject: referenceTo('Patient', record.patientId),
    ...(goal.body.startDate !== undefined && { startDate: goal.body.startDate }),
    ...(dueDate !== null && { target: [{ dueDate }] }),
    ...(expressedBy !== null && { expressedBy: referenceTo('Practitioner', expressedBy) }),
    ...(note.length > 0 && { note }),
  };
};
