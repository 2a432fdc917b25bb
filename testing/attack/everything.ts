/**
 * Reads a large chart, 200 doses of 240 kB, by `$everything`: page after page, and by forty clients at once that read nothing
 * of their answers. Prints how long the server works for it between two turns of its event loop, the largest answer, and how much
 * memory the server has gained. Fails if a turn takes more than 50 ms, or forty clients need more than 100 MiB.
 *
 * node testing/attack/everything.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { EverythingFigures } from './everything/server.ts';
import { formatMilliseconds } from './searches/figures.ts';

/** In milliseconds, on a machine that runs the calibration in 20 ms. */
const longestWork = 50;
const mostMemory = 100;
const clients = 40;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const server = fork(new URL('./everything/server.ts', import.meta.url), [join(folder, 'clinic.db')], {
  // As in `npm start`, and with a collector that the figures of memory need.
  execArgv: ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--expose-gc'],
});
const [port] = (await once(server, 'message')) as [number];
const path = '/fhir/Patient/amy/$everything';

const takeFigures = async (): Promise<EverythingFigures> => {
  server.send('figures');
  const [figures] = (await once(server, 'message')) as [EverythingFigures];
  return figures;
};

/** Reads a page; returns its length and the path of the next one. */
const readPage = async (url: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { authorization: 'Bearer t' } });
  const text = await response.text();
  const links: readonly { readonly relation: string; readonly url: string }[] = JSON.parse(text).link;
  const next = links.find(({ relation }) => relation === 'next')?.url.replace('../..', '/fhir');
  return { length: text.length, next };
};

const failures: string[] = [];
const report = (name: string, { work, memory, calibration }: EverythingFigures, text: string): void => {
  console.log(
    `${name}: at work at most ${formatMilliseconds(work)}, calibration ${formatMilliseconds(calibration)}: ${text}`,
  );
  if (work > longestWork) failures.push(`${name} keeps others waiting`);
  if (memory > mostMemory) failures.push(`${name} takes ${memory.toFixed(0)} MiB`);
};

try {
  for (const query of ['', '?_count=100']) {
    await readPage(`${path}${query}`);
    await takeFigures();
    const lengths: number[] = [];
    let slowest: EverythingFigures | undefined;
    for (let url: string | undefined = `${path}${query}`; url !== undefined; ) {
      const { length, next } = await readPage(url);
      const figures = await takeFigures();
      if (figures.work > (slowest?.work ?? 0)) slowest = figures;
      lengths.push(length);
      url = next;
    }
    const sizes = `${lengths.length} pages, the largest ${(Math.max(...lengths) / 2 ** 20).toFixed(1)} MiB`;
    if (slowest !== undefined) report(`a chart of 46 MiB${query}`, slowest, sizes);
  }

  await takeFigures();
  const sockets = Array.from({ length: clients }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer t\r\n\r\n`);
  }
  await setTimeout(3_000);
  const figures = await takeFigures();
  report(`${clients} clients that read nothing`, figures, `${figures.memory.toFixed(0)} MiB more`);
  for (const socket of sockets) socket.destroy();
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
