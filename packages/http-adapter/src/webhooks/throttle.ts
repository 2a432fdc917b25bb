import { type Backoff, delayAfter } from './backoff.ts';
import type { PostResponse } from './post.ts';

/** How many deliveries an endpoint gets at once. Times are in milliseconds since 1970. */
export type Throttle = {
  /** How many may be in flight at a time. */
  readonly places: (at: number) => number;
  /** Until when none is sent; in the past if some are. */
  readonly until: () => number;
  /** Looks at a response. */
  readonly observe: (response: PostResponse) => void;
};

export const isAccepted = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

/** The responses of an endpoint that has too much to do. Source: Standard Webhooks 1.0.0, "Delivery success and failure". */
const isOverloaded = ({ status, retryAt }: PostResponse): boolean =>
  retryAt !== null || [429, 502, 504].includes(status ?? 0);

/**
 * Creates the throttle of an endpoint. If the endpoint has too much to do, nothing is sent until it wants to be asked again, and at
 * least for a delay that doubles each time. After that, one delivery at once is sent until it accepts one.
 */
export const createThrottle = (
  { concurrency, backoff, random }: { concurrency: number; backoff: Backoff; random: () => number },
  now: () => number,
): Throttle => {
  let overloads = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    places: (at) => {
      if (at < until) return 0;
      return overloads > 0 ? 1 : concurrency;
    },
    until: () => until,
    observe: (response) => {
      if (isAccepted(response.status)) {
        overloads = 0;
      } else if (isOverloaded(response)) {
        // Those that were in flight together are one overload.
        if (now() >= until) overloads += 1;
        const delayed = now() + delayAfter(Math.max(overloads, 1), backoff, random());
        until = Math.max(until, delayed, response.retryAt ?? delayed);
      }
    },
  };
};
