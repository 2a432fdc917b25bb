import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { copyInto } from '../../copy/copy-into.ts';
import { createDemo } from '../../demo/create-demo.ts';
import type { FileLocation } from '../../open/data-location.ts';
import { openFile } from '../../open/open-file.ts';
import { createWholeFile } from '../../open/whole-file.ts';
import { endAll, newFolder } from '../running-server.ts';

afterAll(endAll);

test('a file whose log cannot be copied into it at the end, as on a full disk, is not created', async () => {
  const folder = await newFolder();
  const filename = join(folder, 'clinic.db');
  const readers: Database.Database[] = [];
  const fill = async (location: { readonly filename: string }) => {
    const store = openSqliteStore({ filename: location.filename });
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

test.each(['-wal', '-shm', '-journal'])(
  'no file is created beside the %s of a file that is gone, which SQLite would read as its own',
  async (ending) => {
    const folder = await newFolder();
    const [filename, source] = [join(folder, 'clinic.db'), join(await newFolder(), 'source.db')];
    await createDemo({ _tag: 'File', filename: source });
    writeFileSync(filename + ending, 'the last commits of another clinic');
    const message = `${filename}${ending} is left of a file ${filename} that is gone: put that file back, or move its remains away`;
    const location: FileLocation = { _tag: 'File', filename };
    const terminal = { signal: new AbortController().signal, write: () => {} };
    for (const create of [
      () => createDemo(location),
      () => copyInto(location, { ...location, filename: source }, terminal),
      async () => openFile(location),
    ]) {
      await expect(create()).rejects.toMatchObject({ message, exitCode: 2 });
    }
    expect(readdirSync(folder)).toEqual([`clinic.db${ending}`]);
  },
);
