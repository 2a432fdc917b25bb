import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder, start } from './running-server.ts';

afterAll(endAll);

const refused = async (port: number): Promise<boolean> => {
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

test('SIGTERM lets nobody in, answers what is in flight, and ends with 0', async () => {
  const folder = await newFolder();
  const server = await start([], folder);
  const port = Number(new URL(server.address).port);
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
    `Authorization: Bearer ${server.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ].join('\r\n');

  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${head}\r\n\r\n`);
  // The server says that it waits for the body: the request is in flight.
  expect(await once(socket, 'data')).toEqual([expect.stringContaining('100 Continue')]);
  server.signal('SIGTERM');
  while (!(await refused(port)));
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  socket.write(body);
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(await server.ended()).toBe(0);

  const again = await start([], folder);
  expect((await again.get('/Immunization?patient=demo-patient-4')).body).toMatchObject({ total: 1 });
});

test('SIGINT ends it with 0, too, though a client keeps its connection', async () => {
  const server = await start([], await newFolder());
  await server.get('/Goal');
  server.signal('SIGINT');
  expect(await server.ended()).toBe(0);
});
