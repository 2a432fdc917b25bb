import { formatDate, formatDay, lastDayOf, startOf } from '../../model/dates.ts';
import { timingOf } from '../../model/goals.ts';
import type { Goal } from '../../model/resources.ts';
import type { TimeScale } from '../../model/time-scale.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { HistoryButton } from '../section/section.tsx';
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

/** A goal: what it is, how far it is, and its place in time. */
export const GoalRow = ({
  goal,
  scale,
  now,
  onHistory,
}: {
  readonly goal: Goal;
  readonly scale: TimeScale;
  readonly now: number;
  readonly onHistory: (of: HistoryOf) => void;
}) => {
  const { id, description, achievementStatus, priority, target, note = [], startDate } = goal;
  const timing = timingOf(goal, now);
  const dueDate = target?.[0]?.dueDate;
  const title = description.text;
  return (
    <li class={`goal ${timing.state}`}>
      <div class="goal-head">
        <h3 dir="auto">{title}</h3>
        <HistoryButton of={title} onClick={() => onHistory({ type: 'Goal', id, title })} />
      </div>
      <GoalTrack
        scale={scale}
        now={now}
        state={timing.state}
        start={startDate === undefined ? null : startOf(startDate)}
        due={dueDate === undefined ? null : lastDayOf(dueDate)}
        notes={note.flatMap(({ time }) => (time === undefined ? [] : [startOf(time)]))}
      />
      <p class="goal-facts">
        {achievementStatus?.coding[0] !== undefined && <span>{achievementStatus.coding[0].display}</span>}
        {priority?.coding[0] !== undefined && <span class="secondary">{priority.coding[0].display}</span>}
        <span class={timing.state === 'overdue' ? 'mark overdue' : 'secondary'}>
          {timing.text}
          {dueDate !== undefined && `${timing.state === 'closed' ? ', was due' : ','} ${formatDate(dueDate)}`}
        </span>
      </p>
      {note.length > 0 && <Notes notes={note} />}
    </li>
  );
};
