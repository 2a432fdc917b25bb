import type { Child } from '../child/start-child.ts';
import type { Load, LoadResult } from './load.ts';
import type { Requests } from './requests.ts';

/** By then, V8 has compiled the code that the requests run through. */
const enoughResponses = 20_000;

/** The pauses between checks of how many requests were answered, in seconds. */
const checkInterval = 0.2;

/** Sends requests to a server before it is measured, and returns the result of the last of them. */
export type WarmUp = (
  server: string,
  load: { readonly origin: string; readonly requests: Requests },
) => Promise<LoadResult>;

/**
 * Each server gets requests of a kind until it has answered enough of them in all, or until the time is over. It gets a
 * few even if it answered enough for an earlier workload.
 */
export const createWarmUp = (load: Child<Load, LoadResult>, seconds: number): WarmUp => {
  const answered = new Map<string, number>();
  return async (server, { origin, requests }) => {
    const key = `${server}, ${requests.kind}`;
    const end = performance.now() + seconds * 1000;
    let served = answered.get(key) ?? 0;
    let result: LoadResult;
    do {
      result = await load.ask({ origin, connections: 32, seconds: checkInterval, requests, seed: served });
      served += result.served;
    } while (result.refused === 0 && served < enoughResponses && performance.now() < end);
    answered.set(key, served);
    return result;
  };
};
