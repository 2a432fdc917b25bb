import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, startSilentProxy } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { openAudit } from '../../audit/audit.ts';
import { openDatabase } from '../../open/open-database.ts';
import { useRecords } from '../../open/use-records.ts';
import { roles } from '../../settings.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder, runInShell, runToEnd, startServer } from '../running-server.ts';
import { serveHere, token } from '../serve-here.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase(inject('postgresUrl'));
});
afterAll(async () => {
  await endAll();
  await database.drop();
});

const run = async (sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
};

const schemas = async (): Promise<readonly string[]> => {
  const { rows } = await run(
    "select nspname as name from pg_namespace where nspname !~ '^(pg_|information|public)'",
  );
  return rows.map(({ name }) => name);
};

test('two processes serve the demo clinic of a schema, close it at the end, and a restart has what was written', async () => {
  const args = ['--database', database.url, '--schema', 'north'];
  const server = await startServer([...args, '--processes', '2'], await newFolder());
  expect(await runInShell(server.lines[2] ?? '')).toMatch(/^HTTP\/1\.1 201 /);
  const before = await server.get('/Immunization');
  expect([await server.stop(), server.printed.err]).toEqual([0, '']);
  expect(await schemas()).toEqual(['north']);

  const again = await startServer(args, await newFolder());
  expect((await again.get('/Immunization')).body).toEqual(before.body);
  expect(await again.stop()).toBe(0);

  const { code, out, err } = await runToEnd(...args, '--verify');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^discrepancies: none\nrecords: [1-9]\d*\nversions: [1-9]\d*\nhead: \d+:[0-9a-f]{64}\n$/,
  );

  await run(`update north.versions set state = state || ' ' where position = 3`);
  const damaged = await runHere(...args, '--verify');
  expect(damaged.code).toBe(3);
  expect(damaged.out).toMatch(/it was changed or moved/);
  expect(damaged.err).toMatch(/^clinical-records: postgres:.* \(schema north\) is not as it should be\n$/);
});

test('a read of a server that falls silent fails once the time of a query is over', async () => {
  const proxy = await startSilentProxy(database.url);
  onTestFinished(proxy.close);
  const location = { _tag: 'Database', url: proxy.url, schema: 'silent', queryTimeout: 1 } as const;
  const store = await openDatabase(location);
  const { audit, close } = await openAudit(location, store);
  proxy.fallSilent();
  const outcomes = await Promise.all([
    store.read({ type: 'Patient', id: 'none' }),
    audit.verify().then(
      () => 'verified',
      ({ tag }) => tag,
    ),
  ]);
  expect(outcomes).toMatchObject([{ left: { cause: { message: 'Query read timeout' } } }, 'StoreFailure']);
  await Promise.all([close(), store.close()]);
});

test('while a database allows no writes, the server is not ready, its reads have answers, and its writes are 503s that say so', async () => {
  const other = await createDatabase(inject('postgresUrl'));
  onTestFinished(other.drop);
  const name = new URL(other.url).pathname.slice(1);
  const { origin, send, stop, drain } = await serveHere({
    data: { _tag: 'Database', url: other.url, schema: 'charts' },
  });
  const forbidWrites = async (value: 'on' | 'off') => {
    await run(`alter database ${name} set default_transaction_read_only = ${value}`);
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  };
  const ready = async () => {
    const response = await fetch(`${origin}/ready`);
    return [response.status, await response.json()];
  };
  const entry = { patient: { reference: 'Patient/amy' }, status: 'completed', primarySource: false };
  const coding = [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }];
  const body = JSON.stringify({ ...entry, vaccineCode: { coding }, occurrenceDateTime: '2001' });
  const post = () => send('/fhir/Immunization', { method: 'POST', body });

  await forbidWrites('on');
  await expect.poll(ready).toEqual([503, { status: 'read-only', reads: true }]);
  expect((await send('/fhir/CareTeam/amy')).status).toBe(200);
  const refused = await post();
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining('store-not-writable'),
  ]);
  await forbidWrites('off');
  await expect.poll(ready).toEqual([200, { status: 'ready' }]);
  expect((await post()).status).toBe(201);
  stop();
  await drain();
});

test('--empty creates a schema without the demo clinic', async () => {
  const server = await startServer(
    ['--database', database.url, '--schema', 'empty', '--empty'],
    await newFolder(),
  );
  expect((await server.get('/Goal')).body).toMatchObject({ total: 0 });
  expect(await server.stop()).toBe(0);
});

