import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exactVersion } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, ref, resultOf, tryWrite, write } from '../store-helpers.ts';

test('if two stores on one file expect the same version, exactly one succeeds', async () => {
  const filename = newFile();
  const stores = [openSqliteStore({ filename }), openSqliteStore({ filename })];
  const [first, second] = stores;
  if (first === undefined || second === undefined) throw new Error('There are two stores.');
  await write(first, change());
  for (let version = 1; version <= 20; version += 1) {
    const outcomes = await Promise.all(
      stores.map((store) => tryWrite(store, change({ expects: exactVersion(version) }))),
    );
    expect(outcomes.filter(isRight)).toHaveLength(1);
    expect(outcomes.find((outcome) => !isRight(outcome))).toMatchObject({
      left: { _tag: 'Conflict', ref, actual: version + 1 },
    });
  }
  const range = { ...ref, limit: 1000 };
  expect(await resultOf(first.history(range))).toEqual(await resultOf(second.history(range)));
  for (const store of stores) await store.close();
});

test('a term that one store has first named is found by the other', async () => {
  const filename = newFile();
  const one = openSqliteStore({ filename });
  const two = openSqliteStore({ filename });
  expect(await findActive(two)).toEqual([]);
  await write(one, change({ id: 'a' }));
  await write(two, change({ id: 'b' }));
  expect([await findActive(one), await findActive(two)]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
  await one.close();
  await two.close();
});

test('processes that open one new file at the same moment wait for each other', async () => {
  const opener = new URL('../opening/opener.ts', import.meta.url).pathname;
  const filenames = Array.from({ length: 20 }, newFile);
  const start = String(Date.now() + 500);
  const opened = await Promise.all(
    [1, 2].map(() => promisify(execFile)(process.execPath, [opener, start, ...filenames])),
  );
  for (const { stdout } of opened) expect(stdout).toBe('20 opened');
});

test('processes that open one new file and race on its record never win the same version', async () => {
  const filename = newFile();
  const racer = new URL('./racer.ts', import.meta.url).pathname;
  const rounds = 30;
  const runs = await Promise.all(
    [1, 2, 3].map(() => promisify(execFile)(process.execPath, [racer, filename, String(rounds)])),
  );
  const won = runs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
  const store = openSqliteStore({ filename });
  const history = await resultOf(store.history({ ...ref, limit: 1000 }));
  expect(history.map(({ version }) => version)).toEqual(Array.from({ length: won }, (_, at) => won - at));
  const own = (await findActive(store)).filter((id) => /^\d/.test(id));
  expect(own).toHaveLength(won);
  await store.close();
});
