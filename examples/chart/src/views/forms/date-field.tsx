import { useRef } from 'preact/hooks';
import { formatDate, formatDay } from '../../model/dates/dates.ts';
import { parseTypedDate, parseTypedMoment } from '../../model/dates/typed-date.ts';
import { Icon } from '../section/icon.tsx';
import { describedBy, type Field, FieldNote } from './field.tsx';

/** The FHIR date of what is typed; null if it is not a date, and empty if nothing is typed. */
export const readDate = (text: string): string | null =>
  text.trim() === '' ? '' : parseTypedDate(text, navigator.language);

/** The FHIR date or dateTime of what is typed; null if it is neither, and empty if nothing is typed. */
export const readMoment = (text: string): string | null =>
  text.trim() === '' ? '' : parseTypedMoment(text, navigator.language);

/** The sentence for a field in which something else than a date is typed. */
export const dateSentence = 'Write a date such as today, 14.5.2019, May 2019 or 2019.';

/** The sentence for a field in which a time can be typed, too. */
export const momentSentence =
  'Write a date such as today, 14.5.2019 or May 2019, or with a time, such as today 14:30.';

/** A date as people write it, of any precision, or from a calendar. It says how it is understood. */
export const DateField = ({
  id,
  label,
  hasTime = false,
  placeholder = hasTime ? 'today 14:30, 14.5.2019 or May 2019' : 'today, 14.5.2019 or May 2019',
  value,
  remark,
  onInput,
}: {
  readonly id: string;
  readonly label: string;
  /** Whether a time can be typed, too. */
  readonly hasTime?: boolean;
  readonly placeholder?: string;
} & Field) => {
  const calendar = useRef<HTMLInputElement>(null);
  const date = hasTime ? readMoment(value) : readDate(value);
  const day = date !== null && date.length >= 'YYYY-MM-DD'.length ? date.slice(0, 10) : '';
  return (
    <div class={hasTime ? 'field wide' : 'field'}>
      <label for={id}>{label}</label>
      <div class="date-field">
        <input
          id={id}
          autocomplete="off"
          placeholder={placeholder}
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
          formatDate(date) !== value.trim() &&
          `Understood as ${formatDate(date)}`}
      </p>
      <FieldNote id={`${id}-error`} remark={remark} />
    </div>
  );
};
