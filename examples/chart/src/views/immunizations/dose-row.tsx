import type { ComponentChildren } from 'preact';
import { formatDay } from '../../model/dates/dates.ts';
import { sourceOf } from '../../model/immunization/given-dose.ts';
import { conceptName } from '../../model/names.ts';
import type { Immunization } from '../../model/resources.ts';
import { InErrorMark, Mark } from '../section/mark.tsx';
import { Menu, type MenuItem } from '../section/menu.tsx';
import { SavedMark } from '../section/saved-mark.tsx';

const reasonOf = ({ statusReason }: Immunization): string =>
  conceptName(statusReason) || 'no reason recorded';

/** One dose: when, from where, or why it was not given. */
export const DoseRow = ({
  dose,
  vaccine,
  menu,
  children,
}: {
  readonly dose: Immunization;
  readonly vaccine: string;
  readonly menu: readonly MenuItem[];
  readonly children?: ComponentChildren;
}) => {
  const { status, occurrenceDateTime, note = [] } = dose;
  const date = formatDay(occurrenceDateTime);
  return (
    <li class={`dose ${status === 'entered-in-error' ? 'in-error' : ''}`}>
      <time dateTime={occurrenceDateTime}>{date}</time>
      <span class="facts">
        {status === 'not-done' ? (
          <Mark icon="not-done" tone="wait">
            Not given: {reasonOf(dose)}
          </Mark>
        ) : (
          <span class="secondary" dir="auto">
            {sourceOf(dose)}
          </span>
        )}
        {status === 'entered-in-error' && <InErrorMark />}
        {note.length > 0 && (
          <span class="dose-note secondary" dir="auto">
            {note.map(({ text }) => text).join(' ')}
          </span>
        )}
        <SavedMark id={dose.id} />
        {children}
      </span>
      <Menu label={`Actions: ${vaccine}, ${date}`} items={menu} />
    </li>
  );
};
