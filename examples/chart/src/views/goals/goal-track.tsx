import { formatDate } from '../../model/dates/dates.ts';
import type { TimeScale } from '../../model/dates/time-scale.ts';
import type { GoalTiming } from '../../model/goals.ts';
import { Legend } from '../section/legend.tsx';

const percent = (value: number): string => `${value}%`;

/** A moment of a goal, with its date for a tooltip. */
export type GoalMoment = { readonly at: number; readonly date: string };

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
  readonly start: GoalMoment | null;
  readonly due: GoalMoment | null;
  readonly notes: readonly GoalMoment[];
}) => {
  const noted = notes.map(({ at }) => at);
  const from = place(start?.at ?? Math.min(...noted, due?.at ?? now, now));
  const to = place(due?.at ?? Math.max(start?.at ?? now, ...noted, now));
  return (
    <svg class={`track ${state}`} width="100%" height="18" aria-hidden="true">
      <line class="base" x1="0" x2="100%" y1="9" y2="9" />
      <line class="today" x1={percent(place(now))} x2={percent(place(now))} y1="0" y2="18" />
      <rect
        class="bar"
        x={percent(Math.min(from, to))}
        width={percent(Math.max(to - from, 0.5))}
        y="6"
        height="6"
        rx="1"
      >
        <title>
          {`From ${start === null ? 'an unknown day' : formatDate(start.date)} ${due === null ? 'on' : `until ${formatDate(due.date)}`}`}
        </title>
      </rect>
      {notes.map(({ at, date }) => (
        <circle key={at} class="note" cx={percent(place(at))} cy="9" r="2.5">
          <title>{`Comment on ${formatDate(date)}`}</title>
        </circle>
      ))}
      {due !== null && (
        <line class="due" x1={percent(to)} x2={percent(to)} y1="2" y2="16">
          <title>{`Due ${formatDate(due.date)}`}</title>
        </line>
      )}
    </svg>
  );
};

/** The meanings of the signs of goals. */
export const GoalLegend = () => (
  <Legend
    signs={[
      {
        name: 'bar',
        meaning: 'from the start to the due date',
        children: <rect class="bar" x="0" width="20" y="6" height="6" rx="1" />,
      },
      {
        name: 'due',
        meaning: 'due date',
        children: <line class="due" x1="10" x2="10" y1="2" y2="16" />,
      },
      { name: 'note', meaning: 'comment', children: <circle class="note" cx="10" cy="9" r="2.5" /> },
      {
        name: 'today',
        meaning: 'today',
        children: <line class="today" x1="10" x2="10" y1="0" y2="18" />,
      },
    ]}
  />
);
