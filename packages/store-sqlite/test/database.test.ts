import { afterEach, expect, test } from 'vitest';
import { openFile } from '../src/database.ts';
import { newFile, removeFolders } from './files.ts';

afterEach(removeFolders);

test('a file of its own is opened so that what was committed is synced to the disk, and readers never wait', () => {
  const { database, close } = openFile(newFile(), 5000);
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0];
  // 2 is FULL.
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('foreign_keys')).toBe(1);
  close();
});
