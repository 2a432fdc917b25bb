import { formatDate, startOf } from '../../model/dates/dates.ts';
import type { TimeScale } from '../../model/dates/time-scale.ts';
import type { Immunization } from '../../model/resources.ts';
import { statusLabels } from '../../model/status-labels.ts';
import { Legend } from '../section/legend.tsx';
import { EarlierSign } from '../section/time-axis.tsx';

const DoseSign = ({ status }: { readonly status: Immunization['status'] }) => {
  if (status === 'completed') return <circle class="given" r="4.5" />;
  if (status === 'not-done')
    return (
      <>
        <circle class="not-done" r="4.5" />
        <line class="not-done" x1="-3" x2="3" y1="3" y2="-3" />
      </>
    );
  return (
    <>
      <line class="in-error" x1="-4" x2="4" y1="-4" y2="4" />
      <line class="in-error" x1="-4" x2="4" y1="4" y2="-4" />
    </>
  );
};

/** The doses of a vaccine on the line of time. The text below it says the same. */
export const DoseTrack = ({
  scale: { place, isEarlier },
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
    {doses.map(({ id, status, occurrenceDateTime }) => {
      const at = startOf(occurrenceDateTime);
      // A nested picture has its origin at the place in percent, so that lines around it can be in pixels.
      return (
        <svg key={id} x={`${place(at)}%`} y="9" overflow="visible" aria-hidden="true">
          <title>{`${statusLabels[status]}, ${formatDate(occurrenceDateTime)}`}</title>
          {isEarlier(at) ? <EarlierSign /> : <DoseSign status={status} />}
        </svg>
      );
    })}
  </svg>
);

const legendSign = (status: Immunization['status']) => (
  <svg x="10" y="9" overflow="visible" aria-hidden="true">
    <DoseSign status={status} />
  </svg>
);

/** The meanings of the signs of doses. */
export const DoseLegend = () => (
  <Legend
    signs={[
      { name: 'given', meaning: 'given', children: legendSign('completed') },
      { name: 'not-done', meaning: 'not given', children: legendSign('not-done') },
      { name: 'in-error', meaning: 'entered in error', children: legendSign('entered-in-error') },
      {
        name: 'earlier',
        meaning: 'long before the line begins',
        children: (
          <svg x="4" y="9" overflow="visible" aria-hidden="true">
            <EarlierSign />
          </svg>
        ),
      },
      {
        name: 'today',
        meaning: 'today',
        children: <line class="today" x1="10" x2="10" y1="0" y2="18" />,
      },
    ]}
  />
);
