import { setImmediate } from 'node:timers/promises';
import { createMemoryStore } from '@clinical-records/store-memory';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AuthenticationUnavailable,
  type Authorization,
  type HttpHandlerOptions,
  type HttpRequest,
  type Principal,
  type ResponseStream,
} from '../../src/index.ts';
import { goal, labOrder } from '../builders.ts';
import { type Clinic, createHandler, createSender, openClinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const seconds = 1000;

const reader: Principal = { subject: 'Practitioner/ada', scopes: 'user/*.rs' };

/** The request with a token, or with a cookie. */
const request = (headers: HttpRequest['headers'] = { authorization: 'Bearer x' }): HttpRequest => ({
  ...{ method: 'GET', url: '/fhir/events?patient=amy', headers },
});

/** A client that reads all that comes. */
const follow = (stream: ResponseStream) => {
  const texts: string[] = [];
  let isOver = false;
  const read = async () => {
    for (;;) {
      const { value, done } = await stream.next();
      if (done === true) break;
      texts.push(value);
    }
    isOver = true;
  };
  void read();
  const named = () => [...texts.join('').matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id);
  return {
    isOver: () => isOver,
    /** The ids of the resources that were named. */
    named,
    /** Waits until one is named, for whose event another thread encrypts the id. As much time passes in each turn. */
    isNamed: async (milliseconds: number) => {
      while (named().length === 0) {
        await vi.advanceTimersByTimeAsync(milliseconds);
        await setImmediate();
      }
    },
  };
};

const open = async (
  options: Partial<HttpHandlerOptions>,
  headers?: HttpRequest['headers'],
): Promise<ReturnType<typeof follow>> => {
  const handler = createHandler(clinic.records, {
    authenticate: () => reader,
    ...options,
    events: { interval: 100, ...options.events },
  });
  const { status, stream } = await handler(request(headers));
  expect(status).toBe(200);
  if (stream === undefined) throw new Error('There is no stream.');
  return follow(stream);
};

const pass = async (milliseconds: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  // The feed is read in turns of the event loop.
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
};

describe('a stream ends when what opened it no longer holds', () => {
  test('when the principal expires, and no version is named after that', async () => {
    const expiresAt = Date.now() + 20 * seconds;
    const client = await open({ authenticate: () => ({ ...reader, expiresAt }) });
    await clinic.record(goal({ id: 'in-time' }));
    await pass(19_999);
    await client.isNamed(0);
    expect([client.isOver(), client.named()]).toEqual([false, ['in-time']]);
    await clinic.record(goal({ id: 'late' }));
    await pass(1);
    expect([client.isOver(), client.named()]).toEqual([true, ['in-time']]);
  });

  test('when the principal expires while `authorize` is asked about a version', async () => {
    const expiresAt = Date.now() + 10 * seconds;
    let wait = 0;
    const authorize = async (): Promise<Authorization> => {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      return 'allow';
    };
    const client = await open({ authenticate: () => ({ ...reader, expiresAt }), authorize });
    wait = 9 * seconds;
    await pass(5 * seconds);
    await clinic.record(goal({ id: 'late' }));
    await pass(15 * seconds);
    expect([client.isOver(), client.named()]).toEqual([true, []]);
  });

  test.each<readonly [what: string, later: () => ReturnType<HttpHandlerOptions['authenticate']>]>([
    ['is not valid any more', () => null],
    ['cannot be checked', () => Promise.reject(new AuthenticationUnavailable('Away.'))],
    ['is checked by a host that throws', () => Promise.reject(new Error('boom'))],
    ['names somebody else', () => ({ ...reader, subject: 'Practitioner/bob' })],
    ['is of another client', () => ({ ...reader, client: 'other-app' })],
    ['has no scope for the chart any more', () => ({ ...reader, scopes: 'user/Patient.rs' })],
    ['is of another patient', () => ({ ...reader, scopes: 'patient/*.rs', patient: 'ben' })],
    ['has expired', () => ({ ...reader, expiresAt: Date.now() - 1 })],
  ])('within 15 seconds, if the token %s', async (_, later) => {
    let answer: () => ReturnType<HttpHandlerOptions['authenticate']> = () => reader;
    const client = await open({ authenticate: () => answer() });
    await pass(30 * seconds);
    expect(client.isOver()).toBe(false);
    answer = later;
    await pass(15 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test('within 25 seconds, if `authenticate` never answers', async () => {
    let isAway = false;
    const authenticate = () => (isAway ? new Promise<null>(() => {}) : reader);
    const client = await open({ authenticate });
    isAway = true;
    await pass(25 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test('within 15 seconds, if the session has ended', async () => {
    const sessions = new Map([['s1', reader]]);
    const client = await open(
      { authenticateSession: ({ headers }) => sessions.get(`${headers.cookie}`) ?? null },
      { cookie: 's1' },
    );
    await pass(30 * seconds);
    expect(client.isOver()).toBe(false);
    sessions.delete('s1');
    await pass(15 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test.each<readonly [what: string, later: () => Authorization | Promise<Authorization>]>([
    ['denies it', () => 'deny'],
    ['limits it to others', () => ({ limitTo: 'ben' })],
    ['throws', () => Promise.reject(new Error('boom'))],
  ])('within 15 seconds, if `authorize` %s', async (_, later) => {
    let answer: () => Authorization | Promise<Authorization> = () => 'allow';
    const client = await open({ authorize: () => answer() });
    await pass(30 * seconds);
    expect(client.isOver()).toBe(false);
    answer = later;
    await pass(15 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test('although there is always something to say', async () => {
    let answer: Principal | null = reader;
    const client = await open({ authenticate: () => answer });
    const write = async (from: number, to: number) => {
      for (let at = from; at < to; at += 1) {
        await clinic.record(goal({ id: `g${at}` }));
        await pass(seconds);
      }
    };
    await write(0, 5);
    answer = null;
    await write(5, 25);
    expect(client.isOver()).toBe(true);
    expect(client.named().length).toBeLessThan(20);
  });
});

describe('a stream goes on as long as what opened it holds', () => {
  test('`authenticate` and `authorize` are asked at least every 15 seconds, with what opened it', async () => {
    const asked: (readonly [at: number, token: string, sent: HttpRequest])[] = [];
    const questions: (readonly [at: number, sent: HttpRequest])[] = [];
    const client = await open({
      authenticate: (token, sent) => {
        asked.push([Date.now(), token, sent]);
        return reader;
      },
      authorize: ({ request: sent }) => {
        questions.push([Date.now(), sent]);
        return 'allow';
      },
    });
    await pass(120 * seconds);
    expect(client.isOver()).toBe(false);
    for (const times of [asked, questions].map((calls) => [...new Set(calls.map(([at]) => at))])) {
      expect(times.length).toBeGreaterThanOrEqual(9);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(15 * seconds);
    }
    const [first] = asked;
    expect(new Set(asked.map(([, token, sent]) => [token, sent].map(String).join()))).toHaveProperty(
      'size',
      1,
    );
    expect(asked.every(([, token, sent]) => token === 'x' && sent === first?.[2])).toBe(true);
    expect(questions.every(([, sent]) => sent === first?.[2])).toBe(true);
  });

  test.each([
    [{}],
    [{ expiresAt: undefined }],
    // A host in plain JavaScript has null where it has no time.
    [{ expiresAt: null as never }],
    [{ expiresAt: Number.POSITIVE_INFINITY }],
  ])('for five minutes, if nothing says when it expires: %j', async (time) => {
    const client = await open({ authenticate: () => ({ ...reader, ...time }) });
    await pass(269 * seconds);
    expect(client.isOver()).toBe(false);
    await pass(31 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test('for five minutes at most, whenever it expires', async () => {
    const expiresAt = Date.now() + 3600 * seconds;
    const client = await open({ authenticate: () => ({ ...reader, expiresAt }) });
    await pass(300 * seconds);
    expect(client.isOver()).toBe(true);
  });

  test('until the time that the session has now, if it was prolonged', async () => {
    let expiresAt = Date.now() + 20 * seconds;
    const client = await open({ authenticate: () => ({ ...reader, expiresAt }) });
    expiresAt += 40 * seconds;
    await pass(59 * seconds);
    expect(client.isOver()).toBe(false);
    await pass(seconds);
    expect(client.isOver()).toBe(true);
  });

  test('with the scopes that the token has now', async () => {
    let scopes = 'user/*.rs';
    const client = await open({ authenticate: () => ({ ...reader, scopes }) });
    scopes = 'user/ServiceRequest.rs';
    await pass(15 * seconds);
    await clinic.record(goal({ id: 'hidden' }));
    await clinic.record(labOrder({ id: 'shown' }));
    await pass(seconds);
    await client.isNamed(100);
    expect([client.isOver(), client.named()]).toEqual([false, ['shown']]);
  });
});

describe('a principal that has expired is nobody', () => {
  test.each([0, Date.parse('2020-01-01T00:00:00Z')])('at %i', async (expiresAt) => {
    const send = createSender(
      createHandler(clinic.records, { authenticate: () => ({ ...reader, expiresAt }) }),
    );
    expectError(await send('GET', '/CareTeam/amy'), 401);
  });

  test('and one that has not is somebody', async () => {
    const send = createSender(
      createHandler(clinic.records, {
        authenticate: () => ({ ...reader, expiresAt: Date.now() + 1 }),
        authenticateSession: () => ({ ...reader, expiresAt: undefined }),
      }),
    );
    expect((await send('GET', '/CareTeam/amy')).status).toBe(200);
    expect((await send('GET', '/CareTeam/amy', { token: null })).status).toBe(200);
  });

  test.each(['2030-01-01', Number.NaN, new Date('2030-01-01'), true])(
    '%j is not a time in milliseconds, so the response is a 500',
    async (expiresAt) => {
      const errors: Error[] = [];
      const send = createSender(
        createHandler(clinic.records, {
          authenticate: () => ({ ...reader, expiresAt: expiresAt as number }),
          onError: (cause) => errors.push(cause),
        }),
      );
      expectError(await send('GET', '/CareTeam/amy'), 500);
      expect(errors[0]?.message).toMatch(/expiresAt/);
    },
  );
});
