const hour = 3_600_000;
const day = 24 * hour;

export const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * day).toISOString().slice(0, 10);

/**
 * A clock that starts some days ago, so that the demo clinic has a past, and moves on by five hours at each call: no two times
 * lie exactly a day apart.
 */
export const createPastClock = (daysAgo: number): (() => Date) => {
  let now = Date.now() - daysAgo * day;
  return () => {
    now = Math.min(now + 5 * hour, Date.now());
    return new Date(now);
  };
};
