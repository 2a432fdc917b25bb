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

/** What each command about a goal may state. */
const progress = {
  achievementStatus: achievementStatus.optional(),
  progress: text.optional(),
  barriers: text.optional(),
};

/** A due date of null clears the one there was. */
const plan = { priority: priority.optional(), dueDate: date.nullable().optional() };

export const goalCommand = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('goal'),
    id: id.optional(),
    patientId: id,
    description: text,
    startDate: date.optional(),
    ...plan,
    ...progress,
  }),
  z.strictObject({ kind: z.literal('updateGoal'), goalId: id, ...plan, ...progress }),
  z.strictObject({ kind: z.literal('closeGoal'), goalId: id, ...progress }),
]);

/** A goal command as a host gives it. @useDeclaredType */
export type GoalCommand = DeepReadonly<z.infer<typeof goalCommand>>;

/** A text on a command, and the id of the note that it becomes. */
export type GoalNote = {
  readonly id: string;
  readonly text: string;
  /** When another system says that it was made, and null where it does not say; of our own, that is the time of the commit. */
  readonly time?: string | null;
};

/** What a command states of its goal. */
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
    .describe('Who committed the goal.'),
  note: z.array(note).exactOptional().describe('Progress and barriers, in the order of their commits.'),
});

/** Source: interface, "Goal". @useDeclaredType */
export type Goal = SchemaOutput<typeof goal>;
