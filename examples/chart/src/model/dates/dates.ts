const dayLength = 86_400_000;

const isDateTime = (date: string): boolean => date.length > 'YYYY-MM-DD'.length;

/** The moment of a dateTime. A leap second, which a `Date` does not have, is the second before it. */
const momentOf = (dateTime: string): Date => new Date(dateTime.replace(/:60(?=[.Z+-])/, ':59'));

/** The first moment of a FHIR date or dateTime of any precision, in milliseconds; a date is read as UTC. */
export const startOf = (date: string): number => {
  if (isDateTime(date)) return momentOf(date).getTime();
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, dayOfMonth);
};

/** The last day of a FHIR date, such as 31 December of a year, in milliseconds; read as UTC. */
export const lastDayOf = (date: string): number => {
  const [year = 0, month = 12, dayOfMonth] = date.split('-').map(Number);
  return dayOfMonth === undefined ? Date.UTC(year, month, 0) : Date.UTC(year, month - 1, dayOfMonth);
};

/** The whole days from one moment to another. */
const daysBetween = (from: number, to: number): number => Math.round((to - from) / dayLength);

/** The day of a moment as a FHIR date, where the reader is. */
export const dayOf = (now: Date): string => {
  const [year, month, dayOfMonth] = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return [year, String(month).padStart(2, '0'), String(dayOfMonth).padStart(2, '0')].join('-');
};

/** A date, or the day of a dateTime where the reader is. */
export const dayIn = (date: string): string => (isDateTime(date) ? dayOf(momentOf(date)) : date);

export const monthNames = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The day of a date or a dateTime with no more precision than it has, such as `14 Sep 2021`, `May 2019` or `1998`. */
export const formatDay = (date: string): string => {
  if (isDateTime(date)) return formatDay(dayIn(date));
  const [year = '', month, day] = date.split('-');
  if (month === undefined) return year;
  const monthAndYear = `${monthNames.format(startOf(date))} ${year}`;
  return day === undefined ? monthAndYear : `${Number(day)} ${monthAndYear}`;
};

/** A date as its day, and a dateTime with the time, too, in the reader's zone. */
export const formatDate = (date: string): string =>
  isDateTime(date) ? `${formatDay(date)}, ${times.format(momentOf(date))}` : formatDay(date);

/** A moment as its time, and with its day unless that is today, in the reader's zone. */
export const formatMoment = (moment: number, now: number): string => {
  const [day, today] = [moment, now].map((one) => dayOf(new Date(one)));
  const time = times.format(moment);
  return day === today ? time : `${formatDay(day ?? '')}, ${time}`;
};

/** A number with its unit, such as `1 day` or `12 days`. */
export const quantity = (count: number, unit: string): string =>
  count === 1 ? `1 ${unit}` : `${count} ${unit}s`;

/** A number of days in words: `12 days`, beyond 60 in months, and beyond two years in years. */
export const formatSpan = (days: number): string => {
  if (days <= 60) return quantity(days, 'day');
  const months = Math.floor((days * 12) / 365.25);
  return months < 24 ? quantity(months, 'month') : quantity(Math.floor(months / 12), 'year');
};

/** Where a last day stands with today, such as `due in 12 days` or `overdue by 16 months`. It is due until the day is over. */
export const formatDue = (
  lastDay: string,
  now: number,
): { readonly isOverdue: boolean; readonly text: string } => {
  const days = daysBetween(startOf(dayOf(new Date(now))), lastDayOf(lastDay));
  if (days < 0) return { isOverdue: true, text: `overdue by ${formatSpan(-days)}` };
  return { isOverdue: false, text: days === 0 ? 'due today' : `due in ${formatSpan(days)}` };
};

/** The whole months from a birth date to a day. */
const monthsAt = (birthDate: string, today: string): number => {
  const [year = 0, month = 1, dayOfMonth = 1] = birthDate.split('-').map(Number);
  const [thisYear = 0, thisMonth = 1, thisDay = 1] = today.split('-').map(Number);
  return (thisYear - year) * 12 + thisMonth - month - (thisDay < dayOfMonth ? 1 : 0);
};

/**
 * An age, which is the finer the younger the patient: `65 years`, `5 years 3 months`, `14 months`, `6 weeks`, `12 days`. Source: the
 * NHS's guidance on the patient banner. Without the day of birth, it is only about that.
 */
export const ageAt = (birthDate: string, today: string): string => {
  const months = monthsAt(birthDate, today);
  const years = Math.floor(months / 12);
  if (birthDate.length < 'YYYY-MM-DD'.length) return `about ${quantity(years, 'year')}`;
  if (years >= 18) return quantity(years, 'year');
  if (years >= 2)
    return [quantity(years, 'year'), ...(months % 12 ? [quantity(months % 12, 'month')] : [])].join(' ');
  if (years === 1) return quantity(months, 'month');
  const days = daysBetween(startOf(birthDate), startOf(today));
  return days < 28 ? quantity(days, 'day') : quantity(Math.floor(days / 7), 'week');
};
