import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { createWholeFile } from '../whole-file.ts';
import { endAll, newFolder } from './running-server.ts';

afterAll(endAll);

test('a file whose log cannot be copied into it at the end, as on a full disk, is not created', async () => {
  const folder = await newFolder();
  const filename = join(folder, 'clinic.db');
  const readers: Database.Database[] = [];
  const fill = async (location: { readonly filename: string }) => {
    const store = openSqliteStore(location);
    // While somebody reads the file, SQLite keeps the log.
    const reader = new Database(location.filename);
    reader.prepare('SELECT 1 FROM records').get();
    readers.push(reader);
    await store.close();
  };
  await expect(createWholeFile({ _tag: 'File', filename }, fill)).rejects.toMatchObject({
    message: `cannot create ${filename}: its log cannot be copied into it, for example because the disk is full`,
    exitCode: 3,
  });
  for (const reader of readers) reader.close();
  expect(readdirSync(folder)).toEqual([]);
});
