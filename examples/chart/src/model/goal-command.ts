import type { BeginGoalCommand, ChartCommandInput } from '@clinical-records/core';
import { formatDay } from './dates/dates.ts';
import type { Goal } from './resources.ts';

/** The fields of a form for a new goal. */
export type GoalFields = {
  readonly description: string;
  readonly startDate: string;
  readonly dueDate: string;
  readonly priority: keyof typeof priorities | '';
  readonly progress: string;
};

export const priorities = {
  'high-priority': 'High Priority',
  'medium-priority': 'Medium Priority',
  'low-priority': 'Low Priority',
} as const;

type AchievementStatus = NonNullable<Goal['achievementStatus']>['coding'][number]['code'];

/** FHIR's achievement statuses of a goal. */
export const achievements: Readonly<Record<AchievementStatus, string>> = {
  'in-progress': 'In Progress',
  improving: 'Improving',
  worsening: 'Worsening',
  'no-change': 'No Change',
  achieved: 'Achieved',
  sustaining: 'Sustaining',
  'not-achieved': 'Not Achieved',
  'no-progress': 'No Progress',
  'not-attainable': 'Not Attainable',
};

const { achieved, sustaining, 'not-achieved': notAchieved, 'not-attainable': notAttainable } = achievements;

/** The achievement statuses with which a goal is closed. */
export const outcomes = {
  achieved,
  sustaining,
  'not-achieved': notAchieved,
  'not-attainable': notAttainable,
} as const;

/** The command that begins a goal. An empty description is sent, so that the rules of the server say what is wrong. */
export const goalCommand = (
  patientId: string,
  { description, startDate, dueDate, priority, progress }: GoalFields,
): BeginGoalCommand => ({
  kind: 'goal',
  patientId,
  description,
  ...(startDate !== '' && { startDate }),
  ...(dueDate !== '' && { dueDate }),
  ...(priority !== '' && { priority }),
  ...(progress.trim() !== '' && { progress }),
});

/** The fields of a form that updates or closes a goal. A field that is empty changes nothing, except the due date. */
export type GoalChange = {
  readonly achievementStatus: AchievementStatus | '';
  /** As it is typed. */
  readonly dueDate: string;
  readonly progress: string;
  readonly barriers: string;
};

/** The fields of a form that changes nothing about a goal yet. */
export const unchangedGoal = ({ target }: Pick<Goal, 'target'>): GoalChange => {
  const dueDate = target?.[0]?.dueDate;
  return {
    achievementStatus: '',
    dueDate: dueDate === undefined ? '' : formatDay(dueDate),
    progress: '',
    barriers: '',
  };
};

const progressOf = ({ achievementStatus, progress, barriers }: Omit<GoalChange, 'dueDate'>) => ({
  ...(achievementStatus !== '' && { achievementStatus }),
  ...(progress.trim() !== '' && { progress }),
  ...(barriers.trim() !== '' && { barriers }),
});

/** The command that updates a goal. An empty due date clears it; without one, it stays. */
export const updateGoalCommand = (
  goalId: string,
  { dueDate, ...progress }: Omit<GoalChange, 'dueDate'> & { readonly dueDate: string | undefined },
): ChartCommandInput => ({
  kind: 'updateGoal',
  goalId,
  ...progressOf(progress),
  ...(dueDate !== undefined && { dueDate: dueDate === '' ? null : dueDate }),
});

export const closeGoalCommand = (goalId: string, change: Omit<GoalChange, 'dueDate'>): ChartCommandInput => ({
  kind: 'closeGoal',
  goalId,
  ...progressOf(change),
});
