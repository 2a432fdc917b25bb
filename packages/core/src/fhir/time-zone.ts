/** Turns what a clock on the wall shows, in milliseconds as if it hung in UTC, into the instant at which it shows that. */
export type TimeZone = (wallClock: number) => number;

export const utc: TimeZone = (wallClock) => wallClock;

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** The minutes of an offset such as `-05:00`; none of `Z`, and of the empty one of UTC. */
export const parseOffsetMinutes = (offset: string): number =>
  offset === 'Z' || offset === ''
    ? 0
    : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));

/**
 * The time zone of a name such as `America/New_York`, with its summer times.
 *
 * Throws a RangeError for a name that the IANA database does not know.
 */
export const createTimeZone = (name: string): TimeZone => {
  if (name === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number): number => {
    const shown = format.format(instant);
    return parseOffsetMinutes(shown.slice(shown.indexOf('GMT') + 'GMT'.length)) * 60_000;
  };
  // Where the clock is put forward, a time that it never shows is read by the offset before, as if it had not been;
  // where it is put back, a time that it shows twice is the first of the two.
  return (wallClock) => {
    const before = offsetAt(wallClock - millisecondsPerDay);
    const after = offsetAt(wallClock + millisecondsPerDay);
    if (before === after) return wallClock - before;
    const isAfter = offsetAt(wallClock - before) !== before && offsetAt(wallClock - after) === after;
    return wallClock - (isAfter ? after : before);
  };
};
