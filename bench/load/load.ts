import { answerParent } from '../child/answer-parent.ts';
import { randomFrom } from '../data/random.ts';
import { createRequests, type Requests } from './requests.ts';
import { sendContinuously } from './send-continuously.ts';

export type Load = {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly requests: Requests;
  readonly seed: number;
};

export type LoadResult = { readonly served: number; readonly perSecond: number; readonly refused: number };

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends requests on some connections for some time, and returns the responses in a second. */
answerParent(async ({ origin, connections, seconds, requests, seed }: Load): Promise<LoadResult> => {
  const next = createRequests(requests, randomFrom(seed));
  let served = 0;
  let refused = 0;
  const began = performance.now();
  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      sendContinuously(origin, next, (status) => {
        if (status >= 200 && status < 300) served += 1;
        else refused += 1;
      }),
    ),
  );
  // If one response takes longer than the round, the round waits for it.
  do await wait(seconds);
  while (served + refused === 0);
  const took = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return { served, perSecond: served / took, refused };
});
