import { Absent, Version } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { isRight } from 'fp-ts/lib/Either.js';
import { afterEach, expect, test } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { active, answer, change, write } from './changes.ts';
import { newFile, removeFolders } from './files.ts';

afterEach(removeFolders);

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

test('all that was answered is there when the file is opened again, and of a conflict among it nothing', async () => {
  const filename = newFile();
  const store = openSqliteStore({ filename });
  const outcomes = await Promise.all(
    many.map((id) => {
      const second = change({ id: `${id}-second`, expects: id === 'r50' ? Version(3) : Absent });
      return store.commit({ changes: [change({ id }), second], premises: [] })();
    }),
  );
  for (const [at, outcome] of outcomes.entries()) expect(isRight(outcome)).toBe(at !== 50);
  await answer(store.close());

  const again = openSqliteStore({ filename });
  const expected = many.filter((id) => id !== 'r50').flatMap((id) => [id, `${id}-second`]);
  expect(await active(again)).toEqual(expected);
  expect(await answer(again.changesSince({ position: 0, limit: 1000 }))).toHaveLength(expected.length);
  await answer(again.close());
});

test('a commit that SQLite cannot write harms none of the others', async () => {
  const database = new Database(newFile());
  const store = openSqliteStore({ database });
  database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON records WHEN NEW.id = 'bad'
    BEGIN SELECT RAISE(ROLLBACK, 'no'); END`);
  const outcomes = await Promise.all(
    ['a', 'bad', 'b'].map((id) =>
      store.commit({ changes: [change({ id: `${id}-first` }), change({ id })], premises: [] })(),
    ),
  );
  expect(outcomes.map(isRight)).toEqual([true, false, true]);
  expect(outcomes[1]).toMatchObject({ left: { _tag: 'Unavailable' } });
  expect(await active(store)).toEqual(['a-first', 'a', 'b-first', 'b']);
  database.close();
});
