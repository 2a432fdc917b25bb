import type { StagedGoal } from './resources.ts';

/** The fields of a form for a new goal. */
export type GoalFields = {
  readonly description: string;
  readonly startDate: string;
  readonly dueDate: string;
  readonly priority: string;
  readonly note: string;
};

const prioritySystem = 'http://terminology.hl7.org/CodeSystem/goal-priority';

/** FHIR's goal priorities. */
export const priorities: Readonly<Record<string, string>> = {
  'high-priority': 'High Priority',
  'medium-priority': 'Medium Priority',
  'low-priority': 'Low Priority',
};

/** The body that stages a goal. An empty description is sent, so that the rules of the server say what is wrong. */
export const proposedGoalBody = (
  patientId: string,
  { description, startDate, dueDate, priority, note }: GoalFields,
) => ({
  resourceType: 'Goal',
  lifecycleStatus: 'proposed',
  description: { text: description },
  subject: { reference: `Patient/${patientId}` },
  ...(startDate !== '' && { startDate }),
  ...(dueDate !== '' && { target: [{ dueDate }] }),
  ...(priority !== '' && { priority: { coding: [{ system: prioritySystem, code: priority }] } }),
  ...(note.trim() !== '' && { note: [{ text: note }] }),
});

/** The body that commits a goal as it was staged. */
export const committedGoalBody = (goal: StagedGoal) => ({ ...goal, lifecycleStatus: 'active' });
