import { setImmediate } from 'node:timers/promises';
import type { ClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import type { HttpHandlerOptions, HttpRequest, ResponseStream } from '../../src/index.ts';
import { goal } from '../builders.ts';
import { createHandler, createRecords, createSender, openClinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';

const patientIds = ['amy', 'ben'];

/** A clinic that counts the reads of its store, and the versions that are read from the feed. */
const openCountingClinic = async () => {
  const store = createMemoryStore();
  const { record, records: writers } = await openClinic(store);
  let calls: string[] = [];
  let versions: string[] = [];
  const counted =
    (name: 'search' | 'read' | 'readResource' | 'history' | 'changesSince' | 'feedEnd') =>
    (argument: never) => {
      calls.push(name);
      return store[name](argument);
    };
  const names = ['search', 'read', 'readResource', 'history', 'changesSince', 'feedEnd'] as const;
  const counting = createRecords({
    ...store,
    ...Object.fromEntries(names.map((name) => [name, counted(name)])),
  });
  const changes: ClinicalRecords['changes'] = async function* (options) {
    for await (const change of counting.changes(options)) {
      versions.push(`${change.resourceType}/${change.id}`);
      yield change;
    }
  };
  return {
    record,
    directory: writers.directory,
    records: { ...counting, changes },
    /** Takes what was counted since the last call. */
    take: () => {
      const taken = {
        calls: new Set(calls),
        ends: calls.filter((name) => name === 'feedEnd').length,
        versions,
      };
      calls = [];
      versions = [];
      return taken;
    },
    /** Waits until the end of the feed was looked for so often. */
    polled: async (times: number) => {
      const from = calls.filter((name) => name === 'feedEnd').length;
      while (calls.filter((name) => name === 'feedEnd').length < from + times) await setImmediate();
    },
  };
};

type Clinic = Awaited<ReturnType<typeof openCountingClinic>>;

const request = (patientId: string, user = 'x'): HttpRequest => ({
  ...{ method: 'GET', url: `/fhir/events?patient=${patientId}` },
  headers: { authorization: `Bearer ${user}` },
});

const serve = ({ records }: Pick<Clinic, 'records'>, options: Partial<HttpHandlerOptions> = {}) =>
  createHandler(records, {
    // The token is the name of the user.
    authenticate: (token) => ({ subject: `Practitioner/${token}`, scopes: 'user/*.rs' }),
    ...options,
    events: { interval: 1, ...options.events },
  });

const open = async (
  handler: ReturnType<typeof serve>,
  patientId: string,
  user?: string,
): Promise<ResponseStream> => {
  const { stream } = await handler(request(patientId, user));
  if (stream === undefined) throw new Error('There is no stream.');
  await stream.next();
  return stream;
};

const idsIn = (text: unknown) =>
  [...String(text).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).id);

test('as long as nobody writes, all streams together read only the end of the feed', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic);
  const streams = await Promise.all(
    Array.from({ length: 40 }, (_, at) => open(handler, patientIds[at % 2] ?? '')),
  );
  const nexts = streams.map((stream) => stream.next());
  clinic.take();
  await clinic.polled(5);
  const { calls, ends } = clinic.take();
  // It is looked for once for all of them.
  expect([[...calls], ends]).toEqual([['feedEnd'], 5]);
  await Promise.all(streams.map((stream) => stream.return()));
  expect((await Promise.all(nexts)).every(({ done }) => done)).toBe(true);
});

test('a version is read once, for all streams of the chart, and no chart is read', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic);
  const streams = await Promise.all(Array.from({ length: 40 }, () => open(handler, 'amy')));
  clinic.take();
  const nexts = streams.map((stream) => stream.next());
  await clinic.record(goal({ id: 'new', patientId: 'amy' }));
  for (const next of nexts) expect(idsIn((await next).value)).toEqual(['new']);
  const { calls, versions } = clinic.take();
  expect(versions).toEqual(['Goal/new']);
  expect([...calls].toSorted()).toEqual(['changesSince', 'feedEnd']);
  await Promise.all(streams.map((stream) => stream.return()));
});

