import { describe, expect, test } from 'vitest';
import { createHttpHandler, toFetch } from '../../src/index.ts';
import { createHandler } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';
import { expectFirstValueToCount } from './repeated-headers.ts';

const bodyLimit = 1_000;

/** A body that comes in pieces, and says whether it was let go. */
const stream = (...pieces: (Uint8Array | Error)[]) => {
  const seen = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(piece);
    },
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { body, seen };
};

onEveryStore('toFetch', (clinic) => {
  const serve = () => toFetch(createHandler(clinic().records, { bodyLimit }));
  const requestOf = (method: string, path: string, body?: NonNullable<RequestInit['body']>) =>
    new Request(`https://clinic.example/fhir${path}`, {
      method,
      headers: {
        authorization: 'Bearer full',
        'x-request-id': 'test',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body, duplex: 'half' }),
    });
  const send = async (method: string, path: string, body?: NonNullable<RequestInit['body']>) => {
    const response = await serve()(requestOf(method, path, body));
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  };

  test('serves reads and writes', async () => {
    const put = await send('PUT', '/CareTeam/amy', '{"id":"amy"}');
    expect([put.status, put.text, put.headers['content-type']]).toEqual([200, 'null', 'application/json']);
    const read = await send('GET', '/CareTeam/amy');
    expect(read).toEqual(await clinic().get('/CareTeam/amy'));
  });

  test('a search by POST', async () => {
    const request = new Request('https://clinic.example/fhir/CareTeam/_search', {
      method: 'POST',
      headers: { authorization: 'Bearer full' },
      body: new URLSearchParams({ patient: 'Patient/amy' }),
    });
    expect(await (await serve()(request)).json()).toMatchObject({ resourceType: 'Bundle', total: 1 });
  });

  test('a fragment of the URL is ignored', async () => {
    for (const path of ['/CareTeam/amy', '/CareTeam?patient=amy']) {
      expect(await send('GET', `${path}#lead`)).toEqual(await clinic().get(path));
    }
  });

  test('HEAD is GET without the body', async () => {
    const [head, get] = [await send('HEAD', '/CareTeam/amy'), await send('GET', '/CareTeam/amy')];
    expect([head.status, head.text, head.headers]).toEqual([200, '', get.headers]);
  });

  test('a body at the limit is accepted, and one over it is a 413', async () => {
    const body = (size: number) => '{"id":"amy"}'.padEnd(size);
    expect((await send('PUT', '/CareTeam/amy', body(bodyLimit))).status).toBe(200);
    expectError(await send('PUT', '/CareTeam/amy', body(bodyLimit + 1)), 413);
  });

  test('of an endless body, no more is read than the limit', async () => {
    const endless = Array.from({ length: 100 }, () => new Uint8Array(100).fill(0x20));
    const { body, seen } = stream(...endless);
    expectError(await send('PUT', '/CareTeam/amy', body), 413);
    expect(seen.cancelled).toBe(true);
  });

  test('for a body that does not arrive, no memory is allocated, whatever the limit', async () => {
    const limit = 2 ** 28;
    const handler = createHandler(clinic().records, { bodyLimit: limit });
    const { promise: coming, resolve: come } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await coming;
        controller.close();
      },
    });
    const before = process.memoryUsage().arrayBuffers;
    const answer = toFetch(handler)(requestOf('PUT', '/CareTeam/amy', body));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(limit);
    come();
    expect((await answer).status).toBe(400);
  });

  test('a body is not awaited if its response would not reach the client', async () => {
    const { body, seen } = stream(new Error('read'));
    const { status } = await serve()(
      new Request('https://clinic.example/fhir/CareTeam/amy', { method: 'PUT', body, duplex: 'half' }),
    );
    expect([status, seen.cancelled]).toEqual([401, false]);
  });

  test('a body that is not needed is not read, because some servers would end its connection', async () => {
    const request = requestOf('PUT', '/Goal/walk', '{}');
    Object.defineProperty(request, 'body', {
      get: () => {
        throw new Error('touched');
      },
    });
    expect((await serve()(request)).status).toBe(405);
  });

  test('a missing body is a 400 if one is needed', async () => {
    expectError(await send('PUT', '/CareTeam/amy'), 400);
  });

  test('of headers that were sent twice, the first counts', async () => {
    await expectFirstValueToCount((headers) => {
      const sent = Object.entries(headers).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const url = 'https://clinic.example/fhir/CareTeam/amy';
      return serve()(new Request(url, { method: 'PUT', headers: sent, body: '{"id":"amy"}' }));
    });
  });

  test('invalid UTF-8 is a 400', async () => {
    const body = Buffer.concat([Buffer.from('{"id":"amy","name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expectError(await send('PUT', '/CareTeam/amy', body), 400);
  });

  test('characters that are split between pieces are joined again', async () => {
    const bytes = Buffer.from('{"id":"amy","name":"€"}');
    const { body } = stream(...[...bytes].map((byte) => Uint8Array.of(byte)));
    expect((await send('PUT', '/CareTeam/amy', body)).status).toBe(200);
  });

  describe('a body that was already read is a mistake of the host: a 500, whose reason is reported to onError', () => {
    test.each([
      ['all of it', (request: Request) => request.text()],
      ['a part of it', (request: Request) => request.body?.getReader().read()],
      [
        'a part of it, by who left the rest',
        async (request: Request) => {
          const reader = request.body?.getReader();
          await reader?.read();
          reader?.releaseLock();
        },
      ],
      ['nothing yet, by who holds it', (request: Request) => request.body?.getReader()],
    ])('%s', async (_, read) => {
      const reported: unknown[] = [];
      const handler = createHandler(clinic().records, { onError: (cause) => reported.push(cause) });
      const request = new Request('https://clinic.example/fhir/CareTeam/_search', {
        method: 'POST',
        headers: { authorization: 'Bearer full' },
        body: new URLSearchParams({ patient: 'Patient/amy' }),
      });
      await read(request);
      const response = await toFetch(handler)(request);
      expect([response.status, reported]).toEqual([
        500,
        [expect.objectContaining({ message: expect.stringContaining('read before') })],
      ]);
    });
  });

  test('a body that is read during authentication is the same mistake', async () => {
    const reported: unknown[] = [];
    const request = requestOf('PUT', '/CareTeam/amy', '{"id":"amy"}');
    const handler = createHttpHandler(clinic().records, {
      basePath: '/fhir',
      onError: (cause) => reported.push(cause),
      authenticate: async () => {
        await request.text();
        return { subject: 'Practitioner/ada', scopes: ['user/*.*'] };
      },
    });
    expect((await toFetch(handler)(request)).status).toBe(500);
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('read before') })]);
  });

  test('a client that disconnects gets no response, and does no harm', async () => {
    const before = await clinic().get('/CareTeam/amy');
    const { body } = stream(Buffer.from('{"id":'), new Error('gone'));
    await expect(serve()(requestOf('PUT', '/CareTeam/amy', body))).rejects.toThrow('gone');
    expect(await clinic().get('/CareTeam/amy')).toEqual(before);
    expect((await send('GET', '/Goal')).status).toBe(200);
  });
});
