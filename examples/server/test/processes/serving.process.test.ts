import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inFlight, isRefused } from '../in-flight.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder, runToEnd, startServer } from '../running-server.ts';
import { until } from '../until.ts';

afterAll(endAll);

/** The processes that a server has started. */
const workersOf = ({ pid }: { readonly pid: number | undefined }): readonly number[] => {
  try {
    return execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const killIfRunning = (pid: number): void => {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
};

const startTwo = async () => {
  const filename = join(await newFolder(), 'clinic.db');
  const server = await startServer(['--processes', '2', '--data', filename], await newFolder());
  return { server, filename };
};

/** Creates in flight in both processes: that all of 40 connections lead to one of them does not happen. */
const fillWithCreates = (server: Parameters<typeof inFlight>[0]) =>
  Promise.all(Array.from({ length: 40 }, () => inFlight(server, 'close')));

const idsIn = (answers: readonly string[]) =>
  answers.flatMap((answer) => /^Location: .*\/Immunization\/([^/\s]+)/im.exec(answer)?.[1] ?? []);

test('each create that two processes reported is in the file, and a killed process is replaced', async () => {
  const { server, filename } = await startTwo();
  const [killed = 0, kept = 0] = workersOf(server);
  const creates = await fillWithCreates(server);
  process.kill(killed, 'SIGKILL');
  const created = idsIn(await Promise.all(creates.map(({ finish }) => finish())));
  expect(created.length).toBeGreaterThan(0);
  expect(created.length).toBeLessThan(creates.length);

  await until(() => server.printed.err !== '' && workersOf(server).length === 2);
  expect(workersOf(server)).toContain(kept);
  expect(server.printed.err).toMatch(
    new RegExp(`^\\S+Z process ${killed} ended by SIGKILL; another one replaces it\\n$`),
  );
  const more = await fillWithCreates(server);
  created.push(...idsIn(await Promise.all(more.map(({ finish }) => finish()))));

  const { body } = await server.get('/Immunization?patient=demo-patient-4&_count=100');
  const { entry } = body as { readonly entry: readonly { readonly resource: { readonly id: string } }[] };
  const ids = entry.map(({ resource }) => resource.id);
  expect(ids).toEqual(expect.arrayContaining(created));
  expect(await server.stop()).toBe(0);
  expect((await runHere('--data', filename, '--verify')).code).toBe(0);
});

test('on SIGTERM, all processes refuse new connections, answer requests in flight and end with 0', async () => {
  const { server } = await startTwo();
  const workers = workersOf(server);
  const creates = await fillWithCreates(server);
  server.signal('SIGTERM');
  await until(() => isRefused(creates[0]?.port ?? 0));
  const answers = await Promise.all(creates.map(({ finish }) => finish()));
  expect(idsIn(answers)).toHaveLength(creates.length);
  expect(await server.ended()).toBe(0);
  expect(workers.map(isRunning)).toEqual([false, false]);
  expect(server.printed.err).toBe('');
});

test('if the first process is killed, the others end', async () => {
  const { server } = await startTwo();
  const { port } = new URL(server.address);
  expect(await isRefused(Number(port))).toBe(false);
  server.signal('SIGKILL');
  await until(() => isRefused(Number(port)));
});

test('if too many processes end in one place, the server stops the others and exits with 1', async () => {
  const { server } = await startTwo();
  const [kept = 0] = workersOf(server);
  let hasEnded = false;
  const ended = server.ended().finally(() => {
    hasEnded = true;
  });
  await until(() => {
    for (const worker of workersOf(server)) if (worker !== kept) killIfRunning(worker);
    return hasEnded;
  });
  expect(await ended).toBe(1);
  expect(isRunning(kept)).toBe(false);
  expect(server.printed.err).toMatch(
    /\nclinical-records: process \d+ ended by SIGKILL, after 6 others in its place within a minute\n$/,
  );
});

test('with several processes, a port in use prints one line, and exits with 4', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const folder = await newFolder();
  expect(
    await runToEnd('--processes', '2', '--port', `${port}`, '--data', join(folder, 'clinic.db')),
  ).toEqual({
    code: 4,
    out: '',
    err: `clinical-records: port ${port} is in use; choose another with --port\n`,
  });
  other.close();
});
