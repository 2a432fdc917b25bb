/** Turns what a clock on the wall shows, in milliseconds as if it hung in UTC, into the instant at which it does. */
export type TimeZone = (wallClock: number) => number;

export const utc: TimeZone = (wallClock) => wallClock;

const minutesOf = (offset: string): number => {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/**
 * The time zone of a name such as `America/New_York`, with its summer times.
 *
 * Throws a RangeError for a name that the IANA data base does not know.
 */
export const timeZoneNamed = (name: string): TimeZone => {
  if (name === 'UTC') return utc;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsetAt = (instant: number): number => {
    const shown = format.formatToParts(instant).find((part) => part.type === 'timeZoneName');
    return minutesOf(shown?.value ?? '') * 60_000;
  };
  // The offset is a function of the instant that is sought: the second look corrects the first near a change of it.
  return (wallClock) => wallClock - offsetAt(wallClock - offsetAt(wallClock));
};
