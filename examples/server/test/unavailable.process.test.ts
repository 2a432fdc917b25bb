import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { putDemoClinic } from '../demo/demo-clinic.ts';
import { createServerRecords } from '../open/use-records.ts';
import { runHere } from './run-here.ts';
import { endAll, newFolder, runOnFullDisk } from './running-server.ts';

afterAll(endAll);

const team = '/CareTeam/demo-patient-1';
const noteText = 'Told by his mother. ';

/** A statement of so many notes. */
const statement = (notes: number) => ({
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
  patient: { reference: 'Patient/demo-patient-1' },
  occurrenceDateTime: '2001',
  primarySource: false,
  note: Array.from({ length: notes }, () => ({ text: noteText.repeat(10) })),
});

/** A clinic on a handle of better-sqlite3, as a host has one. */
const openClinic = (database: Database.Database) => {
  const causes: unknown[] = [];
  const store = openSqliteStore({ database });
  const records = createServerRecords(store);
  const handler = createHttpHandler(records, {
    authenticate: () => ({ subject: 'Person/somebody', scopes: ['user/*.*'] }),
    onError: (cause) => causes.push(cause),
  });
  const send = async (method: string, url: string, body?: object) => {
    const headers = { authorization: 'Bearer any' };
    const answer = await handler({ method, url, headers, body: body && JSON.stringify(body) });
    return { status: answer.status, body: answer.body };
  };
  return { records, send, causes };
};

let filename: string;
let database: Database.Database;
beforeEach(async () => {
  filename = join(await newFolder(), 'clinic.db');
  database = new Database(filename);
  database.pragma('journal_mode = WAL');
  await putDemoClinic(openClinic(database).records);
});
afterEach(() => {
  database.close();
});

/** Expects a 503 for a write, without anything of a chart. Only the host gets the cause. */
const expectNotWritable = (
  answer: { readonly status: number; readonly body: string },
  causes: readonly unknown[],
  code: string,
): void => {
  expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
    status: 503,
    body: {
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'error',
          code: 'transient',
          details: {
            coding: [{ system: 'urn:clinical-records:issue-rule', code: 'store-not-writable' }],
            text: 'Service unavailable',
          },
          diagnostics: 'The records can be read, but not changed at the moment. Nothing was changed.',
        },
      ],
    },
  });
  expect(causes.at(-1)).toMatchObject({ message: expect.stringContaining(code), cause: { code } });
  expect(JSON.stringify(causes)).not.toContain(noteText);
};

const expectSound = async ({ records }: Pick<ReturnType<typeof openClinic>, 'records'>): Promise<void> => {
  expect((await records.verify()).discrepancies).toEqual([]);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
};

test('on a full disk, a write is a 503 and reads continue; once there is space, nothing is lost and writes succeed', async () => {
  const clinic = openClinic(database);
  const before = (await clinic.send('GET', '/Immunization?_count=100')).body;
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages}`);

  expectNotWritable(await clinic.send('POST', '/Immunization', statement(800)), clinic.causes, 'SQLITE_FULL');
  const emptied = { id: 'demo-patient-1' };
  expect((await clinic.send('GET', team)).status).toBe(200);
  expect((await clinic.send('GET', '/Immunization?_count=100')).body).toBe(before);
  await expectSound(clinic);

  database.pragma('max_page_count = 1000000');
  expect((await clinic.send('POST', '/Immunization', statement(800))).status).toBe(201);
  expect((await clinic.send('PUT', team, emptied)).status).toBe(200);
  const { total } = JSON.parse((await clinic.send('GET', '/Immunization?_count=0')).body);
  expect(total).toBe(JSON.parse(before).total + 1);
  await expectSound(clinic);
});

test('while a file cannot be written, writes are 503s and reads continue; afterwards writes succeed', async () => {
  const clinic = openClinic(database);
  const before = (await clinic.send('GET', team)).body;
  database.pragma('query_only = ON');
  for (const [method, path, body] of [
    ['PUT', team, { id: 'demo-patient-1' }],
    ['POST', '/Immunization', statement(1)],
  ] as const) {
    expectNotWritable(await clinic.send(method, path, body), clinic.causes, 'SQLITE_READONLY');
  }
  expect(await clinic.send('GET', team)).toEqual({ status: 200, body: before });
  database.pragma('query_only = OFF');
  expect((await clinic.send('PUT', team, { id: 'demo-patient-1' })).status).toBe(200);
  await expectSound(clinic);
});

test('a file that can only be read is served, and its writes are 503s', async () => {
  const readonly = new Database(filename, { readonly: true });
  const clinic = openClinic(readonly);
  expect((await clinic.send('GET', team)).status).toBe(200);
  expect((await clinic.send('GET', '/Goal?patient=demo-patient-1')).status).toBe(200);
  expectNotWritable(
    await clinic.send('POST', '/Immunization', statement(1)),
    clinic.causes,
    'SQLITE_READONLY',
  );
  await expectSound(clinic);
  readonly.close();
});

test('a full disk at the start prints one line, exits with 3, and does not damage the file', async () => {
  const small = join(await newFolder(), 'small.db');
  const full = { code: 3, out: '', err: expect.stringMatching(/^clinical-records: cannot \w+ .*disk.*\n$/) };
  expect(await runOnFullDisk(16, '--port', '0', '--data', small)).toEqual(full);
  database.close();
  expect(await runOnFullDisk(16, '--verify', '--data', filename)).toEqual(full);
});

test('a store that fails before the server starts prints one line, and exits with 3', async () => {
  const empty = join(await newFolder(), 'empty.db');
  const store = openSqliteStore({ filename: empty });
  await store.close();
  const other = new Database(empty);
  other.exec("CREATE TRIGGER refuse BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no'); END");
  other.close();
  const folder = await newFolder();
  const amy = { resourceType: 'Patient', id: 'amy', name: [{ family: 'Shaw', given: ['Amy'] }] };
  await writeFile(join(folder, 'patient.json'), JSON.stringify(amy));
  expect(await runHere('--port', '0', '--data', empty, '--import', folder)).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining(
      `clinical-records: cannot use ${empty}: The SQLite database is unavailable (SQLITE_CONSTRAINT_TRIGGER).\n`,
    ),
  });
});