test('a folder is imported into a schema once, with its problems, and what was imported is sound', async () => {
  const [folder, exports] = [await newFolder(), await newFolder()];
  const subject = { reference: 'Patient/p1' };
  const goal = (id: string) => ({
    resourceType: 'Goal',
    id,
    lifecycleStatus: 'active',
    description: { text: 'Sleep' },
    subject,
  });
  const resources = {
    // Care teams and goals come before the people whom they refer to.
    CareTeam: [
      {
        resourceType: 'CareTeam',
        id: 't1',
        status: 'active',
        subject,
        participant: [{ member: { reference: 'Practitioner/d1' }, role: [{ coding: [roles.nurse] }] }],
      },
    ],
    Goal: [
      ...Array.from({ length: 600 }, (_, at) => goal(`g${at}`)),
      { ...goal('lost'), subject: { reference: 'Patient/nobody' } },
    ],
    Patient: [{ resourceType: 'Patient', id: 'p1', name: [{ family: 'Novak', given: ['Ida'] }] }],
    Practitioner: [{ resourceType: 'Practitioner', id: 'd1', name: [{ family: 'Reyes' }] }],
  };
  for (const [type, all] of Object.entries(resources)) {
    await writeFile(join(exports, `${type}.ndjson`), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
  const data = ['--database', database.url, '--schema', 'imported'];
  const start = () => startServer([...data, '--empty', '--import', exports], folder);
  const server = await start();
  expect(server.printed.out).toContain('imported: 1 Practitioner, 1 Patient, 1 CareTeam, 600 Goal\n');
  expect(server.printed.out).toMatch(
    /^ {2}Goal\.ndjson:601: Goal\/lost: Goal\.subject: There is no such patient\.$/m,
  );
  expect(await readFile(join(folder, 'imported.import-issues.txt'), 'utf8')).toContain('Goal/lost');
  expect((await server.get('/Goal?patient=p1&_count=1')).body).toMatchObject({ total: 600 });
  expect((await server.get('/CareTeam/p1')).body).toMatchObject({
    participant: [{ member: { display: 'Reyes' } }],
  });
  await server.stop();
  const again = await start();
  expect(again.printed.out).toContain(
    'imported: nothing\nupdated: nothing\nunchanged: 1 Practitioner, 1 Patient, 1 CareTeam, 600 Goal\n',
  );
  await again.stop();
  expect(await runHere(...data, '--verify')).toMatchObject({ code: 0 });
});

test('$export serves the resources of a schema, with its files in the folder of --bulk-export', async () => {
  const bulkExport = await newFolder();
  const principal = { subject: 'Device/warehouse', scopes: 'system/*.rs' } as const;
  const { origin, send } = await serveHere({
    data: { _tag: 'Database', url: database.url, schema: 'exported' },
    ...{ bulkExport, access: { _tag: 'PrintedToken', grant: { token, principal } } },
  });
  const begun = await send('/fhir/$export', { headers: { prefer: 'respond-async' } });
  const location = begun.headers.get('content-location')?.replace(origin, '') ?? '';
  await expect.poll(async () => (await send(location)).status).toBe(200);
  const status = await send(location);
  const { output } = (await status.json()) as { readonly output: readonly { readonly url: string }[] };
  expect(output).toEqual([{ type: 'Patient', url: expect.any(String), count: 1 }]);
  const file = await send(output[0]?.url.replace(origin, '') ?? '');
  expect(await file.json()).toMatchObject({ resourceType: 'Patient', id: 'amy' });
  expect(readdirSync(bulkExport)).toEqual([location.split('/').at(-1)]);
});

test('--verify of a schema without records ends with 3, and creates none', async () => {
  const { code, err } = await runHere('--database', database.url, '--schema', 'none', '--verify');
  expect(err).toMatch(/^clinical-records: cannot open .*: there are no records of this version in it\n$/);
  expect(code).toBe(3);
  expect(await schemas()).not.toContain('none');
});

test('--audit without the right to create its table ends with 3 before it listens, and names the SQL', async () => {
  const url = Object.assign(new URL(database.url), { username: 'dml' }).href;
  const data = { _tag: 'Database', url: database.url, schema: 'audited' } as const;
  await useRecords(data, async ({ directory }) => directory.read('Patient', 'none'));
  await run(`create role dml login; grant usage on schema audited to dml;
    grant select, insert, update, delete on all tables in schema audited to dml`);
  try {
    for (const processes of ['1', '2']) {
      const args = ['--database', url, '--schema', 'audited', '--processes', processes];
      const { code, out, err } = await runHere('--port', '0', ...args, '--audit');
      expect(err).toMatch(
        /^clinical-records: cannot open the audit of postgres:.* \(schema audited\): .*\n$/,
      );
      expect(err).toContain(
        "permission denied for schema audited; a database owner runs the SQL of auditTableSql({ schema: 'audited' })",
      );
      expect([code, out]).toEqual([3, '']);
    }
  } finally {
    await run('drop owned by dml; drop role dml');
  }
});

test('a database that cannot be used prints one line without the password, and exits with 3', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await run("create role visitor login password 'secret'");
  const urlWith = (parts: Partial<URL>) => Object.assign(new URL(database.url), parts).href;
  const visitor = { username: 'visitor', password: 'secret' };
  try {
    for (const [url, reason] of [
      [urlWith({ ...visitor, port: '1' }), 'no server answers there (ECONNREFUSED)'],
      [urlWith(visitor), `permission denied for database ${name}`],
      [urlWith({ ...visitor, pathname: 'none' }), 'database "none" does not exist'],
    ] as const) {
      const { code, out, err } = await runHere('--port', '0', '--database', url, '--schema', 'south');
      expect(err).toMatch(/^clinical-records: cannot open postgres:\/\/visitor@.* \(schema south\): .*\n$/);
      expect(err).toContain(`: ${reason}\n`);
      expect(err).not.toContain('secret');
      expect([code, out]).toEqual([3, '']);
    }
  } finally {
    await run('drop role visitor');
  }
});
