import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const before = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));

beforeAll(() => process.chdir(folder));

afterAll(() => {
  vi.unstubAllEnvs();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

test("the core's README finds the goal that it records", async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('./core.ts');
  expect(log.mock.calls).toEqual([['1 of her goals']]);
  log.mockRestore();
});

test('the READMEs of the stores create working records, one of them in a file', async () => {
  const [memory, sqlite] = await Promise.all([import('./store-memory.ts'), import('./store-sqlite.ts')]);
  for (const { records } of [memory, sqlite]) {
    expect(await records.goals.search({})).toMatchObject({ total: 0 });
  }
  expect(existsSync('clinic.db')).toBe(true);
});

test('the README of the adapter serves a caller with the token', async () => {
  vi.stubEnv('TOKEN', 'of-the-host');
  const { server } = await import('./http-adapter.ts');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const statusWith = async (token: string) => {
    const url = `http://127.0.0.1:${port}/fhir/Goal`;
    return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
  };
  expect(await statusWith('of-the-host')).toBe(200);
  expect(await statusWith('of-another')).toBe(401);
  server.closeAllConnections();
  server.close();
});

test('the module that registers the SDK of OpenTelemetry exports spans and metrics', async () => {
  const dir = vi.spyOn(console, 'dir').mockReturnValue();
  const { traces, meters } = await import('./telemetry.ts');
  trace.getTracer('test').startSpan('a span').end();
  metrics.getMeter('test').createCounter('a metric').add(1);
  await Promise.all([traces.forceFlush(), meters.forceFlush()]);
  const exported = dir.mock.calls.map(([object]) => object);
  expect(exported).toContainEqual(expect.objectContaining({ name: 'a span' }));
  expect(exported).toContainEqual(
    expect.objectContaining({ descriptor: expect.objectContaining({ name: 'a metric' }) }),
  );
  await Promise.all([traces.shutdown(), meters.shutdown()]);
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

test('the handler for tokens of an authorization server refuses a text that is not one of them', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { handler } = await import('./jwt.ts');
  const headers = { authorization: 'Bearer secret' };
  expect(await handler({ method: 'GET', url: '/fhir/Goal', headers })).toMatchObject({ status: 401 });
  expect(warn.mock.calls).toEqual([['Invalid Compact JWS']]);
  warn.mockRestore();
});
