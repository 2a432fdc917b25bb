import { setImmediate } from 'node:timers/promises';
import {
  createWebhook,
  type DeliveryQueue,
  type WebhookOptions,
} from '@clinical-records/http-adapter/webhooks';
import { createMemoryStore } from '@clinical-records/store-memory';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDeliveryQueue } from '../delivery-queue.ts';
import { isVerified } from '../receiver.ts';
import { type Clinic, openClinic } from './clinic.ts';
import { acceptAll, createEndpoint, type Endpoint, secret, versionsByRecord } from './endpoint.ts';

let clinic: Clinic;
let database: InstanceType<typeof Database>;
let queue: DeliveryQueue;
let endpoint: Endpoint;
let now: number;
const clock = () => new Date(now);

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore(), ['amy', 'ben']);
  database = new Database(':memory:');
  queue = openDeliveryQueue(database, 'https://endpoint.example/');
  endpoint = createEndpoint();
  now = Date.parse('2026-03-01T08:00:00Z');
});

afterEach(() => {
  database.close();
});

const open = (options: Partial<WebhookOptions> = {}) =>
  createWebhook({
    ...acceptAll(endpoint, clock),
    records: clinic.records,
    queue,
    random: () => 0,
    ...options,
  });

/** Delivers until nothing is due, and returns when something is. */
const deliverAll = async (options?: Partial<WebhookOptions>): Promise<number | null> => {
  const { deliver } = open(options);
  for (;;) {
    const dueAt = await deliver();
    if (dueAt === null || dueAt > now) return dueAt;
  }
};

const isOf = (record: string, init: RequestInit): boolean => {
  const { resourceType, id } = JSON.parse(`${init.body}`).data;
  return record === `${resourceType}/${id}`;
};

/** Refuses the deliveries of one record. */
const refusing =
  (record: string): Required<WebhookOptions>['fetch'] =>
  async (_, init) => {
    const response = endpoint.post(init, clock());
    return isOf(record, init) ? new Response(null, { status: 500 }) : response;
  };

test('a failing delivery holds back later versions of its record, and no other record', async () => {
  await deliverAll();
  endpoint.requests.length = 0;
  for (const patientId of ['amy', 'amy', 'ben', 'ben']) await clinic.changeTeam(patientId);
  for (const _ of [1, 2, 3]) now = (await deliverAll({ fetch: refusing('CareTeam/amy') })) ?? now;
  const { 'CareTeam/amy': held, 'CareTeam/ben': sent } = versionsByRecord(endpoint.requests);
  expect(held).toEqual([2, 2, 2]);
  expect(sent).toEqual([2, 3]);
  endpoint.requests.length = 0;
  expect(await deliverAll()).toBe(null);
  expect(versionsByRecord(endpoint.requests)['CareTeam/amy']).toEqual([2, 3]);
});

test('after the limit of attempts, a delivery is a dead letter and the next version is sent', async () => {
  await deliverAll();
  for (const patientId of ['amy', 'amy']) await clinic.changeTeam(patientId);
  let isRefused = true;
  const options: Partial<WebhookOptions> = {
    attemptLimit: 3,
    fetch: async (_, init) =>
      isRefused ? new Response(null, { status: 400 }) : endpoint.post(init, clock()),
    onAttempt: ({ kind }) => {
      if (kind === 'dead') isRefused = false;
    },
    concurrency: 1,
  };
  endpoint.requests.length = 0;
  for (let dueAt: number | null = now; dueAt !== null; ) {
    now = dueAt;
    dueAt = await deliverAll(options);
  }
  expect(versionsByRecord(endpoint.requests)).toEqual({
    'CareTeam/amy': [3],
    ...versionsByRecord(endpoint.requests.filter(({ record }) => record !== 'CareTeam/amy')),
  });
  const letters = database.prepare('SELECT record, attempts, status FROM dead_letters').all();
  expect(letters).toEqual([{ record: 'CareTeam/amy', attempts: 3, status: 400 }]);
});

test.each([
  [200, true],
  [299, true],
  [301, false],
  [404, false],
  [429, false],
  [503, false],
])('a response with status %i is a delivery: %s', async (status, isDelivered) => {
  const dueAt = await deliverAll({ fetch: async () => new Response(null, { status }) });
  expect(dueAt === null).toBe(isDelivered);
});

