import { randomBytes } from 'node:crypto';
import type { ClinicalStore } from '@clinical-records/core/store';
import { type Postgres, startPostgres } from '@clinical-records/testing-postgres';
import { isRight } from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, openPostgresStore } from '../../src/index.ts';
import { change, ref, resultOf } from '../store-helpers.ts';
import { commit, expectSound, type Outcome, read, search } from './outcomes.ts';
import { mountSmallDisk } from './small-disk.ts';

const disk = mountSmallDisk(96);
const skipped = disk === null ? ': skipped, because this user cannot mount one' : '';

/** No file of the write-ahead log is used again, so that each needs room. */
const settings = { wal_keep_size: '1GB' };

const large = () => randomBytes(100_000).toString('base64');

/** Writes records until one is refused, and returns the ids of the others, and the error. */
const writeUntilRefused = async (store: ClinicalStore, prefix: string) => {
  const written: string[] = [];
  for (;;) {
    const id = `${prefix}${written.length}`;
    const result = await store.commit({
      changes: [change({ id, state: JSON.stringify(large()) })],
      versionChecks: [],
    });
    if (!isRight(result)) return { written, refused: id, error: result.left };
    written.push(id);
  }
};

afterAll(() => disk?.remove());

describe.skipIf(disk === null)(`a disk that is full${skipped}`, () => {
  let server: Postgres;
  let pool: pg.Pool;
  let store: ClinicalStore;

  beforeAll(async () => {
    server = await startPostgres({ parent: disk?.folder, settings });
    pool = new pg.Pool({ connectionString: server.url, pipeline: true });
    pool.on('error', () => {});
    await createTenant({ pool, tenant: 'north' });
    store = openPostgresStore({ pool, tenant: 'north', transactionTimeout: 2000 });
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  test('writes are refused with the code and reads go on, until there is room', async () => {
    expect(await commit(store, 'before')).toMatchObject({ right: [1] });
    disk?.fill(1_000_000);
    const { written, refused, error } = await writeUntilRefused(store, 'a');
    expect(error).toMatchObject({
      _tag: 'Unavailable',
      message: 'The PostgreSQL database is unavailable (53100).',
    });
    expect(await search(store)).toMatchObject({ right: { total: written.length + 1 } });
    expect(await read(store, refused)).toEqual({ _tag: 'Right', right: null });
    disk?.clear();
    await expectSound(store, ['before', ...written]);
  });

  test('if the write-ahead log cannot grow, the server ends, and what was reported as written is there', async () => {
    const outcomes: [id: string, Outcome][] = [];
    const write = async (id: string) => {
      outcomes.push([id, await commit(store, id)]);
    };
    let hasEnded = false;
    const writeUntilEnd = async () => {
      while (!hasEnded) await write(`b${outcomes.length}`);
    };
    const writing = writeUntilEnd();
    disk?.fill(0);
    while (!hasEnded) {
      await pool
        .query(`select pg_logical_emit_message(false, '', repeat('x', 1000000))`)
        .catch(({ code }) => {
          hasEnded = code === 'ECONNREFUSED';
        });
    }
    await writing;
    await server.waitForEnd();
    await write('c');
    disk?.clear();
    await server.restart();
    for (const [id, outcome] of outcomes) {
      const isUnknown = !isRight(outcome) && outcome.left._tag === 'OutcomeUnknown';
      const record = await resultOf(store.read({ ...ref, id }));
      if (!isUnknown) expect([id, record !== null]).toEqual([id, isRight(outcome)]);
    }
    expect(await commit(store, 'last')).toEqual({ _tag: 'Right', right: [1] });
  });
});
