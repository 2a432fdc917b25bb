import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import type { CodeableConcept } from '../fhir/coding.ts';
import { date } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { id, type Reference } from '../fhir/reference.ts';
import { type AchievementStatus, achievementStatuses, type Priority, priorities } from './codes.ts';

const achievementStatus = z.enum(Object.keys(achievementStatuses) as AchievementStatus[]);
const priority = z.enum(Object.keys(priorities) as Priority[]);

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

/** A goal command as a host gives it. */
export type GoalCommand = z.infer<typeof goalCommand>;

/** A text on a command, and the id of the note that it becomes. */
export type GoalNote = { readonly id: string; readonly text: string };

/** What a command states of its goal. */
export type GoalStatement = {
  readonly achievementStatus?: AchievementStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly dueDate?: string | null | undefined;
};

/** A goal command as it is kept. */
export type GoalCommandBody = GoalStatement & {
  /** Progress and barriers, in this order. */
  readonly notes: readonly GoalNote[];
} & (
    | { readonly kind: 'goal'; readonly description: string; readonly startDate?: string | undefined }
    | { readonly kind: 'updateGoal' | 'closeGoal' }
  );

export type GoalRecord = ChartRecord<GoalCommandBody>;

/** Source: interface, "Goal". */
export type Goal = {
  readonly resourceType: 'Goal';
  readonly id: string;
  readonly lifecycleStatus: 'active' | 'completed' | 'entered-in-error';
  readonly achievementStatus?: CodeableConcept;
  readonly priority?: CodeableConcept;
  readonly description: { readonly text: string };
  readonly subject: Reference<'Patient'>;
  readonly startDate?: string;
  readonly target?: readonly { readonly dueDate: string }[];
  readonly expressedBy?: Reference<'Practitioner'>;
  readonly note?: readonly {
    readonly id: string;
    readonly authorReference?: Reference<'Practitioner'>;
    readonly time: string;
    readonly text: string;
  }[];
};
