import * as z from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { type Coding, outputCoding, outputConcept } from '../fhir/coding.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { inputMeta, meta } from '../fhir/meta.ts';
import { id, outputReference, outputSignedReference } from '../fhir/reference.ts';
import { named, type SchemaOutput } from '../fhir/schema.ts';

/** FHIR's goal achievement status codes, each with FHIR's display. */
export const achievementStatuses = {
  system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
  displays: {
    'in-progress': 'In Progress',
    improving: 'Improving',
    worsening: 'Worsening',
    'no-change': 'No Change',
    achieved: 'Achieved',
    sustaining: 'Sustaining',
    'not-achieved': 'Not Achieved',
    'no-progress': 'No Progress',
    'not-attainable': 'Not Attainable',
  },
} as const;

/** FHIR's goal priority codes, each with FHIR's display. */
export const priorities = {
  system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
  displays: {
    'high-priority': 'High Priority',
    'medium-priority': 'Medium Priority',
    'low-priority': 'Low Priority',
  },
} as const;

/** A code of FHIR's goal achievement statuses. */
export type AchievementStatus = keyof typeof achievementStatuses.displays;
/** A code of FHIR's goal priorities. */
export type Priority = keyof typeof priorities.displays;

/** A code system, as far as goals use it. */
export type CodeSystem<Code extends string, System extends string = string> = {
  readonly system: System;
  readonly displays: Readonly<Record<Code, string>>;
};

const achievementStatusSchema = z.enum(Object.keys(achievementStatuses.displays) as AchievementStatus[]);
const prioritySchema = z.enum(Object.keys(priorities.displays) as Priority[]);

/** The fields that each command about a goal may have. */
const progress = {
  /** How far the goal is achieved. */
  achievementStatus: achievementStatusSchema.optional(),
  /** A comment on the progress, which becomes a note of the goal. */
  progress: text.optional(),
  /** A comment on what is in the way, which becomes a note of the goal. */
  barriers: text.optional(),
};

const plan = {
  /** How urgent the goal is. */
  priority: prioritySchema.optional(),
  /** When the goal should be reached, as a FHIR `date`. Null clears the due date; left out, it stays. */
  dueDate: date.nullable().optional(),
};

const beginGoalCommandSchema = z.strictObject({
  /** Begins a goal. */
  kind: z.literal('goal'),
  /** The id of the new goal; by default a new one. */
  id: id.optional(),
  patientId: id,
  /** The security labels and tags of the goal. */
  meta: inputMeta,
  /** The goal in words. */
  description: text,
  /** When pursuit of the goal begins, as a FHIR `date`. */
  startDate: date.optional(),
  ...plan,
  ...progress,
});

const updateGoalCommandSchema = z.strictObject({
  /** Updates a goal. */
  kind: z.literal('updateGoal'),
  goalId: id,
  ...plan,
  ...progress,
});

const closeGoalCommandSchema = z.strictObject({
  /** Closes a goal. */
  kind: z.literal('closeGoal'),
  goalId: id,
  ...progress,
});

export const goalCommandSchema = z.discriminatedUnion('kind', [
  beginGoalCommandSchema,
  updateGoalCommandSchema,
  closeGoalCommandSchema,
]);

/** Begins a goal. */
export interface BeginGoalCommand extends SchemaOutput<typeof beginGoalCommandSchema> {}

/** Updates a goal. */
export interface UpdateGoalCommand extends SchemaOutput<typeof updateGoalCommandSchema> {}

/** Closes a goal. */
export interface CloseGoalCommand extends SchemaOutput<typeof closeGoalCommandSchema> {}

/** A command about a goal: it begins, updates or closes it. */
export type GoalCommand = BeginGoalCommand | UpdateGoalCommand | CloseGoalCommand;

/** A text on a command, and the id of the note that it becomes. */
export type GoalNote = {
  readonly id: string;
  /** The comment. */
  readonly text: string;
  /** When another system says that it was made, and null where it does not say; of our own, that is the time of the commit. */
  readonly time?: string | null;
};

/** The fields of a goal that a command can set. */
export type GoalFields = {
  /** How far the goal is achieved. */
  readonly achievementStatus?: AchievementStatus | undefined;
  /** How urgent the goal is. */
  readonly priority?: Priority | undefined;
  /** When the goal should be reached, as a FHIR `date`; null clears the due date. */
  readonly dueDate?: string | null | undefined;
};

