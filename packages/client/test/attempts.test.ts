import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openServer, statement, temporary } from './server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeEach(async () => {
  server = await openServer();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The result of a call, while time passes as fast as it is waited for. */
const settle = async <A>(call: Promise<A>): Promise<A> => {
  let isOver = false;
  void call.catch(() => {}).finally(() => (isOver = true));
  while (!isOver) await vi.advanceTimersByTimeAsync(50);
  return call;
};

describe('a read is sent again while the server cannot respond', () => {
  test.each([429, 502, 503, 504])('after a %i', async (status) => {
    server.faults.push(temporary(status), temporary(status), 'request');
    expect(await settle(server.client.read('CareTeam', 'amy'))).toMatchObject({ id: 'amy' });
    expect(server.requests).toHaveLength(4);
  });

  test('not before the time that Retry-After names', async () => {
    server.faults.push(temporary(429, '7'));
    const began = Date.now();
    await settle(server.client.read('CareTeam', 'amy'));
    expect(Date.now() - began).toBeGreaterThanOrEqual(7000);
  });

  test('and with longer and longer pauses, at most five seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const times: number[] = [];
    const client = server.connect('ada', {
      fetch: async () => {
        times.push(Date.now());
        return temporary(503);
      },
    });
    await expect(settle(client.read('CareTeam', 'amy'))).rejects.toMatchObject({ status: 503 });
    const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([200, 400, 800, 1600, 3200]);
    expect(Math.max(...pauses)).toBe(5000);
  });

  test.each([400, 403, 404, 409, 422, 500])('refused: after a %i it is not', async (status) => {
    server.faults.push(temporary(status));
    await expect(settle(server.client.read('CareTeam', 'amy'))).rejects.toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the deadline ends a call with all of its attempts', () => {
  test('with the last response, or with a ConnectionError if there is none', async () => {
    const client = server.connect('ada', { deadline: 2000 });
    server.faults.push(...Array.from({ length: 20 }, () => temporary(503)));
    await expect(settle(client.read('CareTeam', 'amy'))).rejects.toMatchObject({
      status: 503,
      message: 'Later.',
    });
    server.faults.splice(0, 20, ...Array.from({ length: 20 }, () => 'request' as const));
    await expect(settle(client.read('CareTeam', 'amy'))).rejects.toMatchObject({
      ...{ name: 'ConnectionError', mayBeWritten: false },
    });
    await expect(settle(client.create('Immunization', statement))).rejects.toMatchObject({
      ...{ name: 'ConnectionError', mayBeWritten: true },
    });
  });

  test('as maxAttempts does', async () => {
    const client = server.connect('ada', { maxAttempts: 3 });
    server.faults.push(temporary(503), 'request', temporary(503));
    await expect(settle(client.read('CareTeam', 'amy'))).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(3);
  });

  test('and a response that has begun to arrive may take all of it', async () => {
    const slow = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start: async (controller) => {
          for (let sent = 0; sent < chunks; sent += 1) {
            await new Promise((resolve) => setTimeout(resolve, 1000));
            controller.enqueue(new TextEncoder().encode(sent === 0 ? '{"id":"amy"' : ' '));
          }
          controller.enqueue(new TextEncoder().encode('}'));
          controller.close();
        },
      });
    const client = server.connect('ada', { fetch: async () => new Response(slow(20)), deadline: 30_000 });
    expect(await settle(client.read('CareTeam', 'amy'))).toEqual({ id: 'amy' });
  });

  test('also while the server does not respond, of which one attempt takes a third', async () => {
    const times: number[] = [];
    const began = Date.now();
    const client = server.connect('ada', {
      deadline: 30_000,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          times.push(Date.now() - began);
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    await expect(settle(client.read('CareTeam', 'amy'))).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(times).toHaveLength(3);
    expect(times[1]).toBeGreaterThanOrEqual(10_000);
    expect(Date.now() - began).toBeLessThanOrEqual(30_100);
  });
});

describe('a signal ends a call', () => {
  test('before it begins, in an attempt, and between two', async () => {
    const reason = new Error('The page was left.');
    await expect(server.client.read('CareTeam', 'amy', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );

    const waiting = new AbortController();
    const hanging = server.connect('ada', {
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    const inAttempt = hanging.read('CareTeam', 'amy', { signal: waiting.signal });
    await vi.advanceTimersByTimeAsync(10);
    waiting.abort(reason);
    await expect(inAttempt).rejects.toBe(reason);

    const between = new AbortController();
    server.faults.push(temporary(503, '20'));
    const paused = server.client.read('CareTeam', 'amy', { signal: between.signal });
    await vi.advanceTimersByTimeAsync(10);
    between.abort(reason);
    await expect(paused).rejects.toBe(reason);
  });
});

describe('the token of each request is asked for', () => {
  test('and once more after a 401, with isRefused', async () => {
    const asked: boolean[] = [];
    const client = server.connect('', {
      getToken: async ({ isRefused }) => {
        asked.push(isRefused);
        return isRefused ? 'ada' : 'old';
      },
    });
    expect(await client.read('CareTeam', 'amy')).toMatchObject({ id: 'amy' });
    expect(asked).toEqual([false, true]);
    await client.create('Immunization', statement);
    expect((await server.records.immunizations.search({ patient: 'amy' })).total).toBe(1);
  });

  test('refused: if there is no other one, the 401 is the result', async () => {
    const client = server.connect('old');
    await expect(client.read('CareTeam', 'amy')).rejects.toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(1);
  });

  test('without a token, no request has an Authorization', async () => {
    const client = server.connect('', { getToken: () => null });
    await expect(client.read('CareTeam', 'amy')).rejects.toMatchObject({ status: 401 });
    expect(server.requests.at(-1)?.headers.has('authorization')).toBe(false);
  });
});
