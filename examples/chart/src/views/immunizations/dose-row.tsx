import type { ComponentChildren } from 'preact';
import { formatDate } from '../../model/dates.ts';
import { conceptName } from '../../model/names.ts';
import type { Immunization } from '../../model/resources.ts';
import { HistoryButton } from '../section/section.tsx';

const sourceOf = ({ primarySource, lotNumber }: Immunization): string => {
  if (!primarySource) return 'reported';
  return lotNumber === undefined ? 'given here' : `given here, lot ${lotNumber}`;
};

const reasonOf = ({ statusReason }: Immunization): string =>
  conceptName(statusReason) || 'no reason recorded';

/** One dose: when, from where, or why it was not given. */
export const DoseRow = ({
  dose,
  vaccine,
  onHistory,
  actions,
}: {
  readonly dose: Immunization;
  readonly vaccine: string;
  readonly onHistory: () => void;
  readonly actions: ComponentChildren;
}) => {
  const { status, occurrenceDateTime, note = [] } = dose;
  const date = formatDate(occurrenceDateTime);
  return (
    <li class={`dose ${status === 'entered-in-error' ? 'in-error' : ''}`}>
      <time dateTime={occurrenceDateTime}>{date}</time>
      <span class="dose-facts">
        {status === 'not-done' ? (
          <span class="mark not-done">Not given: {reasonOf(dose)}</span>
        ) : (
          <span class="secondary">{sourceOf(dose)}</span>
        )}
        {status === 'entered-in-error' && <span class="mark entered-in-error">Entered in error</span>}
      </span>
      <span class="dose-actions">
        {actions}
        <HistoryButton of={`${vaccine}, ${date}`} onClick={onHistory} />
      </span>
      {note.length > 0 && (
        <p class="dose-note secondary" dir="auto">
          {note.map(({ text }) => text).join(' ')}
        </p>
      )}
    </li>
  );
};
