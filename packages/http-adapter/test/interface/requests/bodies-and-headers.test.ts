import { resourceTypes } from '@clinical-records/core/adapter';
import { findFhirIssues } from '@clinical-records/testing-profiles';
import { describe, expect, test } from 'vitest';
import { expectFirstValueToCount } from '../../bindings/repeated-headers.ts';
import { ada, enteredInError, oneCommandOfEach, statement } from '../../builders.ts';
import {
  createHandler,
  createSender,
  createSenderAs,
  type ParsedResponse,
  type RequestOptions,
} from '../../clinic.ts';
import { expectNullBody, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createWrites } from '../writes.ts';

/** The headers with the version of a resource. */
const versionOf = ({ etag, 'last-modified': lastModified }: ParsedResponse['headers']) => ({
  etag,
  'last-modified': lastModified,
});

const representation = { headers: { prefer: 'return=representation' } };

onEveryStore('Decisions: Bodies and headers', (clinic) => {
  const { put, post, mark, record } = createWrites(clinic);
  const get = (path: string) => clinic().get(path);

  test('A "null body" is the four bytes `null`, `content-type: application/json`', async () => {
    await record();
    expectNullBody(await put(), 200);
    expectNullBody(await post(), 201);
    expectNullBody(await mark(), 200);
  });

  describe('With `Prefer: return=representation`, the response contains the resource instead', () => {
    test('CareTeam PUT', async () => {
      const { status, json } = await put({ participant: [ada] }, representation);
      expect([status, json]).toEqual([200, (await get('/CareTeam/amy')).json]);
    });
    test('Immunization POST', async () => {
      const { status, json, headers } = await post({}, representation);
      expect(status).toBe(201);
      expect(json).toEqual((await get((headers.location ?? '').replace('/fhir', ''))).json);
    });
    test('Immunization PUT', async () => {
      await record();
      const { status, json } = await mark(representation);
      expect([status, json]).toEqual([200, (await get('/Immunization/shot')).json]);
      expect(json.status).toBe('entered-in-error');
    });
    test('and a `Preference-Applied` says so, unless the token may not read it', async () => {
      const { headers } = await put({}, representation);
      expect(headers['preference-applied']).toBe('return=representation');
      const mayOnlyWrite = createSenderAs(clinic(), { scopes: ['user/CareTeam.u'] });
      const unread = await mayOnlyWrite('PUT', '/CareTeam/amy', { body: { id: 'amy' }, ...representation });
      expectNullBody(unread, 200);
      expect(unread.headers).not.toHaveProperty('preference-applied');
      expect((await put({})).headers).not.toHaveProperty('preference-applied');
      expect((await put({}, { headers: { prefer: 'return=minimal' } })).headers).toHaveProperty(
        'preference-applied',
        'return=minimal',
      );
    });
    test('among other preferences', async () => {
      const { json } = await put(
        {},
        { headers: { prefer: 'handling=lenient, return="representation"; x=y' } },
      );
      expect(json.resourceType).toBe('CareTeam');
    });
  });

  describe('With `Prefer: return=OperationOutcome`, the response to a write is an OperationOutcome, and a `Preference-Applied` says so', () => {
    const outcome = { headers: { prefer: 'return=OperationOutcome' } };
    const information = (text: string, diagnostics: string) => ({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'information', code: 'informational', details: { text }, diagnostics }],
    });
    const expectOutcome = ({ status, json, headers }: ParsedResponse, expected: number, sentence: string) => {
      expect([status, json]).toEqual([expected, information(expected === 201 ? 'Created' : 'OK', sentence)]);
      expect(findFhirIssues(json)).toEqual([]);
      expect(headers).toMatchObject({
        'preference-applied': 'return=OperationOutcome',
        'content-type': 'application/json',
        etag: expect.stringMatching(/^W\/"\d+"$/),
      });
    };
    test('CareTeam PUT', async () => {
      expectOutcome(await put({ participant: [ada] }, outcome), 200, 'The request was carried out.');
      expect((await get('/CareTeam/amy')).json.participant).toHaveLength(1);
    });
    test('Immunization POST, also one that is sent again', async () => {
      const identifier = [{ system: 'urn:x:registry', value: 'A-1' }];
      const headers = { ...outcome.headers, 'if-none-exist': 'identifier=urn:x:registry|A-1' };
      const first = await post({ identifier }, { headers });
      expectOutcome(first, 201, 'The resource was created.');
      const second = await post({ identifier }, { headers });
      expectOutcome(second, 200, 'Nothing was created, because there is such a resource.');
      expect(second.headers.location).toBe(first.headers.location);
    });
    test('Immunization PUT', async () => {
      await record();
      expectOutcome(await mark(outcome), 200, 'The request was carried out.');
    });
    test('whatever the default of the host is, the case of the letters, and if the token may not read it', async () => {
      const send = createSender(
        createHandler(clinic().records, {
          defaultReturn: 'representation',
          authenticate: () => ({ subject: 'Person/x', scopes: ['user/CareTeam.u'] }),
        }),
      );
      const headers = { prefer: 'handling=lenient; return="operationoutcome"' };
      expectOutcome(
        await send('PUT', '/CareTeam/amy', { body: { id: 'amy' }, headers }),
        200,
        'The request was carried out.',
      );
    });
    test('refused: a read and an error are as without it', async () => {
      for (const path of ['/CareTeam/amy', '/CareTeam?patient=amy', '/Goal/none'])
        expect(await clinic().get(path, outcome)).toEqual(await get(path));
      const { headers, ...refused } = await put({ id: 'ben' }, outcome);
      expect(refused).toMatchObject({ status: 400, json: { issue: [{ severity: 'error' }] } });
      expect(headers).not.toHaveProperty('preference-applied');
    });
  });

  test('Immunization PUT succeeds with 200. Marking a record again that is already entered-in-error is 200 and changes nothing', async () => {
    await record();
    expectNullBody(await mark(), 200);
    const before = await get('/Immunization/shot');
    expectNullBody(await mark(), 200);
    const after = await get('/Immunization/shot');
    expect([after.json, after.headers]).toEqual([before.json, before.headers]);
  });

  test('`Location` on create: `{base}/Immunization/{uuid}`', async () => {
    const { headers } = await post();
    expect(headers.location).toMatch(/^\/fhir\/Immunization\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect((await get((headers.location ?? '').replace('/fhir', ''))).status).toBe(200);
  });
  test("The base is the host's `baseUrl`, or the `basePath` if there is no `baseUrl`", async () => {
    const handler = createHandler(clinic().records, { baseUrl: 'https://clinic.example/r4' });
    const { headers } = await handler({
      method: 'POST',
      url: '/fhir/Immunization',
      headers: { authorization: 'Bearer full' },
      body: JSON.stringify(statement()),
    });
    expect(headers.location).toMatch(/^https:\/\/clinic\.example\/r4\/Immunization\/[0-9a-f-]{36}$/);
  });

  describe('Reads carry `ETag: W/"<version>"` and `Last-Modified`', () => {
    test.each(oneCommandOfEach({ id: 'one' }))('the resource that a $kind makes', async (command) => {
      clinic().clock.at('2026-03-05T10:00:00.900Z');
      const { id, resourceType: type } = await clinic().record(command);
      const { headers } = await get(`/${type}/one`);
      expect([headers.etag, headers['last-modified']]).toEqual(['W/"1"', 'Thu, 05 Mar 2026 10:00:01 GMT']);
      await clinic().enterInError(id);
      const later = (await get(`/${type}/one`)).headers;
      expect([later.etag, later['last-modified']]).toEqual(['W/"2"', 'Thu, 05 Mar 2026 10:00:02 GMT']);
    });
    test('CareTeam', async () => {
      clinic().clock.at('2026-03-05T10:00:00.900Z');
      const before = (await get('/CareTeam/amy')).headers;
      await put({ participant: [ada] });
      const { headers } = await get('/CareTeam/amy');
      expect(headers.etag).toMatch(/^W\/"\d+"$/);
      expect(headers.etag).not.toBe(before.etag);
      expect(headers['last-modified']).toBe('Thu, 05 Mar 2026 10:00:01 GMT');
    });
    describe('and the version of a write can be matched next', () => {
      test('CareTeam', async () => {
        const { etag = '' } = (await put({ participant: [ada] })).headers;
        expect((await get('/CareTeam/amy')).headers.etag).toBe(etag);
        expectNullBody(await put({}, { headers: { 'if-match': etag } }), 200);
      });
      test('Immunization', async () => {
        const created = (await post()).headers;
        const path = created.location?.replace('/fhir', '') ?? '';
        expect((await get(path)).headers).toMatchObject(versionOf(created));
        const body = enteredInError(path.replace('/Immunization/', ''));
        const marked = await clinic().put(path, body, { headers: { 'if-match': created.etag ?? '' } });
        expectNullBody(marked, 200);
        expect((await get(path)).headers).toMatchObject(versionOf(marked.headers));
      });
    });
  });

  describe('No cache keeps a response: all but the descriptions of the interface carry `Cache-Control: no-store`, errors too', () => {
    test.each<[status: number, method: string, path: string, sent?: RequestOptions]>([
      [200, 'GET', '/CareTeam/amy'],
      [200, 'HEAD', '/CareTeam/amy'],
      [200, 'GET', '/CareTeam'],
      [200, 'PUT', '/CareTeam/amy', { body: { id: 'amy' } }],
      [200, 'PUT', '/CareTeam/amy', { body: { id: 'amy' }, ...representation }],
      [201, 'POST', '/Immunization', { body: statement() }],
      [400, 'GET', '/Goal?x=1'],
      [401, 'GET', '/Goal', { token: null }],
      [403, 'GET', '/CareTeam/ben', { token: 'amy' }],
      [404, 'GET', '/Goal/none'],
      [405, 'DELETE', '/CareTeam/amy'],
      [405, 'PUT', '/openapi.json'],
      [406, 'GET', '/Goal', { headers: { accept: 'text/html' } }],
      [412, 'PUT', '/CareTeam/amy', { body: { id: 'amy' }, headers: { 'if-match': 'W/"9"' } }],
    ])('%i %s %s', async (status, method, path, sent) => {
      const answer = await clinic().send(method, path, sent);
      expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    });
    test('openapi.json', async () => {
      expect((await get('/openapi.json')).headers).not.toHaveProperty('cache-control');
    });
  });

  test('every response carries `X-Content-Type-Options: nosniff`', async () => {
    const answers = [
      await get('/CareTeam/amy'),
      await get('/CareTeam'),
      await put({}),
      await get('/Goal/none'),
      await clinic().get('/Goal', { token: null }),
      await get('/openapi.json'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['x-content-type-options']])).toEqual(
      [200, 200, 200, 404, 401, 200].map((status) => [status, 'nosniff']),
    );
  });

  describe('`application/json` and `application/fhir+json` are both accepted and both offered', () => {
    test.each([
      ...['application/json', 'application/fhir+json', 'Application/FHIR+JSON; charset=UTF-8'],
      ...['application/json; charset="utf-8"', 'application/json; charset = utf-8'],
      ...['application/fhir+json; fhirVersion=4.0', 'application/fhir+json;fhirVersion="4.0.1"'],
    ])('accepted: %s', async (type) => {
      expectNullBody(await put({}, { headers: { 'content-type': type } }), 200);
    });
    test.each([
      ['application/json', 'application/json'],
      ['application/fhir+json', 'application/fhir+json'],
      ['', 'application/json'],
      ['*/*', 'application/json'],
      ['text/html, application/*;q=0.5', 'application/json'],
      ['text/html, */*;q=0.8', 'application/json'],
      ['application/json;q=0.5, application/fhir+json', 'application/fhir+json'],
      ['application/fhir+json; fhirVersion=4.0', 'application/fhir+json'],
      [
        'application/fhir+json; fhirVersion=3.0, application/fhir+json; fhirVersion=4.0;q=0.5',
        'application/fhir+json',
      ],
      ['application/fhir+json; fhirVersion=5.0, application/json;q=0.1', 'application/json'],
    ])('offered: %s', async (accept, type) => {
      for (const [path, expected] of [
        ['/CareTeam/amy', 200],
        ['/CareTeam', 200],
        ['/CareTeam/none', 404],
        ['/metadata', 200],
      ] as const) {
        const { status, headers } = await clinic().get(path, { headers: { accept } });
        expect([status, headers['content-type']]).toEqual([expected, type]);
      }
    });
  });

  test('A search for a patient who does not exist is an empty bundle, not an error', async () => {
    for (const type of resourceTypes) {
      expect(idsOf(await get(`/${type}?patient=Patient/nobody`))).toEqual([]);
    }
  });

  test('If a header with one value is sent twice (`Content-Type`, `If-Unmodified-Since`), the first value counts, while two `Authorization` headers are a 400', async () => {
    const request = { method: 'PUT', url: '/fhir/CareTeam/amy', body: '{"id":"amy"}' };
    await expectFirstValueToCount((headers) => clinic().handler({ ...request, headers }));
  });

  test('The same holds for a preference', async () => {
    for (const [prefer, status] of [
      ['handling=lenient, handling=strict', 200],
      ['handling=strict, handling=lenient', 400],
    ] as const) {
      expect((await put({ text: {} }, { headers: { prefer } })).status).toBe(status);
    }
    for (const [prefer, resourceType] of [
      ['return=minimal, return=representation', undefined],
      ['return=representation, return=minimal', 'CareTeam'],
    ] as const) {
      expect((await put({}, { headers: { prefer } })).json?.resourceType).toBe(resourceType);
    }
  });

  test('HEAD returns the headers of GET', async () => {
    for (const path of ['/CareTeam/amy', '/CareTeam', '/Goal/none']) {
      expect(await clinic().send('HEAD', path)).toEqual(await get(path));
    }
  });
});