test('not more than fifty streams write in one turn of the event loop', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic, { events: { maxStreams: 201, interval: 2 ** 30 } });
  const streams = await Promise.all(Array.from({ length: 200 }, () => open(handler, 'amy')));
  let written = 0;
  const nexts = streams.map(async (stream) => {
    await stream.next();
    written += 1;
  });
  await clinic.record(goal({ id: 'new', patientId: 'amy' }));
  const inTurns = [];
  // A new stream looks for versions at once.
  const another = open(handler, 'amy');
  for (let before = 0; written < streams.length; before = written) {
    await setImmediate();
    inTurns.push(written - before);
  }
  expect(Math.max(...inTurns)).toBe(50);
  await Promise.all([...nexts, another]);
  await Promise.all([...streams, await another].map((stream) => stream.return()));
});

test('a version of a chart without a stream is one entry of the feed, once', async () => {
  const clinic = await openCountingClinic();
  const stream = await open(serve(clinic), 'amy');
  clinic.take();
  const next = stream.next();
  await clinic.record(goal({ id: 'of-ben', patientId: 'ben' }));
  await clinic.polled(3);
  await clinic.record(goal({ id: 'of-amy', patientId: 'amy' }));
  expect(idsIn((await next).value)).toEqual(['of-amy']);
  const { calls, versions } = clinic.take();
  expect(versions).toEqual(['Goal/of-ben', 'Goal/of-amy']);
  expect([...calls].toSorted()).toEqual(['changesSince', 'feedEnd']);
  await stream.return();
});

test('entries of the feed that are not of resources are not read again and again', async () => {
  const clinic = await openCountingClinic();
  const stream = await open(serve(clinic), 'amy');
  await clinic.directory.put('Practitioner', { id: 'eve', lastName: 'Moss', firstName: 'Eve' });
  await clinic.polled(2);
  clinic.take();
  await clinic.polled(3);
  expect([...clinic.take().calls]).toEqual(['feedEnd']);
  await stream.return();
});

test('after all streams have ended, nothing is read any more, whatever is written', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic);
  const streams = [await open(handler, 'amy'), await open(handler, 'ben')];
  await Promise.all(streams.map((stream) => stream.return()));
  clinic.take();
  await clinic.record(goal({ id: 'unseen', patientId: 'amy' }));
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect([...clinic.take().calls]).toEqual([]);
  // The next stream begins at the end of the feed.
  const next = await open(handler, 'amy');
  expect(clinic.take().versions).toEqual([]);
  await next.return();
});

test('a stream names no version from before it, also beside streams that do', async () => {
  const clinic = await openCountingClinic();
  // Only a new stream looks for versions.
  const handler = serve(clinic, { events: { interval: 2 ** 30 } });
  const first = await open(handler, 'amy');
  await clinic.record(goal({ id: 'before', patientId: 'amy' }));
  const second = await open(handler, 'amy');
  expect(idsIn((await first.next()).value)).toEqual(['before']);
  await clinic.record(goal({ id: 'after', patientId: 'amy' }));
  const third = await open(handler, 'amy');
  expect(idsIn((await first.next()).value)).toEqual(['after']);
  expect(idsIn((await second.next()).value)).toEqual(['after']);
  await Promise.all([first, second, third].map((stream) => stream.return()));
});

test('a version that cannot be read, such as a staged goal, is not named', async () => {
  const clinic = await openCountingClinic();
  const stream = await open(serve(clinic), 'amy');
  await clinic.records.chart.stage(goal({ id: 'staged', patientId: 'amy' }));
  await clinic.record(goal({ id: 'committed', patientId: 'amy' }));
  expect(idsIn((await stream.next()).value)).toEqual(['committed']);
  await stream.return();
});

