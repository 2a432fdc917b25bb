import type { ComponentChildren } from 'preact';
import { momentsOf, sortGoals } from '../../model/goals.ts';
import type { Goal } from '../../model/resources.ts';
import { createTimeScale } from '../../model/time-scale.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { Section } from '../section/section.tsx';
import { TimeAxis } from '../section/time-axis.tsx';
import { GoalRow } from './goal-row.tsx';

/** The goals on one line of time, with today. */
export const GoalSection = ({
  goals,
  onHistory,
  actions,
  children: drafts,
}: {
  readonly goals: readonly Goal[];
  readonly onHistory: (of: HistoryOf) => void;
  readonly actions?: ComponentChildren;
  /** The drafts, before the goals. */
  readonly children?: ComponentChildren;
}) => {
  const now = Date.now();
  const scale = createTimeScale([now, ...goals.flatMap(momentsOf)]);
  const open = goals.filter(({ lifecycleStatus }) => lifecycleStatus === 'active').length;
  return (
    <Section
      id="goals"
      title="Goals"
      detail={goals.length === 0 ? undefined : `${open} open of ${goals.length}`}
      actions={actions}
    >
      {drafts}
      {goals.length === 0 ? (
        <p class="empty">No goals.</p>
      ) : (
        <>
          <TimeAxis scale={scale} now={now} />
          <ul class="goal-rows">
            {sortGoals(goals, now).map((goal) => (
              <GoalRow key={goal.id} goal={goal} scale={scale} now={now} onHistory={onHistory} />
            ))}
          </ul>
        </>
      )}
    </Section>
  );
};
