import { describe, expect, test, vi } from 'vitest';
import type { ChartChange, Client } from '../src/index.ts';
import { openServer, temporary } from './server.ts';

const record = (server: Awaited<ReturnType<typeof openServer>>, id: string, patientId = 'amy') =>
  server.records.chart.record(
    { kind: 'goal', id, patientId, description: `Goal ${id}` },
    { by: 'Practitioner/ada' },
  );

/** Watches a chart until the test ends it. */
const watch = (client: Client, options: Parameters<Client['watch']>[2] = {}) => {
  const stop = new AbortController();
  const changes: ChartChange[] = [];
  const ended = client.watch('amy', (change) => void changes.push(change), {
    ...options,
    signal: stop.signal,
  });
  void ended.catch(() => {});
  return {
    changes,
    ended,
    ids: () => changes.flatMap((change) => (change.kind === 'version' ? [change.id] : [])),
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
};

describe('with a stream of events', () => {
  test('it asks to read the chart, and then names each new version in it', async () => {
    const server = await openServer();
    const { changes, ids, stop } = watch(server.client);
    await expect.poll(() => changes).toEqual([{ kind: 'read', types: null }]);
    await record(server, 'of-ben', 'ben');
    await record(server, 'a');
    await expect.poll(ids).toEqual(['a']);
    expect(changes.at(-1)).toEqual({ kind: 'version', resourceType: 'Goal', id: 'a', version: 1 });
    await stop();
  });

  test('it continues when the stream has ended: nothing is missed, nothing comes twice, and nothing is read again', async () => {
    const server = await openServer({ events: { interval: 1, lifetime: 20 } });
    const { changes, ids, stop } = watch(server.client);
    await expect.poll(() => changes.length).toBe(1);
    const written = Array.from({ length: 30 }, (_, at) => `g${at}`);
    for (const id of written) {
      await record(server, id);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await expect.poll(ids).toEqual(written);
    expect(changes.filter(({ kind }) => kind === 'read')).toHaveLength(1);
    expect(server.requests.length).toBeGreaterThan(1);
    await stop();
  });

  test('it goes on while the server does not respond, and asks to read again what it cannot continue', async () => {
    const server = await openServer({ events: { interval: 1, lifetime: 20 } });
    const { changes, stop } = watch(server.client);
    await expect.poll(() => changes.length).toBe(1);
    server.faults.push('request', new Response('', { status: 503 }));
    const forgetful = new Response('event: open\ndata: {}\n\n', {
      headers: { 'content-type': 'text/event-stream' },
    });
    server.faults.push(forgetful);
    await expect
      .poll(() => changes)
      .toEqual([
        { kind: 'read', types: null },
        { kind: 'read', types: null },
      ]);
    await stop();
  });

  test('types that the server cannot follow back are to be read again', async () => {
    const server = await openServer();
    const text = 'event: resume\ndata: {"readAgain":["Condition"]}\n\n';
    server.faults.push(new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
    const { changes, stop } = watch(server.client);
    await expect.poll(() => changes[0]).toEqual({ kind: 'read', types: ['Condition'] });
    await stop();
  });

  test('a stream that is silent for 45 seconds is opened again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let opened = 0;
    const server = await openServer();
    const client = server.connect('ada', {
      fetch: async () => {
        opened += 1;
        return new Response(new ReadableStream({ start: () => {} }));
      },
    });
    const { stop } = watch(client);
    await vi.advanceTimersByTimeAsync(44_000);
    expect(opened).toBe(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(opened).toBe(2);
    await stop();
    vi.useRealTimers();
  });
});

describe('without a stream of events, the chart is read again and again', () => {
  test('it asks to read the chart, and then names each new version', async () => {
    const server = await openServer({ hasEvents: false });
    await record(server, 'before');
    const { changes, ids, stop } = watch(server.client, { pollEvery: 5 });
    await expect.poll(() => changes).toEqual([{ kind: 'read', types: null }]);
    await record(server, 'a');
    await expect.poll(ids).toEqual(['a']);
    server.faults.push('request');
    await server.records.chart.record(
      { kind: 'updateGoal', goalId: 'a', progress: 'Better.' },
      { by: 'Practitioner/ada' },
    );
    await expect.poll(ids).toEqual(['a', 'a']);
    expect(changes.at(-1)).toEqual({ kind: 'version', resourceType: 'Goal', id: 'a', version: 2 });
    await stop();
  });
});

test('without a stream, a page that was not read takes no change with it', async () => {
  const server = await openServer();
  const versionOf = (id: string, second: string) => ({
    resource: {
      ...{ resourceType: 'Goal', id },
      meta: { versionId: '1', lastUpdated: `2026-01-01T00:00:${second}Z` },
    },
  });
  const page = (entry: readonly object[], next?: string) =>
    Response.json({ entry, link: next === undefined ? [] : [{ relation: 'next', url: next }] });
  const responses = [
    page([versionOf('before', '01')]),
    page([versionOf('late', '09')], '/Patient/amy/$everything?page=2'),
    temporary(503),
  ];
  const asked: (string | null)[] = [];
  const client = server.connect('ada', {
    maxAttempts: 1,
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(`${input}`);
      if (pathname.endsWith('/events')) return temporary(404);
      asked.push(searchParams.get('_since'));
      return responses.shift() ?? page([versionOf('early', '05'), versionOf('late', '09')]);
    },
  });
  const { ids, stop } = watch(client, { pollEvery: 1 });
  await expect.poll(ids).toEqual(['late', 'early']);
  expect(asked.slice(0, 4)).toEqual([null, '2026-01-01T00:00:01Z', null, '2026-01-01T00:00:01Z']);
  await stop();
});

describe('it ends', () => {
  test.each([
    ['with a stream', true],
    ['without', false],
  ])('with the error of the function that it calls, %s', async (_, hasEvents) => {
    const server = await openServer({ hasEvents });
    let calls = 0;
    const fails = () => {
      calls += 1;
      throw new RangeError('No such row.');
    };
    await expect(server.client.watch('amy', fails, { pollEvery: 1 })).rejects.toThrow('No such row.');
    expect(calls).toBe(1);
  });

  test('with the signal, also before the first response', async () => {
    const server = await openServer();
    expect(await server.client.watch('amy', () => {}, { signal: AbortSignal.abort() })).toBeUndefined();
    expect(server.requests).toEqual([]);
  });

  test('with the error of a caller who may not see the chart', async () => {
    const server = await openServer();
    await expect(watch(server.connect('old')).ended).rejects.toMatchObject({ status: 401 });
    const forbidden = await openServer({ authorize: () => 'deny' });
    await expect(watch(forbidden.client).ended).rejects.toMatchObject({ status: 403 });
  });
});
