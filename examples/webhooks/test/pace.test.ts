import { setImmediate } from 'node:timers/promises';
import {
  type Attempt,
  createWebhook,
  type DeliveryQueue,
  type WebhookOptions,
} from '@clinical-records/http-adapter/webhooks';
import { createMemoryStore } from '@clinical-records/store-memory';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDeliveryQueue } from '../delivery-queue.ts';
import { type Clinic, openClinic } from './clinic.ts';
import { acceptAll, createEndpoint, type Endpoint, versionsByRecord } from './endpoint.ts';

const patientIds = Array.from({ length: 12 }, (_, index) => `p${index}`);
const second = 1000;
const start = Date.parse('2026-03-01T08:00:00Z');

let clinic: Clinic;
let database: InstanceType<typeof Database>;
let queue: DeliveryQueue;
let endpoint: Endpoint;
let now: number;
let attempts: Attempt[];
const clock = () => new Date(now);

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore(), patientIds);
  database = new Database(':memory:');
  queue = openDeliveryQueue(database, 'https://endpoint.example/');
  endpoint = createEndpoint();
  now = start;
  attempts = [];
});

afterEach(() => {
  database.close();
});

type Fetch = Required<WebhookOptions>['fetch'];

/** A webhook whose timer moves the clock as soon as nothing else happens. */
const open = (fetch: Fetch, options: Partial<WebhookOptions> = {}) =>
  createWebhook({
    ...acceptAll(endpoint, clock),
    ...{ records: clinic.records, queue, fetch, random: () => 0 },
    onAttempt: (attempt) => attempts.push(attempt),
    wait: async (milliseconds, signal) => {
      await setImmediate();
      if (!signal.aborted) now += milliseconds;
    },
    ...options,
  });

const recordOf = (init: RequestInit): string => {
  const { resourceType, id } = JSON.parse(`${init.body}`).data;
  return `${resourceType}/${id}`;
};

const accept = (init: RequestInit): Response => endpoint.post(init, clock());

const sentTo = (patientId: string) => versionsByRecord(endpoint.requests)[`CareTeam/${patientId}`];

/** Lets other work go on until something is so. */
const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await setImmediate();
};

/** Holds the responses to the deliveries of a record until they are released. */
const holding = (record: string) => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const fetch: Fetch = async (_, init) => {
    const response = accept(init);
    if (recordOf(init) === record) await promise;
    return response;
  };
  return { fetch, release };
};

describe('a response that does not come', () => {
  test('delays later versions of its record, and nothing else: neither what is due, nor what comes meanwhile', async () => {
    const { fetch, release } = holding('CareTeam/p0');
    const stop = new AbortController();
    const running = open(fetch, { concurrency: 2 }).run(stop.signal);
    await until(() => attempts.length === patientIds.length - 1);
    for (const patientId of ['p0', 'p1', 'p1']) await clinic.changeTeam(patientId);
    await until(() => sentTo('p1')?.length === 3);
    expect([sentTo('p0'), sentTo('p1')]).toEqual([[1], [1, 2, 3]]);
    release();
    await until(() => sentTo('p0')?.length === 2);
    stop.abort();
    await running;
  });

  test('does not delay what is due for `deliver`, which waits for it', async () => {
    const { fetch, release } = holding('CareTeam/p0');
    const delivering = open(fetch).deliver();
    await until(() => attempts.length === patientIds.length - 1);
    await clinic.changeTeam('p1');
    await until(() => sentTo('p1')?.length === 2);
    release();
    expect(await delivering).toBeNull();
  });

  test('takes one of the places, of which there are no more than the host allows', async () => {
    let inFlight = 0;
    let most = 0;
    const asked: number[] = [];
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const due: DeliveryQueue['due'] = (at, limit) => {
      asked.push(limit);
      return queue.due(at, limit);
    };
    const delivering = open(
      async (_, init) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await promise;
        inFlight -= 1;
        return accept(init);
      },
      { concurrency: 3, queue: { ...queue, due } },
    ).deliver();
    await until(() => inFlight === 3);
    release();
    await delivering;
    expect(most).toBe(3);
    expect(Math.max(...asked)).toBe(3);
    expect(attempts).toHaveLength(patientIds.length);
  });
});

test('calls of `deliver` at the same time send nothing twice', async () => {
  const { deliver } = open(async (_, init) => accept(init));
  expect(await Promise.all([deliver(), deliver(), deliver()])).toEqual([null, null, null]);
  expect(endpoint.requests).toHaveLength(patientIds.length);
});

test('a delivery that ends while the queue is read is not sent again', async () => {
  const due: DeliveryQueue['due'] = async (at, limit) => {
    const read = await queue.due(at, limit);
    // Attempts end and are saved in between.
    for (const _ of patientIds) await setImmediate();
    return read;
  };
  const fetch: Fetch = async (_, init) => {
    // They end one after the other.
    for (const _ of patientIds.slice(endpoint.requests.length)) await setImmediate();
    return accept(init);
  };
  await open(fetch, { queue: { ...queue, due }, concurrency: 5 }).deliver();
  expect(endpoint.requests).toHaveLength(patientIds.length);
});

