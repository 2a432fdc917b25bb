import { join } from 'node:path';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterAll, expect, test } from 'vitest';
import { careTeamRoles, extensionBase } from '../../settings.ts';
import { inFlight, isRefused } from '../in-flight.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';
import { until } from '../until.ts';

afterAll(endAll);

// A closed terminal sends SIGHUP.
test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s refuses new connections, completes requests in flight, and ends with 0',
  async (signal) => {
    const folder = await newFolder();
    const server = await startServer([], folder);
    const { port, finish } = await inFlight(server);
    server.signal(signal);
    await until(() => isRefused(port));
    expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await server.ended()).toBe(0);

    const store = openSqliteStore({ filename: join(folder, 'clinical-records.db') });
    const { immunizations } = createClinicalRecords({ store, extensionBase, careTeamRoles });
    expect(await immunizations.search({ patient: 'demo-patient-4' })).toMatchObject({ total: 1 });
    await store.close();
  },
);

test('if two SIGINTs arrive at once, as from Ctrl-C under npm, the second has no effect', async () => {
  const server = await startServer([], await newFolder());
  const { port, finish } = await inFlight(server);
  server.signal('SIGINT');
  await until(() => isRefused(port));
  server.signal('SIGINT');
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
  expect(await server.ended()).toBe(0);
});

test('a signal that is repeated later ends the process, even with requests in flight', async () => {
  const server = await startServer([], await newFolder());
  await inFlight(server);
  const repeating = setInterval(() => server.signal('SIGTERM'), 100);
  const code = await server.ended();
  clearInterval(repeating);
  // Node has no code for a process that a signal ended.
  expect(code).toBeNull();
});

test('SIGINT ends the process with 0, even if a client keeps its connection', async () => {
  const server = await startServer([], await newFolder());
  await server.get('/Goal');
  server.signal('SIGINT');
  expect(await server.ended()).toBe(0);
});
