/**
 * Converts the time that a wall clock shows, in milliseconds as if in UTC, into the instant at which the clock shows
 * it.
 */
export type TimeZone = (wallClock: number) => number;

export const utc: TimeZone = (wallClock) => wallClock;

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** The minutes of an offset such as `-05:00`; 0 for `Z` and for an empty offset, which both mean UTC. */
export const parseOffsetMinutes = (offset: string): number =>
  offset === 'Z' || offset === ''
    ? 0
    : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));

/**
 * Creates the time zone with a name such as `America/New_York`, with its daylight saving time.
 *
 * Throws a RangeError for a name that the IANA database does not have.
 */
export const createTimeZone = (name: string): TimeZone => {
  if (name === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number): number => {
    const shown = format.format(instant);
    return parseOffsetMinutes(shown.slice(shown.indexOf('GMT') + 'GMT'.length)) * 60_000;
  };
  // A time that is skipped when the clock is put forward is read with the offset before. A time that occurs twice when
  // the clock is put back is the first of the two.
  return (wallClock) => {
    const before = offsetAt(wallClock - millisecondsPerDay);
    const after = offsetAt(wallClock + millisecondsPerDay);
    if (before === after) return wallClock - before;
    const isAfter = offsetAt(wallClock - before) !== before && offsetAt(wallClock - after) === after;
    return wallClock - (isAfter ? after : before);
  };
};
