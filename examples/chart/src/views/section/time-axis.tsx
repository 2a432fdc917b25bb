import type { TimeScale } from '../../model/dates/time-scale.ts';

/** The marks of a line of time, with today. The dates are in the text of each row, too. */
export const TimeAxis = ({
  scale: { place, ticks },
  now,
}: {
  readonly scale: TimeScale;
  readonly now: number;
}) => {
  const today = place(now);
  const shown = ticks.filter(({ at }) => Math.abs(at - today) > 13 && at > 4 && at < 96);
  return (
    <svg class="time-axis" width="100%" height="20" aria-hidden="true">
      {shown.map(({ at, label }) => (
        <g key={at}>
          <text x={`${at}%`} y="13" text-anchor="middle">
            {label}
          </text>
          <line x1={`${at}%`} x2={`${at}%`} y1="16" y2="20" />
        </g>
      ))}
      <text class="today" x={`${today}%`} y="13" text-anchor={today > 92 ? 'end' : 'middle'}>
        Today
      </text>
      <line class="today" x1={`${today}%`} x2={`${today}%`} y1="16" y2="20" />
    </svg>
  );
};

/** A moment before the line: an arrow at its edge. */
export const EarlierSign = () => <path class="earlier" d="M9 -4L1 0L9 4z" />;