test('if the queue fails, `run` rejects after the attempts in flight have ended', async () => {
  const { fetch, release } = holding('CareTeam/p0');
  const failure = new Error('disk full');
  const save: DeliveryQueue['save'] = async (attempt, at) => {
    if (attempt.delivery.record === 'CareTeam/p1') throw failure;
    await queue.save(attempt, at);
  };
  const running = open(fetch, { queue: { ...queue, save } }).run(new AbortController().signal);
  let isEnded = false;
  const ended = running.catch((cause: unknown) => {
    isEnded = true;
    return cause;
  });
  await until(() => endpoint.requests.length === 8);
  for (const _ of [1, 2, 3]) await setImmediate();
  expect(isEnded).toBe(false);
  release();
  expect(await ended).toBe(failure);
  expect(attempts.map(({ delivery }) => delivery.record)).toContain('CareTeam/p0');
});

describe('a 410 ends the endpoint', () => {
  test('and nothing more is sent, of this record or others', async () => {
    const fetch: Fetch = async (_, init) =>
      recordOf(init) === 'CareTeam/p3' ? new Response(null, { status: 410 }) : accept(init);
    const { run, deliver } = open(fetch, { concurrency: 1 });
    await run(new AbortController().signal);
    expect(attempts.map(({ kind }) => kind)).toEqual(['delivered', 'delivered', 'delivered', 'gone']);
    expect(await deliver()).toBeNull();
    expect(endpoint.requests).toHaveLength(3);
  });

  test('and its queue stays as it is: if the endpoint is back, nothing was lost', async () => {
    await open(async () => new Response(null, { status: 410 })).run(new AbortController().signal);
    await clinic.changeTeam('p0');
    await open(async (_, init) => accept(init)).deliver();
    expect(sentTo('p0')).toEqual([1, 2]);
    expect(endpoint.requests).toHaveLength(patientIds.length + 1);
    expect(attempts.every(({ delivery }) => delivery.attempts === 0)).toBe(true);
  });
});

describe('`Retry-After` puts the delivery off, and all others', () => {
  const hour = 3600 * second;
  test.each<readonly [string, number]>([
    ['120', 120 * second],
    ['Sun, 01 Mar 2026 09:00:00 GMT', hour],
    ['0', second],
    ['Sun, 01 Mar 2026 07:00:00 GMT', second],
    ['99999999999', 24 * hour],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 24 * hour],
  ])('of %j', async (retryAfter, delay) => {
    const statuses = [503, 500, 429];
    const { deliver } = open(
      async () => new Response(null, { status: statuses.pop() ?? 0, headers: { 'retry-after': retryAfter } }),
      { concurrency: 3 },
    );
    expect(await deliver()).toBe(start + delay);
    expect(attempts.map((attempt) => attempt.kind === 'failed' && attempt.dueAt)).toEqual([
      ...[start + delay, start + delay, start + delay],
    ]);
    now = start + delay - 1;
    expect(await deliver()).toBe(start + delay);
    expect(attempts).toHaveLength(3);
  });

  test.each(['soon', '-5', '1.5', ''])('but not if it is %j', async (retryAfter) => {
    const headers = { 'retry-after': retryAfter };
    expect(await open(async () => new Response(null, { status: 503, headers })).deliver()).toBe(
      start + second,
    );
    expect(attempts).toHaveLength(patientIds.length);
  });
});

describe('an endpoint that has too much to do is slowed down', () => {
  test.each([429, 502, 504])(
    'by %i: everything waits, twice as long each time, for one delivery at once',
    async (status) => {
      let isOverloaded = true;
      let inFlight = 0;
      let most = 0;
      const { deliver } = open(
        async (_, init) => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          await setImmediate();
          inFlight -= 1;
          return isOverloaded ? new Response(null, { status }) : accept(init);
        },
        { concurrency: 4 },
      );
      expect(await deliver()).toBe(start + second);
      expect([most, attempts.length]).toEqual([4, 4]);
      for (const delay of [2, 4, 8]) {
        most = 0;
        now = (await deliver()) ?? now;
        const before = attempts.length;
        expect(await deliver()).toBe(now + delay * second);
        expect([most, attempts.length]).toEqual([1, before + 1]);
      }
      isOverloaded = false;
      most = 0;
      const sent = attempts.length;
      now += 8 * second;
      await deliver();
      // One at first, and then as many as before.
      expect(most).toBe(4);
      expect(attempts.length - sent).toBe(patientIds.length);
    },
  );

  test.each([400, 401, 404, 500, 503])('but not by %i: only the record waits', async (status) => {
    const { deliver } = open(async (_, init) =>
      recordOf(init) === 'CareTeam/p0' ? new Response(null, { status }) : accept(init),
    );
    expect(await deliver()).toBe(start + second);
    expect(attempts).toHaveLength(patientIds.length);
  });
});