test('`authorize` is asked again for each version, and not for streams that have ended', async () => {
  const clinic = await openCountingClinic();
  const allowed = new Set(['x', 'y', 'gone']);
  let asked: string[] = [];
  const handler = serve(clinic, {
    authorize: ({ principal }) => {
      const user = principal.subject.replace('Practitioner/', '');
      asked.push(user);
      return allowed.has(user) ? 'allow' : 'deny';
    },
  });
  const x = await open(handler, 'amy', 'x');
  const y = await open(handler, 'amy', 'y');
  const gone = await open(handler, 'amy', 'gone');
  const beside = [y.next(), gone.next()];
  await gone.return();
  allowed.delete('y');
  asked = [];
  await clinic.record(goal({ id: 'one', patientId: 'amy' }));
  expect(idsIn((await x.next()).value)).toEqual(['one']);
  while (!asked.includes('y')) await setImmediate();
  allowed.add('y');
  await clinic.record(goal({ id: 'two', patientId: 'amy' }));
  expect(idsIn((await beside[0])?.value)).toEqual(['two']);
  expect(new Set(asked)).toEqual(new Set(['x', 'y']));
  await Promise.all([x, y].map((stream) => stream.return()));
});

test('a sender has at most so many streams as the host allows, and gets another one when one has ended', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic, { events: { maxStreams: 2 } });
  const send = createSender(handler);
  const streams = [await open(handler, 'amy', 'x'), await open(handler, 'ben', 'x')];
  const refused = await send('GET', '/events?patient=amy', { token: 'x' });
  expectError(refused, 429);
  expect(refused.json.issue[0].details.coding[0].code).toBe('too-many-streams');
  expect(refused.headers['retry-after']).toBe('30');
  streams.push(await open(handler, 'amy', 'y'));
  await streams[0]?.return();
  // Requests that are refused take no place.
  expectError(await send('GET', '/events?patient=a/b', { token: 'x' }), 400);
  expect((await handler(request('nobody', 'x'))).status).toBe(404);
  streams.push(await open(handler, 'amy', 'x'));
  expect((await handler(request('amy', 'x'))).status).toBe(429);
  await Promise.all(streams.map((stream) => stream.return()));
});

test('by default, a sender has at most fifty streams', async () => {
  const handler = serve(await openCountingClinic());
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(handler, 'amy')));
  expect((await handler(request('amy'))).status).toBe(429);
  await Promise.all(streams.map((stream) => stream.return()));
});

test('a stream whose client does not read ends before it keeps more than a thousand versions', async () => {
  const clinic = await openCountingClinic();
  const handler = serve(clinic);
  const [stream, other] = [await open(handler, 'amy'), await open(handler, 'ben')];
  const change = async (ids: readonly string[]) => {
    for (const id of ids) await clinic.record(goal({ id, patientId: 'amy' }));
    await clinic.polled(2);
  };
  const ids = Array.from({ length: 1000 }, (_, at) => `g${at}`);
  await change(ids);
  expect(idsIn((await stream.next()).value)).toEqual(ids);
  await change([...ids, 'one-more'].map((id) => `again-${id}`));
  expect((await stream.next()).done).toBe(true);
  await other.return();
});

test('if the feed cannot be read, all streams end, and the next one is a 503', async () => {
  const clinic = await openCountingClinic();
  const closed = createMemoryStore();
  await closed.close();
  let isDown = false;
  const feedEnd = () => (isDown ? createRecords(closed) : clinic.records).feedEnd();
  const handler = serve({ records: { ...clinic.records, feedEnd } });
  const streams = [await open(handler, 'amy'), await open(handler, 'ben')];
  isDown = true;
  for (const stream of streams) expect((await stream.next()).done).toBe(true);
  expect((await handler(request('amy'))).status).toBe(503);
  isDown = false;
  await (await open(handler, 'amy')).return();
});

test('after the host has stopped, a stream ends at once', async () => {
  const handler = serve(await openCountingClinic(), { events: { signal: AbortSignal.abort() } });
  const stream = await open(handler, 'amy');
  expect((await stream.next()).done).toBe(true);
});
