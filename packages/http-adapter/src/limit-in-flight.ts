import type { Principal } from './scopes.ts';

/** Counts a request until the returned function is called. Returns null if the sender has too many already. */
export type BeginRequest = (principal: Pick<Principal, 'subject' | 'client'>) => (() => void) | null;

const countNothing = () => {};

/** Throws if the limit is not a whole number of at least 1. */
export const checkMaxInFlight = (maxInFlight: number): void => {
  if (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1) {
    throw new TypeError('maxInFlight must be a whole number of at least 1.');
  }
};

/** Limits how many requests of one subject by one client are handled at the same time. */
export const limitInFlight = (maxInFlight: number | undefined): BeginRequest => {
  if (maxInFlight === undefined) return () => countNothing;
  const counts = new Map<string, number>();
  return ({ subject, client }) => {
    const key = JSON.stringify([subject, client]);
    const count = counts.get(key) ?? 0;
    if (count >= maxInFlight) return null;
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    };
  };
};
