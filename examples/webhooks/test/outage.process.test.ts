import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createWebhook } from '@clinical-records/http-adapter/webhooks';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDeliveryQueue } from '../delivery-queue.ts';
import { openClinic } from './clinic.ts';
import { createEndpoint, secret, versionsByRecord, withoutRepeats } from './endpoint.ts';

const minute = 60_000;
const outage = { from: 10 * minute, until: 70 * minute };
const patientIds = ['amy', 'ben', 'cleo', 'dan'];

/** Why the worker ends between sending and saving. */
const killed = new Error('killed');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Random numbers from 0 up to 1 that are the same for the same seed: a linear congruential generator. */
const createRandom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
};

const stores: readonly (readonly [name: string, open: () => ClinicalStore])[] = [
  ['the memory store', createMemoryStore],
  ['SQLite', () => openSqliteStore({ filename: join(folder, 'clinic.db') })],
];

const seeds = [1, 2];

test.each(stores.flatMap(([name, open]) => seeds.map((seed) => [name, seed, open] as const)))(
  'an endpoint that is down for an hour and killed at random has every change of %s once it is back (seed %i)',
  async (_, seed, open) => {
    const store = open();
    const random = createRandom(seed);
    let now = 0;
    const clock = () => new Date(now);
    const { records, changeTeam, changes } = await openClinic(store, patientIds);
    let attemptsInOutage = 0;
    let kills = 0;

    const endpoints = ['https://down.example/', 'https://up.example/'].map((url) => {
      const endpoint = createEndpoint();
      const fetch = async (_: URL, init: RequestInit): Promise<Response> => {
        const isDown = url.includes('down') && now >= outage.from && now < outage.until;
        const dice = random();
        if (isDown) attemptsInOutage++;
        if (isDown || dice < 0.1) throw new TypeError('fetch failed');
        if (dice < 0.2) return new Response(null, { status: 503 });
        const response = endpoint.post(init, clock());
        // It was killed after it had kept the change, and before it responded.
        if (dice < 0.3) throw new TypeError('terminated');
        return response;
      };
      return { ...endpoint, url, fetch };
    });

    const filename = join(folder, 'webhooks.db');
    const startWorker = () => {
      const database = new Database(filename);
      const webhooks = endpoints.map(({ url, fetch }) => {
        const queue = openDeliveryQueue(database, url);
        // The worker may also be killed after it has sent deliveries, and before it has written that.
        const save: typeof queue.save = async (...attempts) => {
          if (random() < 0.1) throw killed;
          await queue.save(...attempts);
        };
        return createWebhook({ records, url, secret, clock, random, fetch, queue: { ...queue, save } });
      });
      return { webhooks, end: () => database.close() };
    };

    let worker = startWorker();
    let changeAt = 0;
    for (;;) {
      if (changeAt <= now) {
        await changeTeam(patientIds[Math.floor(random() * patientIds.length)] ?? 'amy');
        changeAt = now < outage.until ? now + minute : Number.POSITIVE_INFINITY;
      }
      const results = await Promise.allSettled(worker.webhooks.map(({ deliver }) => deliver()));
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      for (const reason of reasons) if (reason !== killed) throw reason;
      if (reasons.length > 0) {
        worker.end();
        kills++;
        worker = startWorker();
        continue;
      }
      const dueAt = results.flatMap((result) =>
        result.status === 'fulfilled' && result.value !== null ? [result.value] : [],
      );
      const next = Math.min(changeAt, ...dueAt);
      if (next === Number.POSITIVE_INFINITY) break;
      now = Math.max(now, next);
    }
    worker.end();

    const feed = (await changes()).map(({ resourceType, id, version }) => ({
      record: `${resourceType}/${id}`,
      version,
    }));
    await store.close();
    expect(feed.length).toBeGreaterThan(30);
    expect(attemptsInOutage).toBeGreaterThan(20);
    expect(kills).toBeGreaterThan(5);
    for (const { requests, received } of endpoints) {
      const first = withoutRepeats(requests);
      expect(requests.length).toBeGreaterThan(first.length);
      expect(versionsByRecord(first)).toEqual(versionsByRecord(feed));
      // Each was signed at its time, or the receiver had refused it.
      expect(received.ids.size).toBe(feed.length);
    }
  },
);