/** A goal command as it is kept. */
export type GoalCommandBody = GoalFields & {
  /** Progress and barriers, in this order. */
  readonly notes: readonly GoalNote[];
} & (
    | {
        /** Begins a goal. */
        readonly kind: 'goal';
        /** The goal in words. */
        readonly description: string;
        /** When pursuit of the goal begins, as a FHIR `date`. */
        readonly startDate?: string | undefined;
      }
    | {
        /** Updates or closes a goal. */
        readonly kind: 'updateGoal' | 'closeGoal';
      }
  );

/** The commands that one goal derives from: its goal command, then what updates and closes it. */
export type GoalRecord = ChartRecord<GoalCommandBody>;

/** A coding of how far a goal is achieved. */
export interface GoalAchievementCoding extends Coding<typeof achievementStatuses.system, AchievementStatus> {}

/** A coding of how urgent a goal is. */
export interface GoalPriorityCoding extends Coding<typeof priorities.system, Priority> {}

const descriptionSchema = z.object({
  /** The goal in words. */
  text: z.string(),
});

/** The description of a goal. FHIR allows codes, too; here it is a text. */
export interface GoalDescription extends SchemaOutput<typeof descriptionSchema> {}

const targetSchema = z.object({
  /** When the goal should be reached: a FHIR `date`. */
  dueDate: date,
});

/** The target of a goal. */
export interface GoalTarget extends SchemaOutput<typeof targetSchema> {}

const annotationSchema = z.object({
  /** The id of the note. */
  id: z.string(),
  /** The practitioner who committed the note; absent where an import does not say. */
  authorReference: outputSignedReference('Practitioner').exactOptional(),
  /** When it was made: a FHIR `dateTime`; absent where an import does not say. */
  time: dateTime.exactOptional().describe('When it was made; absent where an import does not say.'),
  /** The comment on progress or barriers. */
  text: z.string(),
});

/** A note of a goal. */
export interface GoalAnnotation extends SchemaOutput<typeof annotationSchema> {}

/** The states of a goal. Source: docs/http-interface.md#goal. */
export const goalStatuses = ['active', 'completed', 'entered-in-error'] as const;

export const goalSchema = z.object({
  resourceType: z.literal('Goal'),
  id: z.string(),
  /** The version; absent if the resource is not stored yet. */
  meta,
  /** `completed` once the goal is closed. */
  lifecycleStatus: z.enum(goalStatuses),
  /** How far the goal is achieved. */
  achievementStatus: outputConcept(
    named<GoalAchievementCoding>(
      outputCoding(z.literal(achievementStatuses.system), achievementStatusSchema),
    ),
  ).exactOptional(),
  /** How urgent the goal is. */
  priority: outputConcept(
    named<GoalPriorityCoding>(outputCoding(z.literal(priorities.system), prioritySchema)),
  ).exactOptional(),
  /** The goal in words. */
  description: named<GoalDescription>(descriptionSchema),
  /** The patient whose goal it is. */
  subject: outputReference('Patient'),
  /** When pursuit of the goal begins: a FHIR `date`. */
  startDate: date.exactOptional(),
  /** At most one; absent where there is no due date. */
  target: z
    .array(named<GoalTarget>(targetSchema))
    .exactOptional()
    .describe('At most one; absent where there is no due date.'),
  /** The practitioner who committed the goal. */
  expressedBy: outputSignedReference('Practitioner')
    .exactOptional()
    .describe('The practitioner who committed the goal.'),
  /** Progress and barriers, in the order of their commits. */
  note: z
    .array(named<GoalAnnotation>(annotationSchema))
    .exactOptional()
    .describe('Progress and barriers, in the order of their commits.'),
});

/** A goal of a patient. Source: docs/http-interface.md#goal. */
export interface Goal extends SchemaOutput<typeof goalSchema> {}

/** A goal that is only staged, as the response to the request that staged it shows it. It cannot be read. */
export const stagedGoalSchema = goalSchema.extend({
  /** Always `proposed`. */
  lifecycleStatus: z.literal('proposed'),
});

/** A goal that is only staged. Source: docs/http-interface.md#goal-commands. */
export interface StagedGoal extends SchemaOutput<typeof stagedGoalSchema> {}
