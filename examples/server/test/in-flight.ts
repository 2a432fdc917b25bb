import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';

/** Whether nothing listens on a port. */
export const isRefused = async (port: number): Promise<boolean> => {
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

/** A create in flight: its head is sent, and the server waits for its body. */
export const inFlight = async (
  { address, token }: { readonly address: string; readonly token: string },
  connection: 'keep-alive' | 'close' = 'keep-alive',
) => {
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
    `Connection: ${connection}`,
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ].join('\r\n');
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${head}\r\n\r\n`);
  expect(await once(socket, 'data')).toEqual([expect.stringContaining('100 Continue')]);
  return {
    port,
    /** Sends the body, and resolves with what is answered: nothing if the process has ended. */
    finish: async () => {
      let answer = '';
      socket.on('data', (text: string) => {
        answer += text;
      });
      socket.write(body);
      await closed;
      return answer;
    },
  };
};
