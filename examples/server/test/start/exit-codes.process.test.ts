import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../command/command-error.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder } from '../running-server.ts';

afterAll(endAll);

const amy = { resourceType: 'Patient', id: 'amy', name: [{ family: 'Shaw', given: ['Amy'] }] };

/** A new folder with a file of one patient, and more lines if they are named. */
const exported = async (...lines: readonly string[]) => {
  const folder = await newFolder();
  const file = join(folder, 'Patient.ndjson');
  await writeFile(file, [JSON.stringify(amy), ...lines].join('\n'));
  return { data: ['--data', join(folder, 'clinic.db'), '--empty'], file };
};

test('--import-only imports, and ends with 0', async () => {
  const { data, file } = await exported();
  expect(await runHere(...data, '--import', file, '--import-only')).toMatchObject({
    code: 0,
    out: expect.stringContaining('imported: 1 Patient\n'),
  });
  expect(await runHere(...data, '--verify')).toMatchObject({
    code: 0,
    out: expect.stringContaining('discrepancies: none\n'),
  });
});

test('--import-only with issues imports what it can, and ends with 5', async () => {
  const { data, file } = await exported('{', '{}');
  const { code, out, err } = await runHere(...data, '--import', file, '--import-only');
  expect(out).toContain('imported: 1 Patient\n');
  expect(err).toMatch(/\nclinical-records: the import is complete, with 2 issues\n$/);
  expect(code).toBe(5);
});

test('a wrong flag ends with 2, data that is not there with 3', async () => {
  expect((await runHere('--data', join(await newFolder(), 'none.db'), '--verify')).code).toBe(3);
  expect((await runHere('--tokens', 'none.json')).code).toBe(2);
});

test('a port in use, and an address of another machine, end with 4', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as { readonly port: number };
  const { data } = await exported();
  expect((await runHere(...data, '--port', `${port}`)).code).toBe(4);
  expect(await runHere(...data, '--port', '0', '--host', '192.0.2.1')).toMatchObject({
    code: 4,
    err: expect.stringMatching(/^clinical-records: cannot listen: .*EADDRNOTAVAIL/),
  });
});

test('the document lists each exit code', () => {
  const [, section = ''] = readFileSync(
    new URL('../../../../docs/operating.md', import.meta.url),
    'utf8',
  ).split('\n### Exit codes\n');
  const listed = Array.from(section.split('\n#')[0]?.matchAll(/^\| (\d) \|/gm) ?? [], ([, code]) =>
    Number(code),
  );
  expect(listed).toEqual([0, ...Object.values(exitCodes)]);
});
