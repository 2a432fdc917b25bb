import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from './running-server.ts';

afterAll(endAll);

const isRefused = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
};

/** A request in flight: its head is sent, and the server waits for its body. */
const inFlight = async ({ address, token }: { readonly address: string; readonly token: string }) => {
  const port = Number(new URL(address).port);
  const body = JSON.stringify({
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
    patient: { reference: 'Patient/demo-patient-4' },
    occurrenceDateTime: '2001',
    primarySource: false,
  });
  const head = [
    'POST /fhir/Immunization HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ].join('\r\n');
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  socket.write(`${head}\r\n\r\n`);
  expect(await once(socket, 'data')).toEqual([expect.stringContaining('100 Continue')]);
  return {
    port,
    /** Sends the body, and resolves with what is answered. */
    finish: async () => {
      let answer = '';
      socket.on('data', (text: string) => {
        answer += text;
      });
      socket.write(body);
      await once(socket, 'close');
      return answer;
    },
  };
};

test('SIGTERM refuses new connections, completes requests in flight, and ends with 0', async () => {
  const folder = await newFolder();
  const server = await startServer([], folder);
  const { port, finish } = await inFlight(server);
  server.signal('SIGTERM');
  while (!(await isRefused(port)));
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
  expect(await server.ended()).toBe(0);

  const again = await startServer([], folder);
  expect((await again.get('/Immunization?patient=demo-patient-4')).body).toMatchObject({ total: 1 });
});

test('if two SIGINTs arrive at once, as from Ctrl-C under npm, the second has no effect', async () => {
  const server = await startServer([], await newFolder());
  const { port, finish } = await inFlight(server);
  server.signal('SIGINT');
  while (!(await isRefused(port)));
  server.signal('SIGINT');
  expect(await finish()).toMatch(/^HTTP\/1\.1 201 /);
  expect(await server.ended()).toBe(0);
});

test('a signal that is repeated later ends the process, even with requests in flight', async () => {
  const server = await startServer([], await newFolder());
  await inFlight(server);
  const repeating = setInterval(() => server.signal('SIGTERM'), 100);
  const code = await server.ended();
  clearInterval(repeating);
  // Node has no code for a process that a signal ended.
  expect(code).toBeNull();
});

test('SIGINT ends the process with 0, even if a client keeps its connection', async () => {
  const server = await startServer([], await newFolder());
  await server.get('/Goal');
  server.signal('SIGINT');
  expect(await server.ended()).toBe(0);
});
