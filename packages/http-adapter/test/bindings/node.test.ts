import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpHandler, toNodeListener } from '../../src/index.ts';
import { createHandler } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';
import { expectFirstValueToCount } from './repeated-headers.ts';

const bodyLimit = 1_000;

onEveryStore('toNodeListener', (clinic) => {
  let server: Server;
  let port: number;
  /** Settles as soon as the listener is done with a request. */
  let served: Promise<void>[];

  beforeEach(async () => {
    const handler = createHandler(clinic().records, { bodyLimit });
    const listener = toNodeListener(handler);
    served = [];
    server = createServer((message, response) => {
      served.push(listener(message, response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const send = async (
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | Uint8Array; headers?: OutgoingHttpHeaders } = {},
  ) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, method, path: `/fhir${path}`, agent: false },
      headers: {
        ...{ authorization: 'Bearer full', 'content-type': 'application/json', 'x-request-id': 'test' },
        ...headers,
      },
    });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const json = text === '' ? undefined : JSON.parse(text);
    return { status: answer.statusCode, headers: answer.headers, text, json };
  };

  test('serves reads and writes', async () => {
    const put = await send('PUT', '/CareTeam/amy', { body: '{"id":"amy"}' });
    expect([put.status, put.text, put.headers['content-type'], put.headers['content-length']]).toEqual([
      ...[200, 'null', 'application/json', '4'],
    ]);
    const read = await send('GET', '/CareTeam/amy');
    expect([read.status, read.json]).toEqual([200, (await clinic().get('/CareTeam/amy')).json]);
    expect(read.headers.etag).toBe(put.headers.etag);
  });

  test('content-length counts bytes, not characters', async () => {
    const answer = await send('GET', `/Goal/${encodeURIComponent('ü€😀')}`);
    expect(answer.json.issue[0].details.text).toBe("Unknown Goal resource 'ü€😀'");
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });

  test('HEAD is GET without the body', async () => {
    const [head, get] = [await send('HEAD', '/CareTeam/amy'), await send('GET', '/CareTeam/amy')];
    expect([head.status, head.text]).toEqual([200, '']);
    const { date: _, ...headers } = head.headers;
    expect(get.headers).toMatchObject(headers);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  });

  test('a body at the limit is accepted, and one over it is a 413, with or without a content-length', async () => {
    const body = (size: number) => '{"id":"amy"}'.padEnd(size);
    expect((await send('PUT', '/CareTeam/amy', { body: body(bodyLimit) })).status).toBe(200);
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      expectError(await send('PUT', '/CareTeam/amy', { body: body(bodyLimit + 1), headers }), 413);
    }
    expect((await send('GET', '/Goal')).status).toBe(200);
  });

  test('of an endless body, no more is read than the limit', async () => {
    const sent = request({
      ...{ host: '127.0.0.1', port, method: 'PUT', path: '/fhir/CareTeam/amy', agent: false },
      headers: { authorization: 'Bearer full', 'transfer-encoding': 'chunked' },
    });
    sent.write(' '.repeat(bodyLimit + 1));
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode).toBe(413);
    sent.destroy();
  });

  describe('a body is not awaited if its response would not reach the client', () => {
    test.each([
      ['without a token', 'PUT', '/CareTeam/amy', '', 401],
      ['with a token that lacks the scope', 'PUT', '/CareTeam/amy', 'Bearer reader', 403],
      ['at an unknown path', 'PUT', '/Condition/amy', 'Bearer full', 404],
      ['by a method that is not there', 'PUT', '/Goal/g', 'Bearer full', 405],
      ['by a method without a body', 'GET', '/CareTeam/amy', 'Bearer full', 200],
    ])('%s', async (_, method, path, authorization, status) => {
      const sent = request({
        ...{ host: '127.0.0.1', port, method, path: `/fhir${path}`, agent: false },
        headers: { authorization, 'content-length': 2 },
      });
      sent.write('{');
      const [answer] = await once(sent, 'response');
      expect(answer.statusCode).toBe(status);
      sent.destroy();
    });
  });

  test('of headers that were sent twice, the first counts', async () => {
    await expectFirstValueToCount((headers) =>
      send('PUT', '/CareTeam/amy', { body: '{"id":"amy"}', headers }),
    );
  });

  test('invalid UTF-8 is a 400', async () => {
    const body = Buffer.concat([Buffer.from('{"id":"amy","name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expectError(await send('PUT', '/CareTeam/amy', { body }), 400);
  });

  test('a missing body is a 400 if one is needed', async () => {
    expectError(await send('PUT', '/CareTeam/amy'), 400);
  });

  test('characters that are split between chunks are joined again', async () => {
    const bytes = Buffer.from('{"id":"amy","name":"€"}');
    const sent = request({
      ...{ host: '127.0.0.1', port, method: 'PUT', path: '/fhir/CareTeam/amy', agent: false },
      headers: { authorization: 'Bearer full' },
    });
    for (const byte of bytes) sent.write(Buffer.from([byte]));
    sent.end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(200);
  });

  test('the part of the URL that a framework removed is restored: originalUrl', async () => {
    const handler = createHandler(clinic().records);
    server.removeAllListeners('request');
    server.on('request', (message, response) => {
      const originalUrl = message.url ?? '';
      message.url = originalUrl.replace('/fhir', '');
      void toNodeListener(handler)(Object.assign(message, { originalUrl }), response);
    });
    expect((await send('GET', '/CareTeam/amy')).status).toBe(200);
  });

  describe('a body that was already read is a mistake of the host: a 500 at once, whose reason is reported to onError', () => {
    const readAll = async (message: IncomingMessage) => {
      for await (const _ of message);
    };
    const readSome = async (message: IncomingMessage) => {
      await once(message, 'readable');
      message.read(1);
    };
    let reported: unknown[];

    const serveBehind = (reader: (message: IncomingMessage) => Promise<void>) => {
      reported = [];
      const onError = (cause: unknown) => reported.push(cause);
      const handler = createHandler(clinic().records, { onError });
      server.removeAllListeners('request');
      server.on('request', async (message, response) => {
        await reader(message);
        await toNodeListener(handler)(message, response);
      });
    };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    describe.each([
      ['all of it', readAll],
      ['a part of it', readSome],
    ])('%s', (_, reader) => {
      test.each([
        ['PUT', '/CareTeam/amy', '{"id":"amy"}', {}],
        ['PUT', '/CareTeam/amy', '{"id":"amy"}', { 'transfer-encoding': 'chunked' }],
        ['POST', '/CareTeam/_search', 'patient=ben', form],
        ['POST', '/CareTeam/_search', 'patient=ben', { ...form, 'transfer-encoding': 'chunked' }],
      ])('%s %s %s %j', async (method, path, body, headers) => {
        serveBehind(reader);
        expectError(await send(method, path, { body, headers }), 500);
        expect(reported).toEqual([
          expect.objectContaining({ message: expect.stringContaining('read before') }),
        ]);
      });
    });

    test('a part of it, during authentication', async () => {
      const message = Promise.withResolvers<IncomingMessage>();
      reported = [];
      const handler = createHttpHandler(clinic().records, {
        basePath: '/fhir',
        onError: (cause) => reported.push(cause),
        authenticate: async () => {
          await readSome(await message.promise);
          return { subject: 'Practitioner/ada', scopes: ['user/*.*'] };
        },
      });
      server.removeAllListeners('request');
      server.on('request', (incoming, response) => {
        message.resolve(incoming);
        void toNodeListener(handler)(incoming, response);
      });
      expectError(await send('POST', '/CareTeam/_search', { body: 'patient=ben', headers: form }), 500);
      expect(reported).toEqual([
        expect.objectContaining({ message: expect.stringContaining('read before') }),
      ]);
    });

    test('all of an empty one', async () => {
      serveBehind(readAll);
      const headers = { 'transfer-encoding': 'chunked' };
      expectError(await send('PUT', '/CareTeam/amy', { headers }), 500);
    });

    test('a request that needs no body gets its response', async () => {
      serveBehind(readAll);
      expect(
        (await send('GET', '/CareTeam/amy', { body: '{}', headers: { 'content-length': '2' } })).status,
      ).toBe(200);
      expect((await send('POST', '/CareTeam/_search', { headers: form })).json.total).toBe(2);
      expectError(await send('PUT', '/CareTeam/amy', { body: '{', headers: { authorization: '' } }), 401);
      expect(reported).toEqual([]);
    });
  });

  test('a body can be read both by the authentication and by the interface', async () => {
    const bodies: unknown[] = [];
    const handler = createHttpHandler(clinic().records, {
      basePath: '/fhir',
      authenticate: async (_, { body }) => {
        bodies.push(typeof body === 'function' && (await body()));
        return { subject: 'Practitioner/ada', scopes: ['user/*.*'] };
      },
    });
    server.removeAllListeners('request');
    server.on('request', toNodeListener(handler));
    expect((await send('PUT', '/CareTeam/amy', { body: '{"id":"amy"}' })).status).toBe(200);
    expect(bodies).toEqual([Buffer.from('{"id":"amy"}')]);
  });

  describe('a client that disconnects does no harm', () => {
    const begun =
      'PUT /fhir/CareTeam/amy HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-length: 12\r\n\r\n';
    test.each([
      ['in the middle of its body', 'content-length: 12\r\n\r\n{"id":'],
      ['in the middle of a chunk', 'transfer-encoding: chunked\r\n\r\nc\r\n{"id":'],
    ])('%s', async (_, rest) => {
      const socket = connect(port, '127.0.0.1');
      const requested = once(server, 'request');
      socket.write(`PUT /fhir/CareTeam/amy HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\n${rest}`);
      await requested;
      const before = await clinic().get('/CareTeam/amy');
      socket.destroy();
      await Promise.all(served);
      expect(await clinic().get('/CareTeam/amy')).toEqual(before);
      expect((await send('GET', '/Goal')).status).toBe(200);
    });
    test('because the host aborted the request', async () => {
      const socket = connect(port, '127.0.0.1');
      const requested = once(server, 'request');
      socket.write(`${begun}{`);
      const [message] = await requested;
      message.destroy();
      await Promise.all(served);
      socket.destroy();
      expect((await send('GET', '/Goal')).status).toBe(200);
    });
    test('before its body is read', async () => {
      const listener = toNodeListener(createHandler(clinic().records));
      server.removeAllListeners('request');
      const requested = once(server, 'request');
      const socket = connect(port, '127.0.0.1');
      socket.write(`${begun}{`);
      const [message, response] = await requested;
      socket.destroy();
      await once(message, 'error');
      await listener(message, response);
      expect(response.destroyed).toBe(true);
    });
    test('before it has its response', async () => {
      const socket = connect(port, '127.0.0.1');
      const requested = once(server, 'request');
      socket.write('GET /fhir/Goal HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\n\r\n');
      await requested;
      socket.destroy();
      await Promise.all(served);
      expect((await send('GET', '/Goal')).status).toBe(200);
    });
  });
});
