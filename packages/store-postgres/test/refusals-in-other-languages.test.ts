import { exactVersion, noVersion } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../src/index.ts';
import { isConnectionLost } from '../src/postgres-errors.ts';
import { wrapPool } from './host/wrap-pool.ts';
import { change, write } from './store-helpers.ts';
import { newPool } from './tenants/databases.ts';

const pool = await newPool({ pipeline: true });

/** A pool of a server whose messages are in German, as with `lc_messages = 'de_DE'`. */
const germanPool = wrapPool(pool, async (client, query) => {
  try {
    return await client.query(query);
  } catch (cause) {
    throw Object.assign(cause as Error, { severity: 'FEHLER' });
  }
});

test('a conflict on a server whose messages are not English is a conflict, and nothing of its group fails', async () => {
  const store = openPostgresStore({ pool: germanPool, schema: 'german' });
  await write(store, change());
  const commit = (id: string, expects = noVersion) =>
    store.commit({ changes: [change({ id, expects })], versionChecks: [] });
  const [repeated, outdated, other] = await Promise.all([
    commit('a'),
    commit('a', exactVersion(7)),
    commit('b'),
  ]);
  expect(repeated).toMatchObject({ _tag: 'Left', left: { _tag: 'Conflict' } });
  expect(outdated).toMatchObject({ _tag: 'Left', left: { _tag: 'Conflict' } });
  expect(other).toEqual({ _tag: 'Right', right: [1] });
  await store.close();
});

test.each([
  ['FEHLER', '23505', false],
  ['ERREUR', '55P03', false],
  ['FATALE', '57P01', true],
  ['FEHLER', '08006', true],
  ['ERROR', '53100', false],
  ['FATAL', '23505', true],
])('an error of the severity %s with the code %s closes the connection: %s', (severity, code, isLost) => {
  expect(isConnectionLost(Object.assign(new Error('x'), { severity, code }))).toBe(isLost);
});
