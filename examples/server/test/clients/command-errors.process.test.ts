import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import packageJson from '../../../../packages/http-adapter/package.json' with { type: 'json' };
import { help } from '../../help.ts';
import { isSqliteDamage, isUnusable } from '../../open/sqlite-codes.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder, runToEnd, startServer } from '../running-server.ts';

afterAll(endAll);

test('--help is printed, and no server is started', async () => {
  expect(await runToEnd('--help')).toEqual({ code: 0, out: help, err: '' });
});

test('--version prints the version of the packages, and no server is started', async () => {
  expect(await runToEnd('--version')).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' });
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'; see --help"],
  [['--data', '.'], 'cannot open .: it is a folder'],
  [['--import', 'nowhere'], 'cannot read nowhere: there is no such file or folder'],
  [['--import', '.'], 'the folder . has no file that ends in .ndjson, .json or either with .gz'],
  [
    ['--import', fileURLToPath(import.meta.url)],
    `${fileURLToPath(import.meta.url)} is not a file that ends in .ndjson`,
  ],
  [['--tokens', 'none.json'], 'cannot read the tokens of none.json: there is no such file or folder'],
])('%j prints one line, and exits with 2', async (args, message) => {
  const { code, out, err } = await runToEnd(...args);
  expect(err.startsWith(`clinical-records: ${message}`)).toBe(true);
  expect(err.split('\n')).toHaveLength(2);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test.each([
  ['--data no/clinic.db', 2, 'cannot create no/clinic.db: the folder no does not exist'],
  ['--data no/clinic.db --empty', 2, 'cannot create no/clinic.db: the folder no does not exist'],
  ['--data package.json/x.db --empty', 2, 'cannot create package.json/x.db: package.json is not a folder'],
  ['--data no.db --backup no/copy.db', 2, 'cannot create no/copy.db: the folder no does not exist'],
  ['--data examples --empty', 2, 'cannot open examples: it is a folder'],
  ['--data examples --verify', 3, 'cannot open examples: it is a folder'],
  ['--data no/clinic.db --verify', 3, 'cannot open no/clinic.db: the folder no does not exist'],
  ['--data no.db --export out', 3, 'cannot open no.db: there is no such file or folder'],
  [
    '--data package.json/x.db --verify-audit',
    3,
    'cannot open package.json/x.db: package.json is not a folder',
  ],
])('%s says what is wrong with which path, and exits with %i', async (args, code, message) => {
  expect(await runHere(...args.split(' '))).toEqual({ code, out: '', err: `clinical-records: ${message}\n` });
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
  expect(err).toBe(`clinical-records: port ${port} is in use; choose another with --port\n`);
  expect(code).toBe(4);
});
