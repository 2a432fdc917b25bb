import { createTimeZone, parseInterval } from '@clinical-records/core/rules';

const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const longWeekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = String.raw`(?<time>\d\d:\d\d:\d\d)`;

/** The three forms of an HTTP-date. The last one is in GMT, although it does not say so. */
const imfFixdate = new RegExp(`^${weekday}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`);
const rfc850Date = new RegExp(`^${longWeekday}, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`);
const asctimeDate = new RegExp(`^${weekday} ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`);

export const utc = createTimeZone('UTC');

const instantOf = (year: number, { month = '', day = '', time = '' }: Record<string, string>) => {
  const number = months.indexOf(month) + 1;
  const date = [String(year).padStart(4, '0'), String(number).padStart(2, '0'), day.replace(' ', '0')];
  return parseInterval(`${date.join('-')}T${time}Z`, utc)?.from;
};

/**
 * Parses an HTTP-date into milliseconds; returns undefined if it is invalid, such as a day that does not exist. A year
 * of two digits is in this century, or in the one before if it would be more than 50 years ahead. Source: RFC 9110,
 * 5.6.7.
 */
export const parseHttpDate = (text: string, now: Date): number | undefined => {
  const parts = (imfFixdate.exec(text) ?? rfc850Date.exec(text) ?? asctimeDate.exec(text))?.groups;
  if (parts === undefined) return undefined;
  const year = Number(parts.year);
  if (parts.year?.length === 4) return instantOf(year, parts);
  const thisYear = now.getUTCFullYear();
  const century = thisYear - (thisYear % 100);
  const instant = instantOf(century + year, parts);
  const latest = new Date(now).setUTCFullYear(thisYear + 50);
  return instant !== undefined && instant > latest ? instantOf(century - 100 + year, parts) : instant;
};
