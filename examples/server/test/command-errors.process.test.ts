import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { help } from '../help.ts';
import { isSqliteDamage, isUnusable } from '../sqlite-codes.ts';
import { endAll, newFolder, runToEnd, startServer } from './running-server.ts';

afterAll(endAll);

test('--help is printed, and no server is started', async () => {
  expect(await runToEnd('--help')).toEqual({ code: 0, out: help, err: '' });
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'; see --help"],
  [['--data', '.'], 'cannot open .: '],
  [['--import', 'nowhere'], 'cannot read nowhere: there is no such file or folder'],
  [['--import', '.'], 'the folder . holds no *.ndjson and no *.json, nor either with .gz'],
  [['--import', fileURLToPath(import.meta.url)], `the file ${fileURLToPath(import.meta.url)} is no *.ndjson`],
  [['--tokens', 'none.json'], 'cannot read the tokens of none.json: there is no such file or folder'],
])('%j prints one line, and exits with 2', async (args, message) => {
  const { code, out, err } = await runToEnd(...args);
  expect(err.startsWith(`clinical-records: ${message}`)).toBe(true);
  expect(err.split('\n')).toHaveLength(2);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test.each([
  ['SQLITE_CORRUPT_INDEX', true],
  ['SQLITE_NOTADB', true],
  ['SQLITE_BUSY', false],
  ['SQLITE_READONLY_DBMOVED', false],
  ['SQLITE_FULL', false],
])('the SQLite error %s is reported as a damaged file: %s', (code, isSo) => {
  expect(isSqliteDamage(Object.assign(new Error(), { code }))).toBe(isSo);
});

test.each([
  ['SQLITE_FULL', true],
  ['SQLITE_IOERR_FSYNC', true],
  ['SQLITE_BUSY', true],
  ['SQLITE_CORRUPT', true],
  ['SQLITE_NOTADB', false],
  ['SQLITE_CANTOPEN', false],
])('the SQLite error %s is reported as an unusable file: %s', (code, isSo) => {
  expect(isUnusable(Object.assign(new Error(), { code }))).toBe(isSo);
});

test('a port in use prints one line, and exits with 4', async () => {
  const { port } = new URL((await startServer(['--empty'], await newFolder())).address);
  const { code, err } = await runToEnd('--port', port, '--empty');
  expect(err).toBe(`clinical-records: port ${port} is in use; choose another by --port\n`);
  expect(code).toBe(4);
});
