import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { LockFigures } from './locks/server.ts';
import { formatMilliseconds } from './searches/figures.ts';

/**
 * Lets another process hold the lock of the file, as a backup or a VACUUM does, while a client writes, another one reads with an
 * audit, and others read. Prints the work in a turn of the server's event loop, the waits of each, and memory. Fails if a promise
 * is not kept: only a write and an audited read wait for the lock, and not for longer than `busyTimeout`.
 *
 * node testing/attack/locks.ts
 */
const busyTimeout = 5000;

/** The most milliseconds of work in a turn, and those that a read waits at most, on a machine with other work. */
const promises = { work: 50, read: 500 } as const;

const folder = mkdtempSync(join(tmpdir(), 'attack-locks-'));
const filename = join(folder, 'clinic.db');
const server = fork(new URL('./locks/server.ts', import.meta.url), [filename, `${busyTimeout}`]);
const [port] = (await once(server, 'message')) as [number];

const readFigures = async (): Promise<LockFigures> => {
  server.send('figures');
  const [figures] = (await once(server, 'message')) as [LockFigures];
  return figures;
};

const agent = new Agent({ keepAlive: true });
type Answer = { readonly status: number; readonly text: string; readonly took: number };
const send = (method: string, path: string, body?: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { authorization: 'Bearer ada', 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', agent, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, took: performance.now() - began }),
      );
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });

const read = () => send('GET', '/plain/CareTeam/amy');
const readAudited = () => send('GET', '/audited/CareTeam/amy');
const write = () =>
  send('POST', '/plain/Immunization', {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
    patient: { reference: 'Patient/amy' },
    occurrenceDateTime: '2001',
    primarySource: false,
  });

const failures: string[] = [];
const expectKept = (isKept: boolean, failure: string): void => {
  if (!isKept) failures.push(failure);
};

/** Sends requests one after the other while other work runs. Returns how long they took. */
const repeatDuring = async (
  work: Promise<unknown>,
  ask: () => Promise<Answer>,
): Promise<readonly number[]> => {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { status, took } = await ask();
    expectKept(status === 200, `a read was answered with ${status}`);
    times.push(took);
    await wait(5);
  }
  await over;
  return times;
};

const formatTimes = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (part: number) => formatMilliseconds(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, max ${quantile(1)} of ${times.length}`;
};

const attack = async (milliseconds: number): Promise<void> => {
  const holder = fork(new URL('./locks/holder.ts', import.meta.url), [filename, `${milliseconds}`]);
  await once(holder, 'message');
  const released = once(holder, 'exit');
  await readFigures();
  const waiting = Promise.all([write(), readAudited()]);
  const [[written, audited], reads, healths] = await Promise.all([
    waiting,
    repeatDuring(Promise.all([waiting, released]), read),
    repeatDuring(released, () => send('GET', '/health')),
  ]);
  const figures = await readFigures();
  console.log(`another process writes for ${formatMilliseconds(milliseconds)}`);
  console.log(`  a write: ${written.status} after ${formatMilliseconds(written.took)}`);
  console.log(`  an audited read: ${audited.status} after ${formatMilliseconds(audited.took)}`);
  console.log(`  reads: ${formatTimes(reads)}; /health: ${formatTimes(healths)}`);
  console.log(`  event loop: ${figures.text}; ${figures.mebibytes} MiB`);
  const isBrief = milliseconds < busyTimeout;
  expectKept(written.status === (isBrief ? 201 : 503), `the write was answered with ${written.status}`);
  expectKept(
    isBrief || written.text.includes('store-locked'),
    `the write was refused without its reason: ${written.text}`,
  );
  expectKept(
    audited.status === (isBrief ? 200 : 503),
    `the audited read was answered with ${audited.status}`,
  );
  const longest = Math.max(...reads, ...healths);
  expectKept(longest <= promises.read, `a read waited for ${formatMilliseconds(longest)}`);
  expectKept(
    figures.longestWork <= promises.work,
    `the event loop worked for ${formatMilliseconds(figures.longestWork)} without a turn`,
  );
};

try {
  for (let times = 0; times < 200; times += 1) await Promise.all([write(), read(), readAudited()]);
  await readFigures();
  const resting = await readFigures();
  console.log(`a loop of 20 million steps takes ${formatMilliseconds(resting.calibration)}`);
  const quiet = await repeatDuring(wait(3000), read);
  console.log(`nobody else writes\n  reads: ${formatTimes(quiet)}; ${resting.mebibytes} MiB`);
  await attack(4000);
  await attack(8000);
} finally {
  server.kill('SIGKILL');
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of new Set(failures)) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
