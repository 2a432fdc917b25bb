import { useRef } from 'preact/hooks';
import { formatDay } from '../../model/dates/dates.ts';
import { parseTypedDate } from '../../model/dates/typed-date.ts';
import { Icon } from '../section/icon.tsx';
import { describedBy, type Field, FieldNote } from './field.tsx';

/** The FHIR date of what is typed; null if it is not a date, and empty if nothing is typed. */
export const readDate = (text: string): string | null =>
  text.trim() === '' ? '' : parseTypedDate(text, navigator.language);

/** The sentence for a field in which something else than a date is typed. */
export const dateSentence = 'Write a date such as 14.5.2019, May 2019 or 2019.';

/** A date as people write it, of any precision, or from a calendar. It says how it is understood. */
export const DateField = ({
  id,
  label,
  value,
  remark,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
} & Field) => {
  const calendar = useRef<HTMLInputElement>(null);
  const date = readDate(value);
  const day = date !== null && date.length === 'YYYY-MM-DD'.length ? date : '';
  return (
    <>
      <label for={id}>{label}</label>
      <div class="date-field">
        <input
          id={id}
          autocomplete="off"
          placeholder="14.5.2019, May 2019 or 2019"
          value={value}
          {...describedBy(`${id}-error`, remark)}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          aria-label={`Calendar: ${label}`}
          onClick={() => {
            calendar.current?.showPicker();
          }}
        >
          <Icon name="calendar" />
        </button>
        <input
          ref={calendar}
          class="calendar"
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          value={day}
          onInput={(event) => onInput(formatDay(event.currentTarget.value))}
        />
      </div>
      <p class="understood secondary" aria-live="polite">
        {date !== null &&
          date !== '' &&
          formatDay(date) !== value.trim() &&
          `Understood as ${formatDay(date)}`}
      </p>
      <FieldNote id={`${id}-error`} remark={remark} />
    </>
  );
};
