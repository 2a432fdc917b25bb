import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ClinicalStore, exactVersion, noVersion } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';
import { change, findActive, resultOf, tryWrite, write } from '../store-helpers.ts';

const many = Array.from({ length: 100 }, (_, at) => `r${at}`);

/** A handle that counts the transactions that were written. */
const counting = (filename: string) => {
  const statements: unknown[] = [];
  const database = new Database(filename, { verbose: (sql) => statements.push(sql) });
  return { database, commits: () => statements.splice(0).filter((sql) => sql === 'COMMIT').length };
};

test('commits of one turn of the event loop are written in one transaction', async () => {
  const { database, commits } = counting(newFile());
  const store = openSqliteStore({ database });
  commits();
  await Promise.all(many.map((id) => write(store, change({ id }))));
  expect(commits()).toBe(1);
  await write(store, change());
  expect(commits()).toBe(1);
  database.close();
});

/** Writes as many records as each number says, in one turn after the other. */
const writeInTurns = async (store: ClinicalStore, ...numbers: readonly number[]): Promise<void> => {
  const written: Promise<unknown>[] = [];
  for (const [turn, number] of numbers.entries()) {
    if (turn > 0) await nextTurn();
    for (let at = 0; at < number; at++) written.push(write(store, change({ id: `r${turn}-${at}` })));
  }
  await Promise.all(written);
};

test.each([
  ['several commits, and those of the next turns are written in one transaction', [2, 1, 1], 1],
  ['a commit by itself does not wait for the next turn', [1, 1], 2],
  ['several commits do not wait for a turn that brings no more', [2, 0, 1], 2],
  ['commits wait for three turns at most', [2, 1, 1, 1, 1], 2],
])('%s', async (_, turns, expected) => {
  const { database, commits } = counting(newFile());
  const store = openSqliteStore({ database });
  commits();
  await writeInTurns(store, ...turns);
  expect(commits()).toBe(expected);
  database.close();
});

test.each([
  ['of a record in another place', { id: 'r50-second', expects: exactVersion(3) }, null],
  ['of a record that was to be a new one', { id: 'old', expects: noVersion }, 1],
])(
  'every commit that was reported is there when the file is opened again, and nothing of a conflict among them %s',
  async (_, second, actual) => {
    const filename = newFile();
    const store = openSqliteStore({ filename });
    await write(store, change({ id: 'old' }));
    const outcomes = await Promise.all(
      many.map((id) => {
        const beside = id === 'r50' ? second : { id: `${id}-second`, expects: noVersion };
        return tryWrite(store, change({ id }), change(beside));
      }),
    );
    for (const [at, outcome] of outcomes.entries()) {
      if (at !== 50) expect(isRight(outcome)).toBe(true);
      else
        expect(outcome).toEqual({
          _tag: 'Left',
          left: { _tag: 'Conflict', ref: { type: 'Goal', id: second.id }, actual },
        });
    }
    await store.close();

    const again = openSqliteStore({ filename });
    const expected = ['old', ...many.filter((id) => id !== 'r50').flatMap((id) => [id, `${id}-second`])];
    expect(await findActive(again)).toEqual(expected);
    expect(await resultOf(again.changesSince({ limit: 1000 }))).toHaveLength(expected.length);
    await again.close();
  },
);

test('a refused commit among many costs the others few more transactions', async () => {
  const { database, commits } = counting(newFile());
  const store = openSqliteStore({ database });
  await write(store, change({ id: 'r50' }));
  commits();
  const outcomes = await Promise.all(many.map((id) => tryWrite(store, change({ id, expects: noVersion }))));
  expect(outcomes.map(isRight)).toEqual(many.map((id) => id !== 'r50'));
  expect(commits()).toBeLessThan(10);
  database.close();
});

test('a commit that SQLite cannot write does not harm the others', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON records WHEN NEW.id = 'bad'
    BEGIN SELECT RAISE(ROLLBACK, 'no'); END`);
  const outcomes = await Promise.all(
    ['a', 'bad', 'b'].map((id) => tryWrite(store, change({ id: `${id}-first` }), change({ id }))),
  );
  expect(outcomes.map(isRight)).toEqual([true, false, true]);
  expect(outcomes[1]).toMatchObject({ left: { _tag: 'Unavailable' } });
  expect(await findActive(store)).toEqual(['a-first', 'a', 'b-first', 'b']);
  database.close();
});
