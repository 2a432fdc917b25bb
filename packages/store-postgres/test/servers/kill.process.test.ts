import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type ClinicalStore,
  computeDigest,
  type FeedEntry,
  noVersion,
  type Position,
} from '@clinical-records/core/store';
import { startPostgres, startSilentProxy } from '@clinical-records/testing-postgres';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createTenant, openPostgresStore } from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import { openPool } from '../tenants/databases.ts';

const kills = Number(process.env.CRASHES ?? 3);
/** Two clinics in the same tables, which write records of the same ids. */
const tenants = ['north', 'south'];
const writersOfEach = 8;

type Outcome = 'written' | 'unavailable' | 'unknown';

const readFeed = async (store: ClinicalStore): Promise<readonly FeedEntry[]> => {
  const entries: FeedEntry[] = [];
  for (let position: Position | undefined; ; position = entries.at(-1)?.position) {
    const page = await resultOf(store.changesSince({ position, limit: 1000 }));
    if (page.length === 0) return entries;
    entries.push(...page);
  }
};

/** Writes records until it is over, and notes the outcome that was reported for each. */
const writeUntil = async (
  store: ClinicalStore,
  name: string,
  outcomes: Map<string, Outcome>,
  isOver: () => boolean,
): Promise<void> => {
  for (let nth = 0; !isOver(); nth += 1) {
    const id = `${name}-${nth}`;
    const result = await store.commit({
      changes: [
        {
          type: 'Goal',
          id,
          patientId: 'amy',
          at: nth,
          by: null,
          state: '{}',
          resource: JSON.stringify({ id }),
          index: [{ kind: 'token', parameter: 'category', system: '', code: name }],
          expects: noVersion,
        },
      ],
      versionChecks: [],
    });
    const failed = isRight(result) || result.left._tag !== 'OutcomeUnknown' ? 'unavailable' : 'unknown';
    outcomes.set(id, isRight(result) ? 'written' : failed);
    // A refused writer leaves the processor to the server that starts again.
    if (!isRight(result)) await setTimeout(10);
  }
};

const countGoals = async (store: ClinicalStore) => {
  const query = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 1, withTotal: true };
  return (await resultOf(store.search(query))).total;
};

/** The store has everything that was reported as written, nothing that was not, and a feed without gaps. */
const expectReported = async (
  store: ClinicalStore,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> => {
  const feed = await readFeed(store);
  const written = new Set(feed.map(({ id }) => id));
  for (const [id, outcome] of outcomes) {
    if (outcome !== 'unknown') expect([id, written.has(id)]).toEqual([id, outcome === 'written']);
  }
  expect(written.size).toBe(feed.length);
  expect(await countGoals(store)).toBe(feed.length);
  expect(feed.map(({ position }) => position)).toEqual(feed.map((_, at) => `${at + 1}`));
  let digest = '';
  for (const entry of feed) {
    digest = computeDigest((text) => hash('sha256', text), digest, entry);
    expect(entry.digest).toBe(digest);
  }
};

test('after PostgreSQL is killed, each clinic has everything that was reported as written, and nothing that was not', {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const server = await startPostgres();
  // Responses take their time, so that kills lose those of commits that are written.
  const network = await startSilentProxy(server.url, { delay: 3 });
  const pool = openPool(network.url, { pipeline: true, max: 6 });
  for (const tenant of tenants) await createTenant({ pool, tenant });
  const clinics = tenants.map((tenant) => ({
    store: openPostgresStore({ pool, tenant }),
    outcomes: new Map<string, Outcome>(),
  }));
  const countOutcomes = () => clinics.reduce((sum, { outcomes }) => sum + outcomes.size, 0);
  for (let round = 0; round < kills; round += 1) {
    let isOver = false;
    const enough = countOutcomes() + 100 + 40 * (round % 5);
    const writers = clinics.flatMap(({ store, outcomes }) =>
      Array.from({ length: writersOfEach }, (_, at) =>
        writeUntil(store, `${round}-${at}`, outcomes, () => isOver),
      ),
    );
    while (countOutcomes() < enough) await setTimeout(1);
    await server.kill();
    isOver = true;
    await server.restart();
    await Promise.all(writers);
  }
  for (const { store, outcomes } of clinics) await expectReported(store, outcomes);
  const reasons = clinics.flatMap(({ outcomes }) => [...outcomes.values()]);
  const count = (reason: Outcome) => reasons.filter((one) => one === reason).length;
  console.log(
    `${kills} kills: ${count('written')} written, ${count('unavailable')} unavailable, ${count('unknown')} unknown`,
  );
  for (const { store } of clinics) await store.close();
  network.close();
  await server.stop();
});
