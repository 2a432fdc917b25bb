import type { ClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { HostResources, HttpHandler, HttpHandlerOptions, Principal } from '../../src/index.ts';
import { goal, labOrder } from '../builders.ts';
import { type Clinic, createHandler, createRecords, openClinic } from '../clinic.ts';

let clinic: Clinic;
beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
});

type Options = Partial<HttpHandlerOptions> & { readonly records?: ClinicalRecords };

const handlerFor = (
  principal: Partial<Principal> = {},
  { records = clinic.records, ...options }: Options = {},
) =>
  createHandler(records, {
    authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
    events: { interval: 1 },
    ...options,
  });

type Event = { readonly name: string; readonly id: string | undefined; readonly data: unknown };

const eventsIn = (text: string): readonly Event[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const lineOf = (field: string) => new RegExp(`^${field}: (.*)$`, 'm').exec(block)?.[1];
      return { name: lineOf('event') ?? '', id: lineOf('id'), data: JSON.parse(lineOf('data') ?? 'null') };
    });

/** Opens a stream, and returns its first event, and a function that reads the next ones. */
const open = async (
  handler: HttpHandler,
  { lastEventId, query = 'patient=amy' }: { readonly lastEventId?: string; readonly query?: string } = {},
) => {
  const { stream } = await handler({
    ...{ method: 'GET', url: `/fhir/events?${query}` },
    headers: {
      authorization: 'Bearer x',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  if (stream === undefined) throw new Error('There is no stream.');
  const next = async () => eventsIn(String((await stream.next()).value));
  const [first] = await next();
  return { first, next, end: () => stream.return() };
};

const idOf = (event: Event | undefined): string => {
  if (event?.id === undefined) throw new Error('The event has no id.');
  return event.id;
};

const ids = (events: readonly Event[]) => events.map(({ data }) => (data as { readonly id: string }).id);

const record = (id: string, patientId = 'amy') => clinic.record(goal({ id, patientId }));

describe('a stream continues after the event whose id it gets as Last-Event-ID', () => {
  test('it names what was committed meanwhile, in order and each once, and begins with resume instead of open', async () => {
    const handler = handlerFor();
    const before = await open(handler);
    await record('a');
    const [named] = await before.next();
    await before.end();
    await record('b');
    await record('of-ben', 'ben');
    await record('c');
    const after = await open(handler, { lastEventId: idOf(named) });
    expect(after.first).toEqual({ name: 'resume', id: undefined, data: {} });
    expect(ids(await after.next())).toEqual(['b', 'c']);
    await record('d');
    expect(ids(await after.next())).toEqual(['d']);
    await after.end();
  });

  test('also after open, and by the parameter lastEventId, before which the header comes first', async () => {
    const handler = handlerFor();
    const before = await open(handler);
    await before.end();
    await record('a');
    const byParameter = await open(handler, { query: `patient=amy&lastEventId=${idOf(before.first)}` });
    expect(byParameter.first?.name).toBe('resume');
    const [named] = await byParameter.next();
    expect(named?.data).toMatchObject({ id: 'a' });
    await byParameter.end();
    await record('b');
    const byBoth = await open(handler, {
      query: `patient=amy&lastEventId=${idOf(before.first)}`,
      lastEventId: idOf(named),
    });
    expect(ids(await byBoth.next())).toEqual(['b']);
    await byBoth.end();
  });

  test('in the middle of what was written at once', async () => {
    const handler = handlerFor();
    const before = await open(handler);
    await before.end();
    for (const id of ['a', 'b', 'c']) await record(id);
    const all = await open(handler, { lastEventId: idOf(before.first) });
    const [a, b, c] = await all.next();
    expect(ids([a, b, c] as Event[])).toEqual(['a', 'b', 'c']);
    await all.end();
    const rest = await open(handler, { lastEventId: idOf(b) });
    expect(ids(await rest.next())).toEqual(['c']);
    await rest.end();
  });

  test('a quiet stream moves the id on, past what the sender may not see', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const principal = { scopes: 'user/ServiceRequest.rs' } as const;
    const handler = handlerFor(principal);
    const stream = await open(handler);
    await record('hidden');
    vi.advanceTimersByTime(20_000);
    const [moved] = await stream.next();
    vi.useRealTimers();
    expect(moved).toMatchObject({ name: '', data: null });
    await stream.end();
    // With this id, nothing is read that was named before, so another handler with another reach would not see it.
    await clinic.record(labOrder({ id: 'shown', patientId: 'amy' }));
    const next = await open(handler, { lastEventId: idOf(moved) });
    expect(ids(await next.next())).toEqual(['shown']);
    await next.end();
  });

  test('in another process and after a restart, with the same secret', async () => {
    const events = { interval: 1, secret: 'a secret of all processes' };
    const before = await open(handlerFor({}, { events }));
    await before.end();
    await record('a');
    const after = await open(handlerFor({}, { events }), { lastEventId: idOf(before.first) });
    expect(after.first?.name).toBe('resume');
    expect(ids(await after.next())).toEqual(['a']);
    await after.end();
  });

  test.each([1, 2, 3, 4, 5])(
    'however often it is cut, nothing is missed and nothing comes twice (%i)',
    async (seed) => {
      const handler = handlerFor();
      let random = seed;
      const chance = () => {
        random = (random * 16_807) % 2_147_483_647;
        return random / 2_147_483_647;
      };
      const named: string[] = [];
      let stream = await open(handler);
      let last = idOf(stream.first);
      const written = Array.from({ length: 40 }, (_, at) => `n${at}`);
      const writing = (async () => {
        for (const id of written) await record(id);
      })();
      while (named.length < written.length) {
        const events = (await stream.next()).filter(({ name }) => name === 'version');
        // The connection is cut somewhere in what was sent.
        const received = chance() < 0.5 ? events : events.slice(0, Math.floor(chance() * events.length));
        named.push(...ids(received));
        last = received.at(-1)?.id ?? last;
        if (received.length === events.length && chance() < 0.5) continue;
        await stream.end();
        stream = await open(handler, { lastEventId: last });
        expect(stream.first?.name).toBe('resume');
      }
      await writing;
      await stream.end();
      expect(named).toEqual(written);
    },
  );
});

test('a stream names what its client has missed even if its lifetime is over by then', async () => {
  const handler = handlerFor({}, { events: { interval: 1, lifetime: 0 } });
  const { first } = await open(handler);
  await record('a');
  await record('b');
  const resumed = await open(handler, { lastEventId: idOf(first) });
  expect(ids(await resumed.next())).toEqual(['a', 'b']);
  await resumed.end();
});

describe('an id that does not hold here says to read the chart again, as a new stream does', () => {
  const secret = 'a secret of all processes';
  const idFor = async (...options: Parameters<typeof handlerFor>) => {
    const stream = await open(handlerFor(...options));
    await stream.end();
    return idOf(stream.first);
  };
  const firstWith = async (handler: HttpHandler, lastEventId: string, query?: string) => {
    const stream = await open(handler, { lastEventId, ...(query !== undefined && { query }) });
    await stream.end();
    return stream.first?.name;
  };

  test('of another chart, other scopes, another secret, another database, or none at all', async () => {
    const options = { events: { interval: 1, secret } };
    const handler = handlerFor({}, options);
    const id = await idFor({}, options);
    expect(await firstWith(handler, id)).toBe('resume');
    expect(await firstWith(handler, id, 'patient=ben')).toBe('open');
    expect(await firstWith(handlerFor({ scopes: 'user/Goal.rs' }, options), id)).toBe('open');
    expect(await firstWith(handlerFor({}, { events: { interval: 1 } }), id)).toBe('open');
    const records = createRecords(createMemoryStore());
    await records.directory.put('Patient', { id: 'amy', lastName: 'Another' });
    expect(await firstWith(handlerFor({}, { ...options, records }), id)).toBe('open');
    for (const none of ['', 'x', '.', `x.${id.split('.')[1]}`, `${id}x`, id.slice(1), 'a'.repeat(5000)]) {
      expect(await firstWith(handler, none)).toBe('open');
    }
  });

  test('more than an hour old, or more than 2,000 versions ago', async () => {
    const handler = handlerFor();
    const before = await open(handler);
    await before.end();
    vi.useFakeTimers({ now: Date.now() + 3_601_000, toFake: ['Date'] });
    expect(await firstWith(handler, idOf(before.first))).toBe('open');
    vi.useRealTimers();
    for (let at = 0; at < 2001; at += 1) await record(`many-${at}`, 'ben');
    expect(await firstWith(handler, idOf(before.first))).toBe('open');
  });

  test('more than 1,000 versions of the chart ago', async () => {
    const handler = handlerFor();
    const before = await open(handler);
    await before.end();
    for (let at = 0; at < 1000; at += 1) await record(`many-${at}`);
    expect(await firstWith(handler, idOf(before.first))).toBe('resume');
    await record('one-more');
    expect(await firstWith(handler, idOf(before.first))).toBe('open');
  });

  test('an id says nothing of the number of versions in other charts', async () => {
    const id = await idFor();
    const [place = ''] = id.split('.');
    expect(Buffer.from(place, 'base64url').toString('latin1')).not.toMatch(/\d{2}:|[\da-f]{8}/);
    expect(await idFor()).not.toBe(id);
  });
});

test('of the types of the host, which cannot tell what has changed meanwhile, resume says to read them again', async () => {
  const hostResources: HostResources = {
    types: ['Condition'],
    read: () => null,
    searches: {
      Condition: {
        parameters: [{ name: 'patient', type: 'reference', documentation: 'Of this patient.' }],
        find: () => ({ total: 0, resources: [] }),
      },
    },
    follow: () => () => {},
  };
  const handler = handlerFor({}, { hostResources });
  const before = await open(handler);
  await before.end();
  const after = await open(handler, { lastEventId: idOf(before.first) });
  await after.end();
  expect(after.first).toMatchObject({ name: 'resume', data: { readAgain: ['Condition'] } });
});

test('a secret that is too short is refused', () => {
  expect(() => handlerFor({}, { events: { secret: 'short' } })).toThrow(
    /events\.secret must be a text of 16/,
  );
});
