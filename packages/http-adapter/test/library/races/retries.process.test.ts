import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClinic, type ParsedResponse } from '../../clinic.ts';

let folder: string;
let filename: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  filename = join(folder, 'clinic.db');
  const store = openSqliteStore({ filename });
  await openClinic(store);
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a process that sends the POST, and returns what it printed, or the signal that ended it. */
const startRetrier = async (
  count: number,
  end: 'answers' | 'dies' = 'answers',
  header: readonly string[] = [],
) => {
  const script = fileURLToPath(new URL('./retrier.ts', import.meta.url));
  const child = spawn(process.execPath, [script, filename, `${count}`, end, ...header], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [ready] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(ready).toBe('ready\n');
  return {
    go: async () => {
      child.stdin.write('go');
      const output = await text(child.stdout);
      const [, signal] = await exited;
      return { signal, answers: output === '' ? [] : (JSON.parse(output) as readonly ParsedResponse[]) };
    },
  };
};

/** The one immunization that there is, and that all is sound. */
const onlyImmunization = async () => {
  const store = openSqliteStore({ filename });
  const { records } = await openClinic(store);
  const { total, entry = [] } = await records.immunizations.search({});
  const { discrepancies, miscounted } = await records.verify();
  await store.close();
  expect([total, discrepancies, miscounted]).toEqual([1, [], []]);
  return entry[0]?.resource.id;
};

test('50 identical POSTs with a key from four processes make one record, and get the same response 50 times', async () => {
  const started = await Promise.all([13, 13, 12, 12].map((count) => startRetrier(count)));
  const answers = (await Promise.all(started.map(({ go }) => go()))).flatMap((output) => output.answers);
  expect(answers).toHaveLength(50);
  const [first] = answers;
  for (const answer of answers) expect(answer).toEqual(first);
  expect(first).toMatchObject({
    status: 201,
    headers: { etag: 'W/"1"', location: `/fhir/Immunization/${await onlyImmunization()}` },
  });
});

test('50 POSTs from four processes, each only if no immunization has the identifier, make one record', async () => {
  const condition = ['if-none-exist', 'identifier=urn:x:registry|A-1'];
  const started = await Promise.all(
    [13, 13, 12, 12].map((count) => startRetrier(count, 'answers', condition)),
  );
  const answers = (await Promise.all(started.map(({ go }) => go()))).flatMap((output) => output.answers);
  const location = `/fhir/Immunization/${await onlyImmunization()}`;
  expect(answers.map(({ headers }) => headers.location)).toEqual(Array(50).fill(location));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(49).fill(200), 201]);
});

test('a process that is killed between the commit and the response has recorded it, and a retry gets the response', async () => {
  const killed = await (await startRetrier(1, 'dies')).go();
  expect(killed).toEqual({ signal: 'SIGKILL', answers: [] });
  const id = await onlyImmunization();
  const { answers } = await (await startRetrier(1)).go();
  expect(answers).toMatchObject([{ status: 201, headers: { location: `/fhir/Immunization/${id}` } }]);
  expect(await onlyImmunization()).toBe(id);
});
