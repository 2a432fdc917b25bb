import { dayOf } from './dates.ts';

const isYear = (word: string): boolean => /^\d{4}$/.test(word);

const simpleWordOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}|\./gu, '')
    .toLowerCase();

/** The number of a month by its names in a language and in English, in full and shortened. */
const monthsOf = (language: string): ReadonlyMap<string, number> =>
  new Map(
    [language, 'en'].flatMap((one) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(one, { month, day: 'numeric', timeZone: 'UTC' });
        return Array.from({ length: 12 }, (_, index): [string, number] => {
          const part = format.formatToParts(Date.UTC(2000, index)).find(({ type }) => type === 'month');
          return [simpleWordOf(part?.value ?? ''), index + 1];
        });
      }),
    ),
  );

const startsWithDay = (language: string): boolean => {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month');
};

/** The FHIR date of its parts; null if the calendar does not have it. */
const dateOf = (year: string, month?: number, day?: number): string | null => {
  const parts = [month, day].filter((part) => part !== undefined);
  const moment = new Date(Date.UTC(Number(year), (month ?? 1) - 1, day ?? 1));
  const isReal = moment.getUTCMonth() + 1 === (month ?? 1) && moment.getUTCDate() === (day ?? 1);
  return isReal ? [year, ...parts.map((part) => String(part).padStart(2, '0'))].join('-') : null;
};

/** The day that a word such as `today` means, in a language or in English; null for another word. */
const relativeDay = (word: string, language: string, now: Date): string | null => {
  const days = [0, -1, 1].find((distance) =>
    [language, 'en'].some(
      (one) =>
        new Intl.RelativeTimeFormat(one, { numeric: 'auto' }).format(distance, 'day').toLowerCase() ===
        word.trim().toLowerCase(),
    ),
  );
  if (days === undefined) return null;
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
};

/**
 * The FHIR date of a text as people write it: `today`, `2019`, `May 2019`, `5/2019`, `14.5.2019`, `14 May 2019`, `2019-05-14`. Where digits leave
 * it open, a point stands after the day, and otherwise the language decides whether the day is before the month. Null for a text
 * that is not a date, and for a year of two digits, which could be of two centuries.
 */
export const parseTypedDate = (text: string, language: string, now = new Date()): string | null => {
  const relative = relativeDay(text, language, now);
  if (relative !== null) return relative;
  const words = text
    .trim()
    .split(/[\s,./-]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^(\d+)(st|nd|rd|th)$/i, '$1'));
  const months = monthsOf(language);
  const name = words.find((word) => months.has(simpleWordOf(word)));
  const digits = words.filter((word) => /^\d{1,4}$/.test(word));
  if (digits.length + (name === undefined ? 0 : 1) !== words.length) return null;
  const [year, ...others] = digits.toSorted((a, b) => Number(isYear(b)) - Number(isYear(a)));
  const [first = 0, second = 0] = others.map(Number);
  if (year === undefined || !isYear(year) || others.length > 2) return null;
  if (name !== undefined) {
    return others.length === 2
      ? null
      : dateOf(year, months.get(simpleWordOf(name)), others[0] === undefined ? undefined : first);
  }
  if (others.length === 0) return dateOf(year);
  if (others.length === 1) return dateOf(year, first);
  const isDayFirst =
    !isYear(digits[0] ?? '') &&
    (first > 12 || (second <= 12 && (text.includes('.') || startsWithDay(language))));
  return isDayFirst ? dateOf(year, second, first) : dateOf(year, first, second);
};

/** The hour and the minute of a time such as `14:30` or `2:30 pm`; null if the day does not have it. */
const clockOf = (hours: string, minutes: string, half = ''): readonly [number, number] | null => {
  const isHalf = half !== '';
  const hour = isHalf ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hour > 23 || Number(minutes) > 59 || (isHalf && !/^(0?[1-9]|1[0-2])$/.test(hours))
    ? null
    : [hour, Number(minutes)];
};

/**
 * The FHIR date or dateTime of a text: a date, or one with a time such as `28.11.2026 14:30` or `today 2:30 pm`. A time alone is one of today.
 * It is the time where the user is. Null for anything else, and for a time that a change of the clock skips.
 */
export const parseTypedMoment = (text: string, language: string, now = new Date()): string | null => {
  const [match, day = '', hours = '', minutes = '', half] =
    /^(?:(.*?)[\s,T]+)?(\d{1,2}):(\d\d)(?:\s*([ap])\.?m\.?)?$/i.exec(text.trim()) ?? [];
  if (match === undefined) return parseTypedDate(text, language, now);
  const clock = clockOf(hours, minutes, half);
  const date = day === '' ? dayOf(now) : parseTypedDate(day, language, now);
  if (clock === null || date === null || date.length !== 'YYYY-MM-DD'.length) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  const time = `${date}T${two(clock[0])}:${two(clock[1])}:00`;
  // Without an offset, it is read where the user is.
  const moment = new Date(time);
  if (moment.getHours() !== clock[0] || moment.getMinutes() !== clock[1]) return null;
  const offset = -moment.getTimezoneOffset();
  const distance = Math.abs(offset);
  return `${time}${offset < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
};
