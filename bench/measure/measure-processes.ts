import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startChild } from '../child/start-child.ts';
import { createClinicFiles, removeClinicFiles } from '../clinic-files.ts';
import type { Load, LoadResult } from '../load/load.ts';
import type { Requests } from '../load/requests.ts';
import { createPostgresClinic } from '../postgres-clinic.ts';
import { token } from '../servers/token.ts';
import { interleavedMedians } from './interleaved.ts';

/**
 * The responses in a second of one, two and four processes of the example server on each store, with 32 connections. One
 * more process sends the requests.
 */
const records = 10_000;
const [rounds, seconds] = [5, 2];
const counts = [1, 2, 4];

const server = fileURLToPath(new URL('../../examples/server/server.ts', import.meta.url));

/** Starts the example server, and returns its origin. */
const startServer = async (flags: readonly string[]) => {
  const child = spawn(process.execPath, [server, '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) {
    const [, origin] = /Clinical records at (http:\/\/[^/]+)/.exec(line) ?? [];
    if (origin === undefined) continue;
    child.stdout.resume();
    return {
      origin,
      stop: async () => {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      },
    };
  }
  throw new Error('The server has ended.');
};

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-processes-'));
const tokens = join(folder, 'tokens.json');
writeFileSync(tokens, JSON.stringify([{ token, subject: 'Practitioner/bench', scopes: ['user/*.cruds'] }]), {
  mode: 0o600,
});
const files = await createClinicFiles(records);
const postgres = await createPostgresClinic(files);
const load = await startChild<Load, LoadResult>('load/load.ts');

const stores = {
  SQLite: ['--data', files.ours],
  PostgreSQL: ['--database', postgres.ours],
} as const;
const works: Readonly<Record<string, Requests>> = {
  'read by id': { kind: 'read', records },
  'search by patient': { kind: 'search', type: 'Immunization', count: 20, records },
  create: { kind: 'create in encounter', records },
};

for (const [store, flags] of Object.entries(stores)) {
  const servers = [];
  for (const count of counts) {
    servers.push(await startServer([...flags, '--processes', `${count}`, '--tokens', tokens]));
  }
  for (const [work, requests] of Object.entries(works)) {
    const candidates = servers.map(({ origin }) => async (seed: number) => {
      const { perSecond, refused } = await load.ask({ origin, connections: 32, seconds, requests, seed });
      if (refused > 0) throw new Error(`${refused} requests were refused.`);
      return { perSecond, microsecondsEach: 0 };
    });
    const rates = await interleavedMedians(candidates, rounds);
    const cells = rates.map(({ perSecond }, at) => `${counts[at]}: ${Math.round(perSecond)}`);
    console.log(`${store}, ${work}: ${cells.join(', ')}`);
  }
  for (const { stop } of servers) await stop();
}

await load.stop();
await postgres.stop();
removeClinicFiles(files);
rmSync(folder, { recursive: true });
