import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { ClinicalRecords, ResourceChange } from '@clinical-records/core';
import { moveTenant, removeTenant } from '@clinical-records/store-postgres';
import {
  createDatabase,
  openPool as openTestPool,
  type TestDatabase,
} from '@clinical-records/testing-postgres';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { commandsOf, startHost } from '../../testing/running-host.ts';
import { createApp } from '../app.ts';
import { type Clinics, oneServer, openClinics } from '../clinics.ts';

let database: TestDatabase;
let pool: pg.Pool;
let clinics: Clinics;
let origin: string;
const closing: (() => unknown)[] = [];

const openPool = (): pg.Pool => {
  const opened = openTestPool(database.url, { pipeline: true, max: 2 });
  closing.unshift(() => opened.end());
  return opened;
};

/** Serves the clinics of a pool, as one of several processes. */
const serve = async (served: Clinics): Promise<string> => {
  const server = createServer(createApp(served)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.unshift(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeAll(async () => {
  database = await createDatabase(inject('postgresUrl'));
  pool = openPool();
  clinics = openClinics(oneServer(pool));
  for (const name of ['north', 'south']) {
    await clinics.add(name);
    await clinics.use(name, (records) => fill(records, name));
  }
  origin = await serve(clinics);
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.drop();
});

const influenza = { system: 'http://hl7.org/fhir/sid/cvx', code: '140' } as const;
const cholesterol = { system: 'http://loinc.org', code: '2093-3' } as const;

/** The same ids in each clinic, and a few that only this clinic has. */
const fill = async ({ directory, immunizations, chart }: ClinicalRecords, name: string) => {
  for (const id of ['7', `patient-${name}`]) {
    await directory.put('Patient', { id, lastName: `Of ${name}`, firstName: 'Amy' });
    await directory.put('Practitioner', { id: '12', lastName: `Byron of ${name}` });
    await chart.record(
      { kind: 'labOrder', patientId: id, code: { coding: [cholesterol] } },
      { by: 'Practitioner/12' },
    );
    for (let count = 0; count < 3; count += 1) {
      await immunizations.create(
        {
          resourceType: 'Immunization',
          status: 'completed',
          vaccineCode: { coding: [influenza] },
          patient: { reference: `Patient/${id}` },
          occurrenceDateTime: '2024-10-02',
          primarySource: false,
          note: [{ text: `Given in ${name}` }],
        },
        { by: 'Practitioner/12' },
      );
    }
  }
};

const send = async (path: string, token: string, method = 'GET', at = origin) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${at}${path}`, { method, headers });
  return { status: response.status, text: await response.text() };
};

const changesOf = async (name: string): Promise<readonly ResourceChange[]> => {
  const changes: ResourceChange[] = [];
  await clinics.use(name, async (records) => {
    for await (const change of records.changes()) changes.push(change);
  });
  return changes;
};

test('two clinics have the same ids, and each shows its own records', async () => {
  for (const [name, other] of [
    ['north', 'south'],
    ['south', 'north'],
  ] as const) {
    const team = await send(`/clinics/${name}/fhir/CareTeam/7`, `${name}-token`);
    expect(JSON.parse(team.text)).toMatchObject({ name: `Care Team for Of ${name}, Amy` });
    for (const type of ['Immunization', 'CareTeam', 'ServiceRequest', 'Goal']) {
      const found = await send(`/clinics/${name}/fhir/${type}`, `${name}-token`);
      expect(found.status).toBe(200);
      expect(found.text).not.toContain(other);
      expect(JSON.parse(found.text).total).toBe(
        { Immunization: 6, CareTeam: 2, ServiceRequest: 2 }[type] ?? 0,
      );
    }
  }
});

test('no resource, version or page of one clinic is found in the other, and no position of its feed', async () => {
  const changes = await changesOf('north');
  const south = (path: string) => send(`/clinics/south/fhir${path}`, 'south-token');
  const own = changes.filter(({ resourceType, id }) => `${resourceType}/${id}` !== 'CareTeam/7');
  expect(own.length).toBeGreaterThan(8);
  for (const { resourceType, id } of own) {
    expect((await south(`/${resourceType}/${id}`)).status).toBe(404);
    expect((await south(`/${resourceType}/${id}/_history/1`)).status).toBe(404);
  }
  expect(JSON.parse((await south('/Immunization?patient=patient-north')).text)).toMatchObject({ total: 0 });

  const page = await send('/clinics/north/fhir/Immunization?_count=1', 'north-token');
  const { link } = JSON.parse(page.text) as { link: readonly { relation: string; url: string }[] };
  const next = `/${link.find(({ relation }) => relation === 'next')?.url}`;
  expect((await send(`/clinics/north/fhir${next}`, 'north-token')).status).toBe(200);
  expect((await south(next)).status).toBe(400);

  const since = changes.at(-1)?.position;
  const first = clinics.use('south', (records) => records.changes({ since })[Symbol.asyncIterator]().next());
  await expect(first).rejects.toMatchObject({ error: { _tag: 'InvalidRequest' } });
});

test('a thousand clinics share a pool and its prepared statements, and few are open at a time', async () => {
  const names = Array.from({ length: 1000 }, (_, number) => `clinic-${number}`);
  await Promise.all(names.map(clinics.add));
  const put = (name: string) =>
    clinics.use(name, ({ directory }) =>
      directory.put('Patient', { id: '7', lastName: name, firstName: 'Amy' }),
    );
  const read = (name: string) =>
    clinics.use(name, async ({ directory }) => (await directory.read('Patient', '7'))?.lastName);
  const countStatements = async (): Promise<number> => {
    const { rows } = await pool.query('select count(*)::integer as count from pg_prepared_statements');
    return rows[0].count;
  };
  await put('clinic-0');
  await read('clinic-0');
  const before = await countStatements();
  const some = names.filter((_, number) => number % 8 === 0);
  for (const name of some) await put(name);
  for (const name of some) expect(await read(name)).toBe(name);
  expect(await countStatements()).toBeLessThan(before + 20);
  expect(clinics.countOpen()).toBe(100);
});

test('a clinic is not closed while it is used, and is opened again when it is asked for', async () => {
  const few = openClinics(oneServer(pool), { maxOpen: 1 });
  const isUsed = few.use('north', async ({ directory }) => {
    await few.use('south', ({ directory }) => directory.read('Patient', '7'));
    return directory.read('Patient', '7');
  });
  expect(await isUsed).toMatchObject({ lastName: 'Of north' });
  expect(few.countOpen()).toBe(1);
  expect(await few.use('south', ({ directory }) => directory.read('Patient', '7'))).toMatchObject({
    lastName: 'Of south',
  });
  expect(await few.use('nowhere', async () => 1)).toBeNull();
});

test('a clinic moves to another server while it is used, and is opened there', async () => {
  const second = await createDatabase(inject('postgresUrl'));
  const newServer = openTestPool(second.url, { pipeline: true });
  onTestFinished(async () => {
    await newServer.end();
    await second.drop();
  });
  // The app's own table of clinics.
  const servers = new Map([['mobile', pool]]);
  const moving = openClinics({ ...clinics, serverOf: async (name) => servers.get(name) ?? null });
  await clinics.add('mobile');
  const put = (id: string) =>
    moving.use('mobile', ({ directory }) => directory.put('Patient', { id, lastName: 'Of mobile' }));
  const readAll = () =>
    moving.use('mobile', ({ directory }) =>
      Promise.all(['7', '8'].map(async (id) => (await directory.read('Patient', id))?.id)),
    );
  await put('7');
  await moving.use('mobile', async (records) => {
    const [from, to] = [pool, newServer].map((of) => ({ pool: of, tenant: 'mobile' }));
    if (from === undefined || to === undefined) throw new Error('There are two servers.');
    await moveTenant({ records, from, to, switchOver: async () => servers.set('mobile', newServer) });
    await removeTenant(from);
    await put('8');
    // Work that began before the move still has the former store.
    await expect(records.directory.read('Patient', '7')).rejects.toThrow('no tenant mobile');
  });
  expect(await readAll()).toEqual(['7', '8']);
  expect(moving.countOpen()).toBe(1);
});

test('a token of one clinic is not valid in another', async () => {
  expect((await send('/clinics/south/fhir/CareTeam/7', 'north-token')).status).toBe(401);
  expect((await send('/clinics/north/fhir/CareTeam/7', 'south-token')).status).toBe(401);
});

test('a clinic is added by one call, and another process serves it at once', async () => {
  const other = await serve(openClinics(oneServer(openPool())));
  expect((await send('/clinics/east/fhir/Goal', 'east-token', 'GET', other)).status).toBe(404);
  expect((await send('/clinics/east', 'north-token', 'PUT')).status).toBe(403);
  expect((await send('/clinics/east', 'operator-token', 'PUT')).status).toBe(204);
  // Adding it again changes nothing.
  expect((await send('/clinics/east', 'operator-token', 'PUT')).status).toBe(204);
  for (const at of [origin, other]) {
    const { status, text } = await send('/clinics/east/fhir/Immunization', 'east-token', 'GET', at);
    expect([status, JSON.parse(text).total]).toEqual([200, 0]);
  }
});

test('a user who may only create schemas in the database adds clinics', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'));
  const name = new URL(url).pathname.slice(1);
  await pool.query(`create role ${name} login; grant create on database ${name} to ${name}`);
  const limited = openTestPool(Object.assign(new URL(url), { username: name }).href, { pipeline: true });
  onTestFinished(async () => {
    await limited.end();
    await drop();
    await pool.query(`drop role ${name}`);
  });
  const { add, use } = openClinics(oneServer(limited));
  await add('west');
  await use('west', ({ directory }) =>
    directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' }),
  );
  expect(await use('west', ({ directory }) => directory.read('Patient', '7'))).toMatchObject({
    lastName: 'Shaw',
  });
});

test("the README's command serves two clinics, and its request reads a care team", async () => {
  const { command, request } = commandsOf('tenants');
  const host = await startHost(command, { DATABASE_URL: database.url });
  try {
    const line = request.replace('http://127.0.0.1:3000', host.origin.replace(/\/clinics$/, ''));
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ id: '7', name: 'Care Team for Shaw, Amy' });
  } finally {
    await host.stop();
  }
});
