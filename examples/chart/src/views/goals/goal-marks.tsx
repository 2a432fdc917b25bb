import { formatDate } from '../../model/dates/dates.ts';
import type { GoalTiming } from '../../model/goals.ts';
import type { Goal } from '../../model/resources.ts';
import type { IconName } from '../section/icon.tsx';
import { InErrorMark, Mark, type Tone } from '../section/mark.tsx';

type AchievementCode = NonNullable<Goal['achievementStatus']>['coding'][number]['code'];
type PriorityCode = NonNullable<Goal['priority']>['coding'][number]['code'];

const achievementTones: Readonly<Record<AchievementCode, Tone>> = {
  achieved: 'good',
  sustaining: 'good',
  improving: 'good',
  'in-progress': 'accent',
  'no-change': 'plain',
  'no-progress': 'wait',
  worsening: 'alert',
  'not-achieved': 'alert',
  'not-attainable': 'alert',
};

const priorityTones: Readonly<Record<PriorityCode, Tone>> = {
  'high-priority': 'alert',
  'medium-priority': 'plain',
  'low-priority': 'plain',
};

/** How far a goal is, and how it is going. */
export const AchievementMark = ({ achievement }: { readonly achievement: Goal['achievementStatus'] }) => {
  const coding = achievement?.coding[0];
  if (coding === undefined) return null;
  return (
    <Mark icon={coding.code satisfies IconName} tone={achievementTones[coding.code]}>
      {coding.display}
    </Mark>
  );
};

export const PriorityMark = ({ priority }: { readonly priority: Goal['priority'] }) => {
  const coding = priority?.coding[0];
  if (coding === undefined) return null;
  return (
    <Mark icon={coding.code satisfies IconName} tone={priorityTones[coding.code]}>
      {coding.display}
    </Mark>
  );
};

/** When a goal is due, or that it is overdue, closed or entered in error. */
export const TimingMark = ({
  timing: { state, text },
  dueDate,
}: {
  readonly timing: GoalTiming;
  readonly dueDate: string | undefined;
}) => {
  const due = dueDate === undefined ? '' : `${state === 'closed' ? ', was due' : ','} ${formatDate(dueDate)}`;
  if (state === 'in-error') return <InErrorMark />;
  if (state === 'overdue')
    return (
      <Mark icon="overdue" tone="wait">
        {text}
        {due}
      </Mark>
    );
  return (
    <span class="secondary">
      {text}
      {due}
    </span>
  );
};
