import { once } from 'node:events';
import { connect, createServer, type Http2Server, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { ClinicalRecords } from '@clinical-records/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HttpHandler, type HttpHandlerOptions, toNodeListener } from '../../src/index.ts';
import { createHandler, createRecords } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

const bodyLimit = 1_000;

/** Node warns, once, of what it does not send. */
const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

onEveryStore('toNodeListener over HTTP/2, in which no header says whether there is a body', (clinic) => {
  let server: Http2Server;

  beforeEach(async () => {
    server = createServer(toNodeListener(createHandler(clinic().records, { bodyLimit })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    await once(server, 'close');
    expect(warnings).toEqual([]);
  });

  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const send = async (method: string, path: string, body: string, headers: OutgoingHttpHeaders = {}) => {
    const session = connect(origin());
    const sent = session.request({
      ...{ ':method': method, ':path': `/fhir${path}`, authorization: 'Bearer full' },
      ...{ 'content-type': 'application/json', ...headers },
    });
    if (body !== '') sent.write(body);
    sent.end();
    const [answer] = await once(sent, 'response');
    const text = await new Response(sent).text();
    session.close();
    return { status: answer[':status'], headers: answer, text };
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const totalOf = ({ text }: { readonly text: string }) => JSON.parse(text).total;

  test('a search with a form finds its matches', async () => {
    expect(totalOf(await send('POST', '/CareTeam/_search', 'patient=amy', form))).toBe(1);
    const withLength = { ...form, 'content-length': 11 };
    expect(totalOf(await send('POST', '/CareTeam/_search', 'patient=amy', withLength))).toBe(1);
    expect(totalOf(await send('POST', '/CareTeam/_search', '', form))).toBe(2);
  });

  test('HEAD is GET without the body', async () => {
    const { status, text, headers } = await send('HEAD', '/CareTeam/amy', '');
    const get = await send('GET', '/CareTeam/amy', '');
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });

  test('a client that disconnects in the middle of its body does no harm', async () => {
    const before = await clinic().get('/CareTeam/amy');
    const session = connect(origin());
    const sent = session.request({
      ...{ ':method': 'PUT', ':path': '/fhir/CareTeam/amy', authorization: 'Bearer full' },
    });
    const requested = once(server, 'request');
    sent.write('{');
    const [, response] = await requested;
    sent.destroy();
    await once(response, 'close');
    session.close();
    expect(await clinic().get('/CareTeam/amy')).toEqual(before);
    expect((await send('GET', '/CareTeam/amy', '')).status).toBe(200);
  });

  describe('a client that disconnects during authentication', () => {
    const authorization = 'Bearer full';

    /** Sends a request and disconnects. Then it is authenticated. */
    const disconnect = async (
      sent: OutgoingHttpHeaders & { readonly body?: string },
      { records = clinic().records, ...options }: Partial<HttpHandlerOptions & { records: ClinicalRecords }>,
    ): Promise<HttpHandler> => {
      const authentication = Promise.withResolvers<void>();
      const handler = createHandler(records, {
        authenticate: async () => {
          await authentication.promise;
          return { subject: 'Practitioner/ada', scopes: ['user/*.*'] };
        },
        ...options,
      });
      const served = Promise.withResolvers<void>();
      server.removeAllListeners('request');
      server.once('request', (message, response) =>
        served.resolve(toNodeListener(handler)(message, response)),
      );
      const requested = once(server, 'request');
      const session = connect(origin());
      const { body, ...headers } = sent;
      const stream = session.request({ authorization, ...headers }, { endStream: body === undefined });
      if (body !== undefined) stream.write(body);
      const [, response] = await requested;
      stream.destroy();
      await once(response, 'close');
      session.close();
      authentication.resolve();
      await served.promise;
      return handler;
    };

    test('ends its stream', async () => {
      const handler = await disconnect(
        { ':path': '/fhir/events?patient=amy' },
        { events: {}, maxInFlight: 1 },
      );
      const request = { method: 'GET', url: '/fhir/CareTeam/amy', headers: { authorization } };
      expect((await handler(request)).status).toBe(200);
    });

    test('in the middle of its body makes no event and no error', async () => {
      const reported: unknown[] = [];
      const records = createRecords(clinic().store, { onAccess: ({ status }) => reported.push(status) });
      const onError = ({ message }: Error) => reported.push(message);
      await disconnect({ ':method': 'PUT', ':path': '/fhir/CareTeam/amy', body: '{' }, { records, onError });
      expect(reported).toEqual([]);
    });
  });

  test('a write is accepted, a missing body is a 400, and one over the limit a 413', async () => {
    const statusOf = async (body: string) => (await send('PUT', '/CareTeam/amy', body)).status;
    expect(await statusOf('{"id":"amy"}')).toBe(200);
    expect(await statusOf('')).toBe(400);
    expect(await statusOf(' '.repeat(bodyLimit + 1))).toBe(413);
  });

  test('no response has a header about the connection, which has no meaning there', async () => {
    const { status, headers } = await send('PUT', '/CareTeam/amy', ' '.repeat(bodyLimit + 1));
    expect([status, headers.connection]).toEqual([413, undefined]);
  });
});
