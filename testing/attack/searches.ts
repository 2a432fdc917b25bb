import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, type TimedResponse } from './searches/client.ts';
import { fillWithOrders, ordersPerName } from './searches/clinic.ts';
import { type EventLoopFigures, formatMilliseconds } from './searches/figures.ts';
import { createSearchGenerator } from './searches/search-generator.ts';

/**
 * Sends the worst searches that the limits allow to a server, many at a time. Measures how long they block its event
 * loop, which of them succeed, and how soon the server reacts to SIGTERM. Fails if a promise is not kept.
 *
 * node testing/attack/searches.ts [--records=200000] [--searches=2000] [--seconds=400] [--file=kept.db]
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '200000' },
    searches: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '400' },
    flight: { type: 'string', default: '24' },
    file: { type: 'string' },
  },
});
const [records, searches, seconds, flight] = [
  values.records,
  values.searches,
  values.seconds,
  values.flight,
].map(Number) as [number, number, number, number];

/** The longest time in milliseconds that a search may block others, and that SIGTERM may take. */
const longestWait = 50;
const longestStop = 1000;

const folder = mkdtempSync(join(tmpdir(), 'attack-searches-'));
const file = values.file ?? join(folder, 'clinic.db');

const readFigures = async (server: ChildProcess): Promise<EventLoopFigures> => {
  server.send('figures');
  const [figures] = (await once(server, 'message')) as [EventLoopFigures];
  return figures;
};

const quantile = (sorted: readonly number[], of: number): number =>
  sorted[Math.floor((sorted.length - 1) * of)] ?? 0;

const formatSpread = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  return `p50 ${formatMilliseconds(quantile(sorted, 0.5))}, p99 ${formatMilliseconds(quantile(sorted, 0.99))}, max ${formatMilliseconds(quantile(sorted, 1))}`;
};

/** Reads one record again and again while other work runs. */
const readDuring = async (origin: string, work: Promise<unknown>): Promise<readonly number[]> => {
  const { send, close } = createClient(origin);
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { took } = await send('GET', '/fhir/ServiceRequest/o1');
    times.push(took);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await over;
  close();
  return times;
};

const attack = async (origin: string): Promise<readonly TimedResponse[]> => {
  const { search, close } = createClient(origin);
  const generated = createSearchGenerator(records);
  const answers: TimedResponse[] = [];
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  const one = async () => {
    while (sent < searches && performance.now() < end) {
      sent += 1;
      answers.push(...(await search(generated(sent))));
    }
  };
  await Promise.all(Array.from({ length: flight }, one));
  close();
  return answers;
};

const count = (answers: readonly TimedResponse[], status: number) =>
  answers.filter((one) => one.status === status).length;

const filled = await fillWithOrders(file, records);
console.log(`${records} orders in ${filled.megabytes} MB, built in ${filled.seconds} s`);
const server = fork(new URL('./searches/server.ts', import.meta.url), [file], {
  // As in `npm start`.
  execArgv: ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'],
});
const failures: string[] = [];
try {
  const [origin] = (await once(server, 'message')) as [string];

  // The first searches by name after a start, one of a few people and one of many.
  const people = createClient(origin);
  for (const name of ['sharino', 'sha']) {
    const { status, took } = await people.send('GET', `/fhir/Patient?name=${name}`);
    const { text, longestWork } = await readFigures(server);
    console.log(
      `the search for ${name} among ${records / ordersPerName} patients: ${status} after ${formatMilliseconds(took)}; event loop: ${text}`,
    );
    if (status !== 200) failures.push(`a search by name was answered ${status}`);
    if (longestWork > longestWait)
      failures.push(`a search by name worked for ${formatMilliseconds(longestWork)} without a turn`);
  }
  people.close();

  const quiet = await readDuring(origin, new Promise((resolve) => setTimeout(resolve, 5000)));
  const before = await readFigures(server);
  console.log(`a reader without searches: ${formatSpread(quiet)}; event loop: ${before.text}`);

  const attacking = attack(origin);
  const beside = await readDuring(origin, attacking);
  const answers = await attacking;
  const during = await readFigures(server);
  console.log(
    `${answers.length} searches, ${flight} at a time: ${count(answers, 200)} answered, ${count(answers, 422)} too costly, ${count(answers, 503)} too many at once`,
  );
  console.log(
    `  answered in ${formatSpread(answers.filter(({ status }) => status === 200).map(({ took }) => took))}`,
  );
  console.log(`  a reader beside them: ${formatSpread(beside)}`);
  console.log(`  event loop: ${during.text}`);
  const others = answers.filter(({ status }) => ![200, 422, 503].includes(status));
  if (others.length > 0)
    failures.push(`${others.length} searches were answered ${others[0]?.status}: ${others[0]?.body}`);
  if (during.longestWork > longestWait)
    failures.push(`the event loop worked for ${formatMilliseconds(during.longestWork)} without a turn`);

  // More searches at once than may wait. The others are refused and sent again.
  const burst = createClient(origin);
  const many = createSearchGenerator(records);
  const pending = Array.from({ length: 80 }, (_, at) => burst.search(many(searches + at)).catch(() => []));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const began = performance.now();
  server.kill('SIGTERM');
  await once(server, 'exit');
  const stopped = performance.now() - began;
  await Promise.all(pending);
  burst.close();
  console.log(
    `SIGTERM with 80 searches in flight: the process has ended after ${formatMilliseconds(stopped)}`,
  );
  if (stopped > longestStop) failures.push('SIGTERM was not heeded within a second');
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
