import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ConnectionLimits, limitConnections } from '../../src/index.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const serve = async (listener: RequestListener, limits: ConnectionLimits) => {
  const server = limitConnections(createServer(listener), limits);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

const open = async (server: Server, text: string): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

/** All that comes until the connection ends. */
const received = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** More than a system keeps for one connection. */
const large = Buffer.alloc(32 * 1024 * 1024);

test('a client that does not read its response is disconnected', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = await serve((_, response) => response.on('close', resolve).end(large), {
    readTimeout: 1_000,
  });
  const socket = await open(server, get('/'));
  const text = received(socket);
  socket.pause();
  await closed;
  socket.resume();
  expect((await text).length).toBeLessThan(large.length);
});

test('a client that reads slower than the least throughput is disconnected', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = await serve((_, response) => response.on('close', resolve).end(large), {
    readTimeout: 1_000,
    minBytesPerSecond: 1e12,
  });
  const socket = await open(server, get('/'));
  let piecesRead = 0;
  socket.on('data', () => {
    piecesRead += 1;
    socket.pause();
  });
  const reading = setInterval(() => socket.resume(), 50);
  await closed;
  clearInterval(reading);
  expect(piecesRead).toBeGreaterThan(1);
});

test('if too many connections wait, the one that has waited longest is disconnected, and no other', async () => {
  const closed: (string | undefined)[] = [];
  const { promise: firstClosed, resolve } = Promise.withResolvers<void>();
  const server = await serve(
    ({ url }, response) => {
      response.on('close', () => {
        closed.push(url);
        resolve();
      });
      response.end(large);
    },
    { maxWaitingBytes: large.length * 1.5 },
  );
  const first = await open(server, get('/first'));
  first.pause();
  const request = once(server, 'request');
  const second = await open(server, get('/second'));
  second.pause();
  await request;
  await firstClosed;
  expect(closed).toEqual(['/first']);
});

test('a request is accepted once the previous one on its connection has its response', async () => {
  const inWork: string[] = [];
  const server = await serve(({ url = '' }, response) => {
    inWork.push(url);
    setImmediate(() => {
      expect(inWork).toEqual([url]);
      response.on('finish', () => inWork.pop()).end(url);
      if (url === '/3') response.shouldKeepAlive = false;
    });
  }, {});
  const socket = await open(
    server,
    get('/1') + get('/2') + get('/3').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'),
  );
  expect((await received(socket)).match(/\/\d$|\/\d(?=HTTP)/gm)).toEqual(['/1', '/2', '/3']);
});

test('a client that sends many requests before it reads a response is disconnected, and few are accepted', async () => {
  let accepted = 0;
  const server = await serve(() => {
    accepted += 1;
  }, {});
  const socket = await open(server, get('/').repeat(100));
  expect(await received(socket)).toBe('');
  expect(accepted).toBeLessThanOrEqual(1);
});

test('many requests at once all get a response, although they are spread over turns', async () => {
  const server = await serve((_, response) => response.end('x'.repeat(1024 * 1024)), {});
  const { port } = server.address() as AddressInfo;
  const lengths = await Promise.all(
    Array.from({ length: 40 }, async () => (await (await fetch(`http://127.0.0.1:${port}/`)).text()).length),
  );
  expect(new Set(lengths)).toEqual(new Set([1024 * 1024]));
});

test('a client that waits for its response is not disconnected, however long that takes', async () => {
  const server = await serve(
    (_, response) => {
      // The client has been still for longer than it may read nothing.
      server.once('timeout', () => response.end('late'));
    },
    { readTimeout: 1_000 },
  );
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late');
});

test('a client that never ends the head of a request is disconnected', async () => {
  const server = await serve(() => {}, { headersTimeout: 50, readTimeout: 60_000 });
  const socket = await open(server, 'GET / HTTP/1.1\r\nx-slow: ');
  expect(await received(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a connection above the limit is closed at once', async () => {
  const server = await serve((_, response) => response.end('served'), { maxConnections: 1 });
  const first = await open(server, '');
  const second = await open(server, get('/'));
  expect(await received(second)).toBe('');
  first.write(get('/'));
  expect(String((await once(first, 'data'))[0])).toContain('served');
});
