const hour = 3_600_000;
const day = 24 * hour;

/** The date that is a number of days from today. */
export const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * day).toISOString().slice(0, 10);

/** A clock that starts some days ago and moves on by four hours at each call, so that the demo clinic has a past. */
export const createPastClock = (daysAgo: number): (() => Date) => {
  let now = Date.now() - daysAgo * day;
  return () => {
    now = Math.min(now + 4 * hour, Date.now());
    return new Date(now);
  };
};
