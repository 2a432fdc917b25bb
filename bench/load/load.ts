import { answer } from '../child/answer.ts';
import { randomFrom } from '../data/random.ts';
import { keepAsking } from './connection.ts';
import { type Requests, requestsOf } from './requests.ts';

export type Load = {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly requests: Requests;
  readonly seed: number;
};

export type Served = { readonly perSecond: number; readonly refused: number };

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Asks a server on so many connections for so long, and answers how many answers came a second. */
answer(async ({ origin, connections, seconds, requests, seed }: Load): Promise<Served> => {
  const next = requestsOf(requests, randomFrom(seed));
  let served = 0;
  let refused = 0;
  const began = performance.now();
  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      keepAsking(origin, next, (status) => {
        if (status >= 200 && status < 300) served += 1;
        else refused += 1;
      }),
    ),
  );
  // Where one answer takes longer than the round, the round lasts as long as it takes.
  do await wait(seconds);
  while (served + refused === 0);
  const took = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return { perSecond: served / took, refused };
});