test('an attempt that takes too long has failed', async () => {
  const errors: unknown[] = [];
  await deliverAll({
    timeout: 1,
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    onAttempt: ({ kind, status, error }) =>
      errors.push([kind, status, error instanceof Error ? error.name : error]),
  });
  expect(errors[0]).toEqual(['failed', null, 'TimeoutError']);
});

describe('body', () => {
  const bodiesWith = async (options: Partial<WebhookOptions>) => {
    const bodies: Record<string, unknown>[] = [];
    const fetch: WebhookOptions['fetch'] = async (_, { body }) => {
      bodies.push(JSON.parse(`${body}`));
      return new Response();
    };
    await deliverAll({ ...options, fetch, filter: ({ patientId }) => patientId === 'amy' });
    return bodies;
  };

  test('it says what happened, and has no data of the chart', async () => {
    await clinic.changeTeam('amy');
    const all = (await clinic.changes()).filter(({ patientId }) => patientId === 'amy');
    expect(all.map(({ version }) => version)).toEqual([1, 2]);
    expect(await bodiesWith({})).toEqual(
      all.map(({ resourceType, id, version, patientId, at, by }) => ({
        type: 'CareTeam.changed',
        timestamp: at,
        data: { resourceType, id, version, patientId, by },
      })),
    );
  });

  test('it has the resource of that version if the host demands it', async () => {
    await clinic.changeTeam('amy');
    const all = (await clinic.changes()).filter(({ patientId }) => patientId === 'amy');
    expect(await bodiesWith({ includeResource: true })).toMatchObject(
      all.map(({ resource }) => ({ data: { resource: JSON.parse(JSON.stringify(resource)) } })),
    );
  });
});

describe('run', () => {
  /** Runs until it has waited so often; a timer moves the clock. */
  const delaysOf = async (waits: number, options: Partial<WebhookOptions>) => {
    const stop = new AbortController();
    const delays: number[] = [];
    const wait = async (milliseconds: number, signal: AbortSignal) => {
      await setImmediate();
      // The attempts have ended meanwhile.
      if (signal.aborted) return;
      delays.push(milliseconds);
      now += milliseconds;
      if (delays.length === waits) stop.abort();
    };
    await open({ ...options, wait }).run(stop.signal);
    return delays;
  };

  test('it waits until the next delivery is due, twice as long after each failure', async () => {
    const fetch = async () => new Response(null, { status: 500 });
    const delays = await delaysOf(5, { fetch, pollInterval: 60_000, filter: ({ id }) => id === 'amy' });
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  test('it looks for new changes in between', async () => {
    expect(await delaysOf(3, { pollInterval: 500 })).toEqual([500, 500, 500]);
  });

  test('it ends when it is stopped while it waits', async () => {
    const stop = new AbortController();
    const running = open({ pollInterval: 2 ** 30, onAttempt: () => stop.abort() }).run(stop.signal);
    await expect(running).resolves.toBeUndefined();
    expect(endpoint.requests).not.toEqual([]);
  });
});

test('two processes cannot fill one queue', async () => {
  const [change] = await clinic.changes();
  if (change === undefined) throw new Error('The feed is empty.');
  const added = { deliveries: [], since: undefined, position: change.position, at: now };
  await queue.add(added);
  await expect(queue.add(added)).rejects.toThrow('Another process');
});

test('each secret signs, so that one can replace another', async () => {
  const newSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const verified: boolean[] = [];
  await deliverAll({
    secret: [newSecret, secret],
    fetch: async (_, init) => {
      const request = { headers: new Headers(init.headers), body: `${init.body}`, at: clock() };
      verified.push(isVerified(request, newSecret), isVerified(request, secret));
      verified.push(isVerified({ ...request, body: `${init.body} ` }, secret));
      verified.push(isVerified({ ...request, at: new Date(now + 301_000) }, secret));
      return new Response();
    },
  });
  expect(verified.slice(0, 4)).toEqual([true, true, false, false]);
});

test.each([
  [{ url: 'http://endpoint.example/' }, 'url'],
  [{ url: 'https://me:secret@endpoint.example/' }, 'url'],
  [{ secret: [] }, 'secret'],
  [{ secret: 'whsec_short' }, 'secret'],
])('%j is refused', (options, name) => {
  expect(() => open(options)).toThrow(name);
});
