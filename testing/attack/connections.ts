import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fillClinic, patient } from './connections/clinic.ts';
import { type AttackedServer, startServer } from './connections/server.ts';

/**
 * Attacks the connections of the example server, while a normal client reads. Prints the cost. It fails if a promise
 * is not kept: memory stays below 400 MiB, clients that read nothing are disconnected within 30 s, and the normal
 * client gets its responses. Linux only.
 */
const promises = { mebibytes: 400, secondsUntilCut: 30 } as const;

const [idleClients, silentReaders, slowReaders, slowSenders, pipeliners] = [2_000, 200, 200, 100, 20];
const slowBytesPerSecond = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const filename = join(folder, 'clinic.db');
const failures: string[] = [];
const expectKept = (isKept: boolean, promise: string) => {
  if (!isKept) failures.push(promise);
};

const formatQuantiles = (values: readonly number[]): string => {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1)} ms of ${values.length}`;
};

type OnRead = { buffer: Buffer; callback: () => boolean };

/** A client that sends one request after the other, each on a connection that is already open. */
const createNormalClient = ({ port, token }: AttackedServer) => {
  const latencies: number[] = [];
  let unanswered = 0;
  let isOver = false;
  const ask = async (): Promise<void> => {
    const began = performance.now();
    try {
      const response = await fetch(`http://127.0.0.1:${port}/fhir/CareTeam/${patient}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.text();
      if (response.status !== 200) unanswered += 1;
    } catch {
      unanswered += 1;
    }
    latencies.push(performance.now() - began);
  };
  return {
    ask,
    askUntilEnd: async (): Promise<void> => {
      while (!isOver) {
        await ask();
        await wait(20);
      }
    },
    end: () => {
      isOver = true;
    },
    /** The latencies since it was last called. */
    takeQuantiles: () => formatQuantiles(latencies.splice(0)),
    unanswered: () => unanswered,
  };
};

/** Opens connections to the server, and keeps a list of all of them. */
const createConnections = (port: number) => {
  const sockets: Socket[] = [];
  const open = async (onread?: OnRead): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', ...(onread && { onread }) });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect').catch(() => {});
    return socket;
  };
  return {
    sockets,
    openMany: (count: number, onread?: () => OnRead) =>
      Promise.all(Array.from({ length: count }, () => open(onread?.()))),
  };
};

/** Opens the connections of the attack, and sends on each what it sends. */
const attack = async (openMany: ReturnType<typeof createConnections>['openMany'], token: string) => {
  const request = (path: string) =>
    `GET /fhir/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const page = request('Immunization?_count=100');
  const small = request(`CareTeam/${patient}`);

  await openMany(idleClients);
  const silent = await openMany(silentReaders);
  const slow = await openMany(slowReaders, () => ({
    buffer: Buffer.alloc(slowBytesPerSecond),
    callback: () => false,
  }));
  const senders = await openMany(slowSenders);
  const pipelining = await openMany(pipeliners);
  const trickling = setInterval(() => {
    for (const socket of slow) socket.resume();
    for (const socket of senders) if (!socket.destroyed) socket.write('x');
  }, 1_000);
  for (const socket of senders) socket.write('GET /fhir/Goal HTTP/1.1\r\nx-slow: ');

  const began = performance.now();
  for (const socket of silent) socket.pause().write(page);
  for (const socket of slow) socket.write(page);
  for (const socket of pipelining) socket.pause().write(page.repeat(200) + small);
  return {
    seconds: () => (performance.now() - began) / 1_000,
    /** Those that read nothing. */
    unread: silent.concat(pipelining),
    end: () => clearInterval(trickling),
  };
};

/** Attacks with resources of this many bytes, a hundred in a page. The smaller ones make pages of 1 MiB. */
const attackWith = async (resourceBytes: number): Promise<void> => {
  rmSync(folder, { recursive: true });
  await fillClinic(folder, filename, resourceBytes);
  const server = await startServer(folder, filename);
  const client = createNormalClient(server);
  const { sockets, openMany } = createConnections(server.port);

  for (let times = 0; times < 50; times += 1) await client.ask();
  const before = client.takeQuantiles();
  const restingMebibytes = server.mebibytes();
  const asking = client.askUntilEnd();

  const { seconds, unread, end } = await attack(openMany, server.token);
  let cutAfter: number | null = null;
  while (seconds() < promises.secondsUntilCut + 5 && server.isAlive()) {
    await wait(250);
    if (cutAfter === null && server.holdsNone(unread)) cutAfter = seconds();
  }
  if (!server.isAlive()) {
    throw new Error(
      `The server died ${seconds().toFixed(1)} s after pages of ${resourceBytes} bytes a resource.`,
    );
  }
  client.end();
  await asking;
  end();
  const held = server.countOf([...sockets]);
  for (const socket of sockets) socket.destroy();
  const peak = server.peakMebibytes();
  const during = client.takeQuantiles();
  const unanswered = client.unanswered();
  await server.stop();

  console.log(`pages of 100 resources of ${resourceBytes.toLocaleString('en')} bytes`);
  console.log(`  resident memory: ${restingMebibytes} MiB before, ${peak} MiB at most`);
  console.log(`  those that read nothing were cut off after ${cutAfter?.toFixed(1) ?? 'more than 35'} s`);
  console.log(`  ${held} of ${sockets.length} connections were open at the end`);
  console.log(`  a normal client, before: ${before}; meanwhile: ${during}, ${unanswered} not answered`);
  expectKept(peak < promises.mebibytes, `${peak} MiB is not below ${promises.mebibytes} MiB`);
  expectKept(
    cutAfter !== null && cutAfter <= promises.secondsUntilCut,
    'a client that reads nothing is not disconnected',
  );
  expectKept(unanswered === 0, `${unanswered} requests of a normal client were not answered`);
};

const [, , chosen = '10000,250000'] = process.argv;
try {
  for (const bytes of chosen.split(',').map(Number)) await attackWith(bytes);
} catch (cause) {
  failures.push((cause as Error).message);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`not kept: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
