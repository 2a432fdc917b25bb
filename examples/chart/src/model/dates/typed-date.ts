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

/**
 * The FHIR date of a text as people write it: `2019`, `May 2019`, `5/2019`, `14.5.2019`, `14 May 2019`, `2019-05-14`. Where digits leave
 * it open, a point stands after the day, and otherwise the language decides whether the day is before the month. Null for a text
 * that is not a date, and for a year of two digits, which could be of two centuries.
 */
export const parseTypedDate = (text: string, language: string): string | null => {
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
