import * as z from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { statusExtensions } from '../chart/command.ts';
import { anyCoding, type Coding, outputCoding, outputConcept, type PartialCoding } from '../fhir/coding.ts';
import { inputCommonElements, outputCommonElements } from '../fhir/common-elements.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { list, oneOf, text } from '../fhir/element.ts';
import { id, outputReference, outputSignedReference, reference } from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';
import {
  type GoalElements,
  type GoalMeasure,
  type GoalTarget,
  goalElements,
  goalMeasure,
  goalTarget,
} from './elements.ts';
import { type FurtherTargetExtension, furtherTargetSchema } from './further-targets.ts';

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

const statusElements = {
  /** When the goal got its status, as a FHIR `date`. */
  statusDate: date.optional(),
  /** Why it has this status. */
  statusReason: text.optional(),
};

const beginGoalCommandSchema = z.strictObject({
  /** Begins a goal. */
  kind: z.literal('goal'),
  /** The id of the new goal; by default a new one. Refused beside a limit to charts. */
  id: id.optional(),
  patientId: id,
  ...inputCommonElements,
  expressedBy: reference('Practitioner')
    .optional()
    .describe('The author of the command, who expresses the goal.'),
  /** The goal in words. */
  description: text,
  /** The goal as codes. */
  descriptionCoding: list(anyCoding).optional(),
  /** When pursuit of the goal begins, as a FHIR `date`. */
  startDate: date.optional(),
  /** The measure, and the value to reach. The due date is in `dueDate`. */
  target: goalMeasure.optional(),
  ...statusElements,
  ...goalElements,
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
  ...statusElements,
  ...progress,
});

/** The states of FHIR's goals that no goal has here, and the one as which each is read. */
export const nearestStatuses = {
  proposed: 'active',
  planned: 'active',
  accepted: 'active',
  'on-hold': 'active',
  cancelled: 'completed',
  rejected: 'completed',
} as const;

/** A state that a goal has only in the system that it comes from. */
export type GoalSourceStatus = keyof typeof nearestStatuses;

export const goalCommandSchema = z.discriminatedUnion('kind', [
  oneOf(beginGoalCommandSchema, 'startDate', 'startCodeableConcept'),
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
  /** Set if it is about barriers, and not about progress. */
  readonly isBarriers?: true;
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

/** The facts about the status of a goal that the command which gave it the status says. */
export type GoalStatusFacts = {
  /** When the goal got its status, as a FHIR `date`. */
  readonly statusDate?: string | undefined;
  /** Why it has this status. */
  readonly statusReason?: string | undefined;
  /** The state in the system that the goal comes from, if no goal has it here. */
  readonly sourceStatus?: GoalSourceStatus | undefined;
};

/** A goal command with its notes, as its record stores it. */
export type GoalCommandBody = GoalFields & {
  /** Progress and barriers, in this order. */
  readonly notes: readonly GoalNote[];
} & (
    | ({
        /** Begins a goal. */
        readonly kind: 'goal';
        /** The goal in words. */
        readonly description: string;
        /** The goal as codes. */
        readonly descriptionCoding?: readonly PartialCoding[] | undefined;
        /** When pursuit of the goal begins, as a FHIR `date`. */
        readonly startDate?: string | undefined;
        /** The measure, and the value to reach. */
        readonly target?: GoalMeasure | undefined;
        /** The targets beyond the one of the HTTP interface, where the source has any. */
        readonly furtherTargets?: readonly GoalTarget[] | undefined;
        /** The elements of the resource at which no rule looks, where there are any. */
        readonly elements?: GoalElements | undefined;
      } & GoalStatusFacts)
    | {
        /** Updates a goal. */
        readonly kind: 'updateGoal';
      }
    | ({
        /** Closes a goal. */
        readonly kind: 'closeGoal';
      } & GoalStatusFacts)
  );

/** The commands that one goal derives from: its goal command, then what updates and closes it. */
export type GoalRecord = ChartRecord<GoalCommandBody>;

/** A coding of how far a goal is achieved. */
export interface GoalAchievementCoding extends Coding<typeof achievementStatuses.system, AchievementStatus> {}

/** A coding of how urgent a goal is. */
export interface GoalPriorityCoding extends Coding<typeof priorities.system, Priority> {}

const descriptionSchema = z.object({
  /** The goal as codes. */
  coding: z.array(anyCoding).exactOptional(),
  /** The goal in words. */
  text: z.string(),
});

/** The description of a goal. It always has a text. */
export interface GoalDescription extends SchemaOutput<typeof descriptionSchema> {}

const goalAnnotationSchema = z.object({
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
export interface GoalAnnotation extends SchemaOutput<typeof goalAnnotationSchema> {}

/** The states of a goal. Source: docs/http-interface.md#goal. */
export const goalStatuses = ['active', 'completed', 'entered-in-error'] as const;

/** The extension with the state of a goal in the system that it comes from. */
export const sourceStatusUrl = (extensionBase: string): `${string}/source-status` =>
  `${extensionBase}/source-status`;

const sourceStatusSchema = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/source-status`. */
    url: z.literal(sourceStatusUrl(extensionBase)),
    valueCode: z.enum(Object.keys(nearestStatuses) as GoalSourceStatus[]),
  });

/** The extension with the state of a goal in the system that it comes from. */
export interface SourceStatusExtension extends SchemaOutput<ReturnType<typeof sourceStatusSchema>> {}

export const goalSchema = schemaForBase((extensionBase) =>
  z.object({
    resourceType: z.literal('Goal'),
    id: z.string(),
    ...outputCommonElements,
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
    target: z
      .array(goalTarget)
      .exactOptional()
      .describe('At most one; absent where there is neither a due date nor a measure.'),
    ...statusElements,
    expressedBy: outputSignedReference('Practitioner')
      .exactOptional()
      .describe('The practitioner who committed the goal.'),
    note: z
      .array(named<GoalAnnotation>(goalAnnotationSchema))
      .exactOptional()
      .describe('Progress and barriers, in the order of their commits.'),
    ...goalElements,
    _lifecycleStatus: statusExtensions(extensionBase),
    extension: z
      .array(
        z.union([
          named<SourceStatusExtension>(sourceStatusSchema(extensionBase)),
          named<FurtherTargetExtension>(furtherTargetSchema(extensionBase)),
        ]),
      )
      .exactOptional()
      .describe(
        'The state in the system that the goal comes from, if no goal has it here, and its further targets.',
      ),
  }),
);

/** A goal of a patient. Source: docs/http-interface.md#goal. */
export interface Goal extends SchemaOutput<ReturnType<typeof goalSchema>> {}
