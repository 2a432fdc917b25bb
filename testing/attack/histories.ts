/**
 * Reads the past of a care team of 1,000 members that has 400 versions: one version, a page of its history, and its Provenances, by
 * themselves and fifty at once. Prints how long the server works for it between two turns of its event loop, how long another client
 * waits meanwhile, and how much memory the server has gained at most. Fails if a turn takes more than 50 ms, or if fifty
 * readers of one version need more than 150 MiB.
 *
 * node testing/attack/histories.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { HistoryFigures } from './histories/server.ts';
import { formatMilliseconds } from './searches/figures.ts';

/** In milliseconds, on a machine that runs the calibration in 20 ms. */
const longestWork = 50;
/** In MiB. */
const mostMemory = 150;
const [members, versions, rounds, readers] = [1_000, 400, 3, 50] as const;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const server = fork(
  new URL('./histories/server.ts', import.meta.url),
  [join(folder, 'clinic.db'), `${members}`, `${versions}`],
  // As in `npm start`, and with a collector that the figures of memory need.
  { execArgv: ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--expose-gc'] },
);
const [port] = (await once(server, 'message')) as [number];

const takeFigures = async (): Promise<HistoryFigures> => {
  server.send('figures');
  const [figures] = (await once(server, 'message')) as [HistoryFigures];
  return figures;
};

const read = async (path: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/fhir/${path}`, {
    headers: { authorization: 'Bearer t' },
  });
  const { byteLength } = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
  return byteLength;
};

/** The longest time in milliseconds that another client waits for a resource while others are read. */
const longestWait = async (work: Promise<unknown>): Promise<number> => {
  let longest = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    await read('Patient/amy');
    longest = Math.max(longest, performance.now() - began);
    await setTimeout(2);
  }
  await over;
  return longest;
};

const attacks: readonly (readonly [path: string, times: number])[] = [
  ['CareTeam/amy', 1],
  ['CareTeam/amy/_history/3', 1],
  ['CareTeam/amy/_history?_count=1', 1],
  ['CareTeam/amy/_history?_count=100', 1],
  ['Provenance/C-amy-3', 1],
  ['Provenance?target=CareTeam/amy', 1],
  ['CareTeam?patient=amy&_revinclude=Provenance:target', 1],
  ['CareTeam/amy/_history/3', readers],
  ['CareTeam/amy/_history?_count=1', readers],
  ['Provenance?target=CareTeam/amy', readers],
];

const failures: string[] = [];
try {
  for (const [path, times] of attacks) {
    await read(path);
    await takeFigures();
    let [work, wait, memory, length] = [0, 0, 0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const reads = Promise.all(Array.from({ length: times }, () => read(path)));
      wait = Math.max(wait, await longestWait(reads));
      [length = 0] = await reads;
      const figures = await takeFigures();
      work = Math.max(work, figures.work);
      memory = Math.max(memory, figures.memory);
    }
    const { calibration } = await takeFigures();
    const name = times === 1 ? path : `${times} times ${path}`;
    console.log(
      `${name}: at work at most ${formatMilliseconds(work)}, calibration ${formatMilliseconds(calibration)}, others wait ${formatMilliseconds(wait)}: ${(length / 1024).toFixed(0)} KiB, ${memory.toFixed(0)} MiB more`,
    );
    if (work > longestWork) failures.push(`${name} keeps others waiting`);
    if (memory > mostMemory) failures.push(`${name} takes ${memory.toFixed(0)} MiB`);
  }
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
