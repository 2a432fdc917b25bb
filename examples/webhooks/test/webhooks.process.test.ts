import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endAll, run, runToEnd, waitForEnd } from '../../testing/processes.ts';
import { openClinic } from './clinic.ts';
import { createEndpoint, secret, versionsByRecord, withoutRepeats } from './endpoint.ts';

const workerFile = new URL('../worker.ts', import.meta.url);

let folder: string;
let server = createServer();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
});

afterEach(async () => {
  await endAll();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const listen = async (listener: RequestListener, port: number): Promise<number> => {
  server = createServer(listener).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

test('a worker that is started with the wrong name of the file says so, and creates none', () => {
  const none = join(folder, 'none.db');
  expect(runToEnd(workerFile, none, join(folder, 'webhooks.db'))).toEqual({
    code: 2,
    err: `The file ${none} does not exist. Start the server first, or name its file.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a worker that is killed while it sends, and while its endpoint is down, loses no change', async () => {
  const filename = join(folder, 'clinic.db');
  const store = openSqliteStore({ filename });
  const { changeTeam, changes } = await openClinic(store, ['amy', 'ben', 'cleo']);
  const endpoint = createEndpoint();
  let worker: ReturnType<typeof run> | undefined;
  let killAt = Number.POSITIVE_INFINITY;
  const listener: RequestListener = async (request, response) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const { status } = endpoint.post({ headers, body }, new Date());
    if (endpoint.requests.length >= killAt) worker?.kill('SIGKILL');
    response.writeHead(status).end();
  };
  const port = await listen(listener, 0);
  const endpoints = join(folder, 'endpoints.json');
  writeFileSync(endpoints, JSON.stringify([{ url: `http://127.0.0.1:${port}/webhooks`, secret }]));
  const startWorker = () => {
    worker = run(workerFile, filename, join(folder, 'webhooks.db'), endpoints);
    return worker;
  };

  for (const kill of [1, 2]) {
    for (const patientId of ['amy', 'ben', 'ben']) await changeTeam(patientId);
    killAt = endpoint.requests.length + 2 * kill;
    expect(await waitForEnd(startWorker())).toBe('SIGKILL');
  }

  server.closeAllConnections();
  server.close();
  for (const patientId of ['amy', 'cleo']) await changeTeam(patientId);
  const failing = startWorker();
  let output = '';
  while (!output.includes('failed')) output += (await once(failing.stdout, 'data'))[0];
  failing.kill('SIGKILL');
  await waitForEnd(failing);

  killAt = Number.POSITIVE_INFINITY;
  await listen(listener, port);
  const last = startWorker();
  const feed = (await changes()).map(({ resourceType, id, version }) => ({
    record: `${resourceType}/${id}`,
    version,
  }));
  while (withoutRepeats(endpoint.requests).length < feed.length) await once(last.stdout, 'data');
  last.kill('SIGTERM');
  expect(await waitForEnd(last)).toBe(0);
  await store.close();
  expect(feed.length).toBeGreaterThan(10);
  expect(versionsByRecord(withoutRepeats(endpoint.requests))).toEqual(versionsByRecord(feed));
  expect(endpoint.received.ids.size).toBe(feed.length);
});

// A closed terminal sends SIGHUP.
test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends a worker with 0', async (signal) => {
  const filename = join(folder, 'clinic.db');
  const store = openSqliteStore({ filename });
  await openClinic(store, ['amy']);
  await store.close();
  const endpoints = join(folder, 'endpoints.json');
  const port = await listen((_request, response) => response.writeHead(204).end(), 0);
  writeFileSync(endpoints, JSON.stringify([{ url: `http://127.0.0.1:${port}/webhooks`, secret }]));
  const worker = run(workerFile, filename, join(folder, 'webhooks.db'), endpoints);
  await once(worker.stdout, 'data');
  worker.kill(signal);
  expect(await waitForEnd(worker)).toBe(0);
});
