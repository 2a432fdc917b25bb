import type { Goal } from './resources.ts';

/** The fields of a form for a new goal. */
export type GoalFields = {
  readonly description: string;
  readonly startDate: string;
  readonly dueDate: string;
  readonly priority: string;
  readonly progress: string;
};

/** FHIR's goal priorities. */
export const priorities = {
  'high-priority': 'High Priority',
  'medium-priority': 'Medium Priority',
  'low-priority': 'Low Priority',
} as const;

/** A priority as a goal that is read has it. */
export const priorityConcept = (code: keyof typeof priorities): NonNullable<Goal['priority']> => ({
  coding: [
    { system: 'http://terminology.hl7.org/CodeSystem/goal-priority', code, display: priorities[code] },
  ],
});

/** The command that begins a goal. An empty description is sent, so that the rules of the server say what is wrong. */
export const goalCommand = (
  patientId: string,
  { description, startDate, dueDate, priority, progress }: GoalFields,
) => ({
  kind: 'goal',
  patientId,
  description,
  ...(startDate !== '' && { startDate }),
  ...(dueDate !== '' && { dueDate }),
  ...(priority !== '' && { priority }),
  ...(progress.trim() !== '' && { progress }),
});
