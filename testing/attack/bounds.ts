/**
 * Sends the largest of each thing that the limits allow, and more. Prints how long the server works for it between two turns
 * of its event loop, and how long its response is. Fails if a request keeps others waiting for more than 50 ms.
 *
 * node testing/attack/bounds.ts [name]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BoundsFigures } from './bounds/server.ts';
import { formatMilliseconds } from './searches/figures.ts';

/** In milliseconds, on a machine that runs the calibration in 20 ms. */
const longestWork = 50;
const rounds = 5;
const bodyLimit = 256 * 1024;

const [wanted = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const server = fork(new URL('./bounds/server.ts', import.meta.url), [join(folder, 'clinic.db')], {
  // As in `npm start`.
  execArgv: ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'],
});
const [port] = (await once(server, 'message')) as [number];

const ask = async (question: 'figures' | 'feed'): Promise<BoundsFigures> => {
  server.send(question);
  const [figures] = (await once(server, 'message')) as [BoundsFigures];
  return figures;
};

type Sent = { readonly status: number; readonly length: number };

const send = async (method: string, path: string, type?: string, body?: string): Promise<Sent> => {
  const headers = { authorization: 'Bearer t', ...(type !== undefined && { 'content-type': type }) };
  const response = await fetch(`http://127.0.0.1:${port}/fhir/${path}`, {
    ...{ method, headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, length: (await response.arrayBuffer()).byteLength };
};

const post = (body: string) => send('POST', 'Immunization', 'application/fhir+json', body);
const find = (form: string) =>
  send('POST', 'Immunization/_search', 'application/x-www-form-urlencoded', form);
const fill = (text: string) => text.repeat(Math.floor((bodyLimit - 100) / text.length));

let names = 0;
/** As many names as fit into a body, all of them new, so that the engine has seen none of them. */
const newNames = (count: number) =>
  Array.from({ length: count }, () => {
    names += 1;
    return `"n${names}":1`;
  }).join();

const attacks: Readonly<Record<string, () => Promise<Sent | readonly Sent[]> | undefined>> = {
  'unknown names in one object': () => post(`{${newNames(21_000)}}`),
  'unknown names in many objects': () =>
    post(`{"a":[${Array.from({ length: 1_900 }, () => `{${newNames(10)}}`).join()}]}`),
  'a name many times': () => post(`{${fill('"a":1,')}"b":1}`),
  'nested arrays': () => post(`{"a":${'['.repeat(130_000)}${']'.repeat(130_000)}}`),
  'nested objects': () => post(`{"a":${'{"a":'.repeat(43_000)}1${'}'.repeat(43_000)}}`),
  decimals: () => post(`{"a":[${fill('1.10,')}1]}`),
  'a form of many parameters': () => find(fill('a&')),
  'a form of one parameter many times': () => find(fill('_id=a&')),
  'backslashes in a value': () => find(`_id=${fill('\\')}`),
  'backslashes within the limit': () => find(`_id=${'\\'.repeat(65_000)}`),
  alternatives: () => find(`_id=${fill('a,')}`),
  'forty pages with all that they refer to': () =>
    Promise.all(Array.from({ length: 40 }, () => send('GET', 'Immunization?_count=100&_include=*'))),
  'the feed': () => undefined,
};

const failures: string[] = [];
try {
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(wanted)) continue;
    const works: number[] = [];
    let answer = '';
    let calibration = 0;
    for (let round = 0; round < rounds; round += 1) {
      await setTimeout(50);
      await ask('figures');
      const sent = [await attack()].flat();
      const figures = await ask(name === 'the feed' ? 'feed' : 'figures');
      works.push(figures.longestWork);
      calibration = figures.calibration;
      const statuses = [...new Set(sent.map((one) => one?.status ?? ''))].join();
      answer = `${statuses} with ${Math.max(...sent.map((one) => one?.length ?? 0))} bytes`;
    }
    const median = works.toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
    console.log(
      `${name}: at work at most ${formatMilliseconds(median)} (${works.map((each) => each.toFixed(0)).join(' ')}), calibration ${formatMilliseconds(calibration)}: ${answer}`,
    );
    if (median > longestWork) failures.push(name);
  }
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure} keeps others waiting`);
process.exitCode = failures.length > 0 ? 1 : 0;
