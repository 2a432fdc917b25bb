import type { GoalTiming } from '../../model/goals.ts';
import type { TimeScale } from '../../model/time-scale.ts';

const percent = (value: number): string => `${value}%`;

/** A goal on the line of time: a bar from its start to its due date, its notes, and today. The text beside it says the same. */
export const GoalTrack = ({
  scale: { place },
  now,
  state,
  start,
  due,
  notes,
}: {
  readonly scale: TimeScale;
  readonly now: number;
  readonly state: GoalTiming['state'];
  readonly start: number | null;
  readonly due: number | null;
  readonly notes: readonly number[];
}) => {
  const from = place(start ?? Math.min(...notes, due ?? now, now));
  const to = place(due ?? Math.max(from, ...notes, now));
  return (
    <svg class={`track ${state}`} width="100%" height="18" aria-hidden="true">
      <line class="base" x1="0" x2="100%" y1="9" y2="9" />
      <line class="today" x1={percent(place(now))} x2={percent(place(now))} y1="0" y2="18" />
      <rect class="bar" x={percent(from)} width={percent(Math.max(to - from, 0.5))} y="6" height="6" rx="1" />
      {notes.map((note) => (
        <circle key={note} class="note" cx={percent(place(note))} cy="9" r="2.5" />
      ))}
      {due !== null && <line class="due" x1={percent(to)} x2={percent(to)} y1="2" y2="16" />}
    </svg>
  );
};
