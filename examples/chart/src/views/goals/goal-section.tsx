import type { ComponentChildren, ComponentProps } from 'preact';
import { createTimeScale } from '../../model/dates/time-scale.ts';
import { momentsOf, sortGoals, timingOf } from '../../model/goals.ts';
import type { Goal } from '../../model/resources.ts';
import { countHidden, FilterBar, ShowAll, useFirst, useRecordFilter } from '../section/record-list.tsx';
import { Section } from '../section/section.tsx';
import { TimeAxis } from '../section/time-axis.tsx';
import { GoalRow } from './goal-row.tsx';
import { GoalLegend } from './goal-track.tsx';

const states = { overdue: 'Overdue', open: 'Open', closed: 'Closed', 'in-error': 'Entered in error' };

/** The goals on one line of time, with today: those that are overdue first. */
export const GoalSection = ({
  goals,
  now,
  onAdd,
  drafts,
  ...actions
}: {
  readonly goals: readonly Goal[];
  readonly now: number;
  readonly onAdd: () => void;
  /** The drafts, before the goals. */
  readonly drafts: readonly ComponentChildren[];
} & Pick<ComponentProps<typeof GoalRow>, 'onHistory' | 'onChange' | 'onRetract'>) => {
  const scale = createTimeScale(goals.flatMap(momentsOf), now);
  const stateOf = (goal: Goal) => timingOf(goal, now).state;
  const list = useRecordFilter(goals, {
    stateOf,
    textOf: ({ description, note = [] }) => [description.text, ...note.map(({ text }) => text)].join(' '),
  });
  const { open = 0, overdue = 0 } = list.counts;
  const first = useFirst(sortGoals(list.matching, now), ({ id }, saved) => id === saved);
  return (
    <Section
      id="goals"
      title="Goals"
      detail={goals.length === 0 ? undefined : `${open + overdue} open of ${goals.length}`}
      action={{ text: 'Add a goal', onClick: onAdd }}
    >
      {drafts}
      {goals.length === 0 && drafts.length === 0 && (
        <p class="empty">No goals yet. Agree on the first one with the patient, and add it here.</p>
      )}
      {goals.length > 0 && (
        <>
          <FilterBar id="goals" noun="goals" states={states} list={list} />
          <div class="axis">
            <TimeAxis scale={scale} now={now} />
          </div>
          <ul class="goal-rows">
            {first.shown.map((goal) => (
              <GoalRow key={goal.id} goal={goal} scale={scale} now={now} {...actions} />
            ))}
          </ul>
          <ShowAll
            noun="goals"
            note={countHidden(first, (goal) => stateOf(goal) === 'overdue', 'overdue')}
            of={first}
          />
          <GoalLegend />
        </>
      )}
    </Section>
  );
};
