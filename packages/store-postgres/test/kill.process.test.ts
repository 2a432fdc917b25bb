import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type ClinicalStore,
  computeDigest,
  type FeedEntry,
  noVersion,
  type Position,
} from '@clinical-records/core/store';
import { startPostgres } from '@clinical-records/testing-postgres';
import { isRight } from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';

const kills = Number(process.env.CRASHES ?? 3);
const writersAtOnce = 16;

type Outcome = 'written' | 'unavailable' | 'unknown';

const readFeed = async (store: ClinicalStore): Promise<readonly FeedEntry[]> => {
  const entries: FeedEntry[] = [];
  for (let position: Position | undefined; ; position = entries.at(-1)?.position) {
    const page = await store.changesSince({ position, limit: 1000 });
    if (!isRight(page)) throw new Error(page.left._tag);
    if (page.right.length === 0) return entries;
    entries.push(...page.right);
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

test('after PostgreSQL is killed, everything that was reported as written is there, and nothing that was not', {
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url, pipeline: true, max: 6 });
  pool.on('error', () => {});
  const store = openPostgresStore({ pool });
  const outcomes = new Map<string, Outcome>();
  for (let round = 0; round < kills; round += 1) {
    let isOver = false;
    const enough = outcomes.size + 100 + 40 * (round % 5);
    const writers = Array.from({ length: writersAtOnce }, (_, at) =>
      writeUntil(store, `${round}-${at}`, outcomes, () => isOver),
    );
    while (outcomes.size < enough) await setTimeout(1);
    await server.kill();
    isOver = true;
    await server.restart();
    await Promise.all(writers);
  }
  const feed = await readFeed(store);
  const written = new Set(feed.map(({ id }) => id));
  for (const [id, outcome] of outcomes) {
    if (outcome !== 'unknown') expect([id, written.has(id)]).toEqual([id, outcome === 'written']);
  }
  expect(written.size).toBe(feed.length);
  expect(feed.map(({ position }) => position)).toEqual(feed.map((_, at) => `${at + 1}`));
  let digest = '';
  for (const entry of feed) {
    digest = computeDigest((text) => hash('sha256', text), digest, entry);
    expect(entry.digest).toBe(digest);
  }
  const reasons = [...outcomes.values()];
  console.log(
    `${kills} kills: ${reasons.filter((one) => one === 'written').length} written, ${reasons.filter((one) => one === 'unavailable').length} unavailable, ${reasons.filter((one) => one === 'unknown').length} unknown`,
  );
  await store.close();
  await pool.end();
  await server.stop();
});
