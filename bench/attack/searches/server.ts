import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, limitConnections, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../data/clinic.ts';
import { type EventLoopFigures, formatMilliseconds } from './figures.ts';

const [filename = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename });
// A zone with daylight saving time, in which reading dates costs the most.
const timeZone = 'America/New_York';
const records = createClinicalRecords({ store, extensionBase, timeZone, careTeamRoles: [] });
const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/1', scopes: ['user/*.rs'] }),
  basePath: '/fhir',
});
// Listens in the same way as the example server.
const server = limitConnections(createServer(toNodeListener(handler)));

/** The delay of the event loop by the wall clock, which includes delays by other processes of the machine. */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let longestPause = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestPause = Math.max(longestPause, duration);
}).observe({ entryTypes: ['gc'] });

/** The longest work between two turns by the thread's CPU clock, which excludes other processes. */
let longestWork = 0;
const threadTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let before = threadTime();
const watch = (): void => {
  const now = threadTime();
  longestWork = Math.max(longestWork, now - before);
  before = now;
  setTimeout(watch, 1);
};
watch();

const takeFigures = (): EventLoopFigures => {
  const text = [
    `at work at most ${formatMilliseconds(longestWork)} (the longest garbage collection ${formatMilliseconds(longestPause)})`,
    `by the clock on the wall p99 ${formatMilliseconds(delay.percentile(99) / 1e6)}, p99.9 ${formatMilliseconds(delay.percentile(99.9) / 1e6)}, max ${formatMilliseconds(delay.max / 1e6)}`,
  ].join(', ');
  const measured = { longestWork, text };
  [longestWork, longestPause] = [0, 0];
  delay.reset();
  return measured;
};

process.on('message', () => process.send?.(takeFigures()));
process.once('SIGTERM', async () => {
  server.close();
  await store.close();
  process.exit(0);
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
