import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatMilliseconds } from './searches/figures.ts';
import type { StreamFigures } from './streams/server.ts';

/**
 * Opens event streams, many of them on the same charts, writes into these charts, and disconnects all streams at once. Prints the
 * work in a turn of the server's event loop, the waits of others, memory, and how soon events come. Fails if a promise is not
 * kept.
 *
 * node testing/attack/streams.ts [--streams=2000] [--charts=500] [--records=10] [--writes=50] [--seconds=20]
 */
const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '2000' },
    charts: { type: 'string', default: '500' },
    records: { type: 'string', default: '10' },
    writes: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
});
const [streams, charts, records, writes, seconds] = [
  ...[values.streams, values.charts, values.records, values.writes, values.seconds].map(Number),
] as [number, number, number, number, number];

/**
 * The most milliseconds of work in a turn, the most MiB for all streams, and the most milliseconds until an event, and of a write after
 * all streams have gone. When 2,000 connections end at once, Node itself works for 60 ms.
 */
const promises = { work: 20, mebibytes: 100, delay: 1000, writeAfter: 1000 } as const;

const streamsPerUser = 40;

const folder = mkdtempSync(join(tmpdir(), 'attack-streams-'));
const server = fork(
  new URL('./streams/server.ts', import.meta.url),
  [join(folder, 'clinic.db'), `${charts}`, `${records}`],
  // As in `npm start`; the figures of memory begin with a garbage collection.
  { execArgv: ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--expose-gc'] },
);
const [port] = (await once(server, 'message')) as [number];

const readFigures = async (): Promise<StreamFigures> => {
  server.send('figures');
  const [figures] = (await once(server, 'message')) as [StreamFigures];
  return figures;
};

const quantilesOf = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => formatMilliseconds(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`;
};

const agent = new Agent({ keepAlive: true });
const send = (
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; location: string; took: number }> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { authorization: 'Bearer writer', 'content-type': 'application/json' };
    const sent = request(
      { port, host: '127.0.0.1', agent, method, path: `/fhir/${path}`, headers },
      (response) => {
        response.resume().on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            location: response.headers.location ?? '',
            took: performance.now() - began,
          }),
        );
      },
    );
    sent.on('error', reject).end(body && JSON.stringify(body));
  });

/** When each resource was named first, by each stream. */
const named = new Map<string, number[]>();
let opened = 0;
let ended = 0;

const openStream = (number: number): ClientRequest => {
  const sent = request(
    {
      ...{ port, host: '127.0.0.1', path: `/fhir/events?patient=p${number % charts}`, agent: false },
      headers: { authorization: `Bearer user-${Math.floor(number / streamsPerUser)}` },
    },
    (response) => {
      if (response.statusCode !== 200) throw new Error(`A stream was answered with ${response.statusCode}.`);
      opened += 1;
      response.setEncoding('utf8').on('data', (text: string) => {
        for (const [, id = ''] of text.matchAll(/"id":"([^"]+)"/g)) {
          const times = named.get(id) ?? [];
          named.set(id, times);
          times.push(performance.now());
        }
      });
      response.on('close', () => {
        ended += 1;
      });
      response.on('error', () => {});
    },
  );
  sent.on('error', () => {});
  sent.end();
  return sent;
};

const write = async (chart: number): Promise<{ id: string; at: number; took: number }> => {
  const { status, location, took } = await send('POST', 'Immunization', {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
    patient: { reference: `Patient/p${chart}` },
    occurrenceDateTime: '2001',
    primarySource: false,
  });
  if (status !== 201) throw new Error(`A write was answered with ${status}.`);
  return { id: location.split('/').at(-1) ?? '', at: performance.now(), took };
};

/** Reads one record again and again while other work runs. */
const readDuring = async (work: Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push((await send('GET', 'CareTeam/p0')).took);
    await wait(5);
  }
  await over;
  return times;
};

const failures: string[] = [];
const expectKept = (isKept: boolean, failure: string): void => {
  if (!isKept) failures.push(failure);
};

try {
  for (let times = 0; times < 200; times += 1) await write(times % charts);
  await readFigures();
  const resting = await readFigures();
  console.log(
    `${streams} streams on ${charts} charts of ${records} records, ${writes} writes a second; a loop of 20 million steps takes ${formatMilliseconds(resting.calibration)}`,
  );
  const quiet = await readDuring(wait(3000));
  console.log(`  without streams: a reader waits ${quantilesOf(quiet)}; ${resting.mebibytes} MiB`);

  await readFigures();
  const clients: ClientRequest[] = [];
  const opening = async () => {
    for (let number = 0; number < streams; number += 1) {
      clients.push(openStream(number));
      while (clients.length - opened > 100) await wait(1);
    }
    while (opened < streams) await wait(1);
  };
  const besideOpening = await readDuring(opening());
  const atOpening = await readFigures();
  console.log(
    `  while they open: a reader waits ${quantilesOf(besideOpening)}; event loop: ${atOpening.text}`,
  );

  const written: Promise<{ id: string; at: number; took: number }>[] = [];
  const writing = async () => {
    const began = performance.now();
    while (performance.now() - began < seconds * 1000) {
      const due = Math.floor(((performance.now() - began) / 1000) * writes);
      while (written.length < due) written.push(write(written.length % charts));
      await wait(2);
    }
    await Promise.all(written);
  };
  const beside = await readDuring(writing());
  const during = await readFigures();
  await wait(2 * promises.delay);
  const results = await Promise.all(written);
  const expected = (at: number) => Math.ceil((streams - (at % charts)) / charts);
  const missing = results.filter(({ id }, at) => (named.get(id) ?? []).length < expected(at)).length;
  const delays = results.flatMap(({ id, at }) => (named.get(id) ?? []).map((time) => Math.max(0, time - at)));
  console.log(
    `  ${results.length} writes took ${quantilesOf(results.map(({ took }) => took))}; a reader waits ${quantilesOf(beside)}`,
  );
  console.log(`  ${delays.length} events came after ${quantilesOf(delays)}; ${missing} writes had too few`);
  console.log(`  event loop: ${during.text}; ${during.mebibytes} MiB`);
  expectKept(
    during.longestWork <= promises.work,
    `the event loop worked for ${formatMilliseconds(during.longestWork)} without a turn`,
  );
  expectKept(
    during.mebibytes - resting.mebibytes <= promises.mebibytes,
    `the streams take ${during.mebibytes - resting.mebibytes} MiB`,
  );
  expectKept(Math.max(...delays) <= promises.delay, 'an event came after more than a second');
  expectKept(missing === 0, `${missing} writes were not named by each stream`);

  // Writes that the streams have not seen yet, and then nobody is there any more.
  const last = await Promise.all(Array.from({ length: 20 }, (_, at) => write(at % charts)));
  for (const client of clients) client.destroy();
  while (ended < streams) await wait(1);
  const after = (await write(0)).took;
  const gone = await readDuring(wait(3000));
  const rest = await readFigures();
  console.log(
    `  after all have gone: a write takes ${formatMilliseconds(after)}, a reader waits ${quantilesOf(gone)}; event loop: ${rest.text}; ${rest.mebibytes} MiB`,
  );
  expectKept(
    last.length === 20 && after <= promises.writeAfter,
    `a write takes ${formatMilliseconds(after)} after all streams have gone`,
  );
} finally {
  server.kill('SIGKILL');
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
