import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endAll, run, runToEnd, waitForEnd } from '../../testing/processes.ts';
import { type Clinic, openClinic } from './clinic.ts';

const worker = new URL('../worker.ts', import.meta.url);
const killed = new URL('./killed-follower.ts', import.meta.url);

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic();
});

afterEach(async () => {
  await endAll();
  await clinic.close();
});

const files = () => [clinic.files.records, clinic.files.timeline] as const;

test('the worker continues without loss or repetition after it was killed at any time', async () => {
  await clinic.addGoals(250);
  const all = await clinic.feedLines();
  // Lines are kept a hundred at a time: each number is how many outlive the kill.
  const kills = [
    ['at line', 1, 0],
    ['at line', 150, 100],
    ['at line', 200, 100],
    ['after a batch', 0, 200],
  ] as const;
  for (const [when, line, outlive] of kills) {
    expect(await waitForEnd(run(killed, ...files(), when, String(line)))).toBe('SIGKILL');
    expect(clinic.timelineLines()).toEqual(all.slice(0, outlive));
  }
  expect(await waitForEnd(run(killed, ...files(), 'never'))).toBe(0);
  expect(all).toHaveLength(251);
  expect(clinic.timelineLines()).toEqual(all);
});

test('the worker follows commits while it runs, and after a restart the commits that were made meanwhile', async () => {
  const workerUntil = async (lines: number) => {
    const child = run(worker, ...files());
    while (clinic.timelineLines().length < lines) await once(child.stdout, 'data');
    return child;
  };
  const child = await workerUntil(1);
  await clinic.addGoals(2);
  while (clinic.timelineLines().length < 3) await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await waitForEnd(child);
  await clinic.addGoals(300);
  await workerUntil(303);
  expect(clinic.timelineLines()).toEqual(await clinic.feedLines());
});

test('a worker that is started with the wrong name of the file says so, and creates none', () => {
  const [none, timeline] = [`${clinic.files.records}.none`, `${clinic.files.timeline}.none`];
  expect(runToEnd(worker, none, timeline)).toEqual({
    code: 2,
    err: `The file ${none} does not exist. Start the server first, or name its file.\n`,
  });
  expect([none, timeline].filter((file) => existsSync(file))).toEqual([]);
});

test('two processes cannot write one timeline', async () => {
  await clinic.addGoals(1);
  const { timeline } = clinic;
  const changes = await clinic.changes();
  timeline.append(changes, undefined);
  expect(() => timeline.append(changes, undefined)).toThrow('Another process');
  expect(clinic.timelineLines()).toEqual(await clinic.feedLines());
});
