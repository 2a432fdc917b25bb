import { startOf } from '../../model/dates.ts';
import type { Immunization } from '../../model/resources.ts';
import type { TimeScale } from '../../model/time-scale.ts';

const Dose = ({ at, status }: { readonly at: string; readonly status: Immunization['status'] }) => {
  if (status === 'completed') return <circle class="given" cx={at} cy="9" r="4.5" />;
  // A nested picture has its origin at the place in percent, so that lines around it can be in pixels.
  return (
    <svg x={at} y="9" overflow="visible" aria-hidden="true">
      {status === 'not-done' ? (
        <>
          <circle class="not-done" r="4.5" />
          <line class="not-done" x1="-3" x2="3" y1="3" y2="-3" />
        </>
      ) : (
        <>
          <line class="in-error" x1="-4" x2="4" y1="-4" y2="4" />
          <line class="in-error" x1="-4" x2="4" y1="4" y2="-4" />
        </>
      )}
    </svg>
  );
};

/** The doses of a vaccine on the line of time. The text below it says the same. */
export const DoseTrack = ({
  scale: { place },
  now,
  doses,
}: {
  readonly scale: TimeScale;
  readonly now: number;
  readonly doses: readonly Immunization[];
}) => (
  <svg class="track" width="100%" height="18" aria-hidden="true">
    <line class="base" x1="0" x2="100%" y1="9" y2="9" />
    <line class="today" x1={`${place(now)}%`} x2={`${place(now)}%`} y1="0" y2="18" />
    {doses.map(({ id, status, occurrenceDateTime }) => (
      <Dose key={id} at={`${place(startOf(occurrenceDateTime))}%`} status={status} />
    ))}
  </svg>
);
