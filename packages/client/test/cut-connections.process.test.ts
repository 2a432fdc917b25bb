import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { type ChartChange, ConnectionError, createClient, RequestError } from '../src/index.ts';
import { statement } from './server.ts';

/** How many connections are cut; `CUTS=10000` takes some minutes. */
const wantedCuts = Number(process.env.CUTS ?? 100);

/** A port that nobody uses. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

const startServer = async (file: string, port: number): Promise<ChildProcess> => {
  const script = fileURLToPath(new URL('serve.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file, `${port}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  return child;
};

/** Passes connections on, and cuts most of them: after some bytes of the request, or of the response. */
const startProxy = async (port: number) => {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    const isOfClient = Math.random() < 0.5;
    let left = Math.random() < 0.8 ? Math.random() * 2000 : Number.POSITIVE_INFINITY;
    const pass = (from: Socket, to: Socket, isCounted: boolean) =>
      from.on('data', (bytes: Buffer) => {
        if (isCounted) left -= bytes.length;
        if (left > 0) return void to.write(bytes);
        to.write(bytes.subarray(0, Math.max(0, bytes.length + left)));
        cuts += 1;
        setImmediate(end);
      });
    pass(client, server, isOfClient);
    pass(server, client, !isOfClient);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/fhir`,
    cuts: () => cuts,
    stop: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

test('however often connections are cut and the server is killed, no write is lost or doubled, and no event is missed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-client-'));
  const file = join(folder, 'clinic.db');
  const port = await freePort();
  let server = await startServer(file, port);
  const proxy = await startProxy(port);
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    while (!isOver) {
      await setTimeout(1000 + Math.random() * 1000);
      server.kill('SIGKILL');
      await once(server, 'exit');
      kills += 1;
      server = await startServer(file, port);
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await killing;
    server.kill('SIGKILL');
    proxy.stop();
    rmSync(folder, { recursive: true });
  });

  const client = createClient({
    baseUrl: proxy.baseUrl,
    getToken: () => 'token',
    deadline: 600_000,
  });
  const changes: ChartChange[] = [];
  const leaving = new AbortController();
  let [dosesWithResponse, dosesNamed] = [0, 0];
  const onChange = (change: ChartChange) => {
    changes.push(change);
    if (change.kind === 'version' && change.resourceType === 'Immunization') dosesNamed += 1;
  };
  const watching = client.watch('amy', onChange, { signal: leaving.signal });
  await expect.poll(() => changes.length).toBe(1);

  /** Whether the client may go on after an error, because it has said that the write may be lost or done. */
  const isUnknown = (cause: unknown): boolean =>
    cause instanceof ConnectionError || (cause instanceof RequestError && cause.status >= 500);

  /** The time of each dose that was sent, with its id if the client had a response. */
  const sent = new Map<string, string | null>();
  /** A client that falls a thousand versions behind is told to read again. So no dose is created while it is far behind. */
  const untilNamed = async () => {
    while (dosesWithResponse - dosesNamed > 500) await setTimeout(10);
  };

  const createOne = async () => {
    const time = new Date(Date.UTC(2000, 0, 1, 0, sent.size)).toISOString();
    sent.set(time, null);
    try {
      const { id } = await client.create('Immunization', { ...statement, occurrenceDateTime: time });
      sent.set(time, id);
      dosesWithResponse += 1;
    } catch (cause) {
      if (!isUnknown(cause)) throw cause;
    }
  };
  const createDoses = async () => {
    while (proxy.cuts() < wantedCuts) {
      await untilNamed();
      await createOne();
    }
  };

  /** Only one client changes the team, so that no change is a conflict. */
  let changesOfTeam = 0;
  const changeTeam = async () => {
    while (proxy.cuts() < wantedCuts) {
      const reference = `Organization/${changesOfTeam % 2 === 0 ? 'lab' : 'home'}` as const;
      const team = await client.read('CareTeam', 'amy');
      await client.update(team, { id: 'amy', participant: [{ member: { reference } }] });
      changesOfTeam += 1;
    }
  };

  await Promise.all([changeTeam(), ...Array.from({ length: 6 }, createDoses)]);
  isOver = true;
  await killing;
  // The feed names versions in order, so whatever was written before the last one was named before.
  let last: string | null = null;
  while (last === null) {
    await createOne();
    last = [...sent.values()].at(-1) ?? null;
  }
  const isNamed = () => changes.some((change) => change.kind === 'version' && change.id === last);
  await expect.poll(isNamed, { timeout: 60_000 }).toBe(true);
  leaving.abort();
  await watching;
  isOver = true;
  await killing;

  const store = openSqliteStore({ filename: file });
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  const stored = new Map<string, string>();
  for await (const { id, occurrenceDateTime } of records.immunizations.all({ patient: 'amy' })) {
    stored.set(id, new Date(`${occurrenceDateTime}`).toISOString());
  }
  const team = await records.careTeams.read('amy');
  await store.close();

  const times = [...stored.values()];
  expect(new Set(times).size).toBe(times.length);
  expect(times.filter((time) => !sent.has(time))).toEqual([]);
  const created = [...sent].filter(([, id]) => id !== null);
  expect(created.filter(([time, id]) => stored.get(`${id}`) !== time)).toEqual([]);
  expect(Number(team.meta?.versionId)).toBe(changesOfTeam + 1);

  const named = changes.flatMap((change) =>
    change.kind === 'version' ? [`${change.id}/${change.version}`] : [],
  );
  expect(new Set(named).size).toBe(named.length);
  expect([...stored.keys()].filter((id) => !named.includes(`${id}/1`))).toEqual([]);
  expect(changes.filter(({ kind }) => kind === 'read')).toHaveLength(1);
  console.log(
    `${proxy.cuts()} cut connections, ${kills} kills, ${created.length} creates, ${changesOfTeam} changes of the team, ${named.length} events`,
  );
}, 3_600_000);
