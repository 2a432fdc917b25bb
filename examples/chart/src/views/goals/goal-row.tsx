import { formatDay, lastDayOf, startOf } from '../../model/dates/dates.ts';
import type { TimeScale } from '../../model/dates/time-scale.ts';
import { furtherTargetsOf, timingOf } from '../../model/goals.ts';
import type { Goal } from '../../model/resources.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { Menu, type MenuItem } from '../section/menu.tsx';
import { SavedMark } from '../section/saved-mark.tsx';
import { AchievementMark, PriorityMark, TimingMark } from './goal-marks.tsx';
import { GoalTrack } from './goal-track.tsx';

const Notes = ({ notes }: { readonly notes: NonNullable<Goal['note']> }) => (
  <ul class="notes">
    {notes.map(({ id, text, time, authorReference }) => (
      <li key={id}>
        <span dir="auto">{text}</span>{' '}
        <span class="secondary">
          {[authorReference?.display ?? authorReference?.reference, time && formatDay(time)]
            .filter(Boolean)
            .join(', ')}
        </span>
      </li>
    ))}
  </ul>
);

type GoalActions = {
  readonly onHistory: (of: HistoryOf) => void;
  readonly onChange: (goal: Goal, kind: 'update' | 'close' | 'reopen') => void;
  readonly onRetract: (goal: Goal) => void;
};

const menuOf = (goal: Goal, { onHistory, onChange, onRetract }: GoalActions): readonly MenuItem[] => [
  ...(goal.lifecycleStatus === 'active'
    ? [
        { text: 'Update …', onChoose: () => onChange(goal, 'update') },
        { text: 'Close …', onChoose: () => onChange(goal, 'close') },
      ]
    : []),
  ...(goal.lifecycleStatus === 'completed'
    ? [{ text: 'Reopen …', onChoose: () => onChange(goal, 'reopen') }]
    : []),
  { text: 'History', onChoose: () => onHistory({ type: 'Goal', id: goal.id, title: goal.description.text }) },
  ...(goal.lifecycleStatus === 'entered-in-error'
    ? []
    : [{ text: 'Mark as entered in error …', onChoose: () => onRetract(goal) }]),
];

/** A goal: what it is, how far it is, and its place in time. */
export const GoalRow = ({
  goal,
  scale,
  now,
  onHistory,
  onChange,
  onRetract,
}: {
  readonly goal: Goal;
  readonly scale: TimeScale;
  readonly now: number;
} & GoalActions) => {
  const { id, description, achievementStatus, priority, target, note = [], startDate } = goal;
  const timing = timingOf(goal, now);
  const dueDate = target?.[0]?.dueDate;
  const title = description.text;
  return (
    <li class={`goal ${timing.state}`}>
      <h3 dir="auto">{title}</h3>
      <GoalTrack
        scale={scale}
        now={now}
        state={timing.state}
        start={startDate === undefined ? null : { at: startOf(startDate), date: startDate }}
        due={dueDate === undefined ? null : { at: lastDayOf(dueDate), date: dueDate }}
        notes={note.flatMap(({ time }) => (time === undefined ? [] : [{ at: startOf(time), date: time }]))}
      />
      <Menu
        label={`Actions: ${title}${dueDate === undefined ? '' : `, due ${formatDay(dueDate)}`}`}
        items={menuOf(goal, { onHistory, onChange, onRetract })}
      />
      <p class="facts">
        <TimingMark timing={timing} dueDate={dueDate} />
        <PriorityMark priority={priority} />
        <AchievementMark achievement={achievementStatus} />
        <SavedMark id={id} />
      </p>
      {furtherTargetsOf(goal).map((text) => (
        <p key={text} class="facts" dir="auto">
          Further target: {text}
        </p>
      ))}
      {note.length > 0 && <Notes notes={note} />}
    </li>
  );
};
