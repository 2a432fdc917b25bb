import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { outputCoding, outputConcept } from '../fhir/coding.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { id, outputNamedReference, outputReference } from '../fhir/reference.ts';
import type { DeepReadonly, SchemaOutput } from '../fhir/schema-output.ts';
import { type AchievementStatus, achievementStatuses, type Priority, priorities } from './code-systems.ts';

const achievementStatus = z.enum(Object.keys(achievementStatuses.displays) as AchievementStatus[]);
const priority = z.enum(Object.keys(priorities.displays) as Priority[]);

/** The fields that each command about a goal may have. */
const progress = {
  /** How far the goal is achieved. */
  achievementStatus: achievementStatus.optional(),
  /** A comment on the progress, which becomes a note of the goal. */
  progress: text.optional(),
  /** A comment on what is in the way, which becomes a note of the goal. */
  barriers: text.optional(),
};

const plan = {
  /** How urgent the goal is. */
  priority: priority.optional(),
  /** When the goal should be reached, as a FHIR `date`. Null clears the due date; left out, it stays. */
  dueDate: date.nullable().optional(),
};

const beginGoalCommand = z.strictObject({
  /** Begins a goal. */
  kind: z.literal('goal'),
  /** The id of the new goal; by default a new one. */
  id: id.optional(),
  /** The id of the patient. */
  patientId: id,
  /** The goal in words. */
  description: text,
  /** When pursuit of the goal begins, as a FHIR `date`. */
  startDate: date.optional(),
  ...plan,
  ...progress,
});

const updateGoalCommand = z.strictObject({
  /** Updates a goal. */
  kind: z.literal('updateGoal'),
  /** The id of the goal. */
  goalId: id,
  ...plan,
  ...progress,
});

const closeGoalCommand = z.strictObject({
  /** Closes a goal. */
  kind: z.literal('closeGoal'),
  /** The id of the goal. */
  goalId: id,
  ...progress,
});

export const goalCommand = z.discriminatedUnion('kind', [
  beginGoalCommand,
  updateGoalCommand,
  closeGoalCommand,
]);

/** Begins a goal. */
export interface BeginGoalCommand extends DeepReadonly<z.infer<typeof beginGoalCommand>> {}

/** Updates a goal. */
export interface UpdateGoalCommand extends DeepReadonly<z.infer<typeof updateGoalCommand>> {}

/** Closes a goal. */
export interface CloseGoalCommand extends DeepReadonly<z.infer<typeof closeGoalCommand>> {}

/** A command about a goal: it begins, updates or closes it. */
export type GoalCommand = BeginGoalCommand | UpdateGoalCommand | CloseGoalCommand;

/** A text on a command, and the id of the note that it becomes. */
export type GoalNote = {
  readonly id: string;
  readonly text: string;
  /** When another system says that it was made, and null where it does not say; of our own, that is the time of the commit. */
  readonly time?: string | null;
};

/** The fields of a goal that a command can set. */
export type GoalFields = {
  readonly achievementStatus?: AchievementStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly dueDate?: string | null | undefined;
};

/** A goal command as it is kept. */
export type GoalCommandBody = GoalFields & {
  /** Progress and barriers, in this order. */
  readonly notes: readonly GoalNote[];
} & (
    | { readonly kind: 'goal'; readonly description: string; readonly startDate?: string | undefined }
    | { readonly kind: 'updateGoal' | 'closeGoal' }
  );

/** The commands that one goal derives from: its goal command, then what updates and closes it. */
export type GoalRecord = ChartRecord<GoalCommandBody>;

const note = z.object({
  id: z.string(),
  authorReference: z.object(outputNamedReference('Practitioner')).exactOptional(),
  time: dateTime.exactOptional().describe('When it was made; absent where an import does not say.'),
  text: z.string(),
});

const outputConceptOf = <Code extends z.ZodType<string>>(system: string, code: Code) =>
  outputConcept(outputCoding.extend({ system: z.literal(system), code }));

export const goal = z.object({
  resourceType: z.literal('Goal'),
  id: z.string(),
  lifecycleStatus: z.enum(['active', 'completed', 'entered-in-error']),
  achievementStatus: outputConceptOf(achievementStatuses.system, achievementStatus).exactOptional(),
  priority: outputConceptOf(priorities.system, priority).exactOptional(),
  description: z.object({ text: z.string() }),
  subject: z.object(outputReference('Patient')),
  startDate: date.exactOptional(),
  target: z
    .array(z.object({ dueDate: date }))
    .exactOptional()
    .describe('At most one; absent where there is no due date.'),
  expressedBy: z
    .object(outputNamedReference('Practitioner'))
    .exactOptional()
    .describe('The practitioner who committed the goal.'),
  note: z.array(note).exactOptional().describe('Progress and barriers, in the order of their commits.'),
});

/** A goal of a patient. Source: docs/http-interface.md#goal. */
export interface Goal extends SchemaOutput<typeof goal> {}
