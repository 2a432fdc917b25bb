import { describe, expect, test } from 'vitest';
import { expectNullBody, expectRefused, idsOf } from '../answers.ts';
import {
  ada,
  goal,
  immunizationStatement,
  immunize,
  inError,
  lab,
  labOrder,
  lead,
  participant,
  statement,
} from '../builders.ts';
import { nurse, type Sent } from '../clinic.ts';
import { expectFirstToCount } from '../sent-twice.ts';
import { onEveryStore } from '../stores.ts';
import { types } from './endpoints.ts';

const representation = { headers: { prefer: 'return=representation' } };

onEveryStore('Decisions: Bodies and headers', (clinic) => {
  const put = (fields: object = {}, sent: Sent = {}) =>
    clinic().put('/CareTeam/amy', { id: 'amy', ...fields }, sent);
  const post = (fields: object = {}, sent: Sent = {}) =>
    clinic().post('/Immunization', statement(fields), sent);
  const mark = (sent: Sent = {}) => clinic().put('/Immunization/shot', inError(), sent);
  const record = () => clinic().record(immunizationStatement());
  const get = (path: string) => clinic().get(path);

  test('A "null body" is the four bytes `null`, `content-type: application/json`', async () => {
    await record();
    expectNullBody(await put(), 200);
    expectNullBody(await post(), 201);
    expectNullBody(await mark(), 200);
  });

  describe('`Prefer: return=representation` answers with the resource instead', () => {
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
    test('among other preferences', async () => {
      const { json } = await put(
        {},
        { headers: { prefer: 'handling=lenient, return="representation"; x=y' } },
      );
      expect(json.resourceType).toBe('CareTeam');
    });
  });

  test('Immunization PUT succeeds with 200. Marking what is already entered-in-error again is 200 and changes nothing', async () => {
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

  describe('Reads carry `ETag: W/"<version>"` and `Last-Modified`', () => {
    test.each(['ServiceRequest', 'Goal', 'Immunization'])('%s', async (type) => {
      const commands = {
        ServiceRequest: labOrder({ id: 'one' }),
        Goal: goal({ id: 'one' }),
        Immunization: immunize({ id: 'one' }),
      };
      clinic().clock.at('2026-03-05T10:00:00.900Z');
      const { id } = await clinic().record(commands[type as keyof typeof commands]);
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
    test('and what a write made can be matched next', async () => {
      const { etag = '' } = (await put({ participant: [ada] })).headers;
      expect((await get('/CareTeam/amy')).headers.etag).toBe(etag);
      expectNullBody(await put({}, { headers: { 'if-match': etag } }), 200);
    });
  });

  describe('No cache keeps an answer: all but `openapi.json` carry `Cache-Control: no-store`, errors too', () => {
    test.each<[status: number, method: string, path: string, sent?: Sent]>([
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

  describe('`application/json` and `application/fhir+json` are both taken and both offered', () => {
    test.each([
      ...['application/json', 'application/fhir+json', 'Application/FHIR+JSON; charset=UTF-8'],
      'application/json; charset="utf-8"',
    ])('taken: %s', async (type) => {
      expectNullBody(await put({}, { headers: { 'content-type': type } }), 200);
    });
    test.each([
      ['application/json', 'application/json'],
      ['application/fhir+json', 'application/fhir+json'],
      ['', 'application/json'],
      ['*/*', 'application/json'],
      ['text/html, application/*;q=0.5', 'application/json'],
      ['application/json;q=0.5, application/fhir+json', 'application/fhir+json'],
      ['application/fhir+json; fhirVersion=4.0', 'application/fhir+json'],
    ])('offered: %s', async (accept, type) => {
      for (const [path, expected] of [
        ['/CareTeam/amy', 200],
        ['/CareTeam', 200],
        ['/CareTeam/none', 404],
      ] as const) {
        const { status, headers } = await clinic().get(path, { headers: { accept } });
        expect([status, headers['content-type']]).toEqual([expected, type]);
      }
    });
  });

  test('References carry `type` in every answer', async () => {
    await clinic().record(labOrder({ reasonConditionIds: ['c'] }));
    await clinic().record(goal({ progress: 'x' }));
    await record();
    await put({ participant: [ada, lab] });
    const references: { reference: string; type?: string }[] = [];
    const gather = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('reference' in value) references.push(value as { reference: string });
      for (const part of Object.values(value)) gather(part);
    };
    for (const type of types) gather((await get(`/${type}`)).json);
    expect(references).toHaveLength(12);
    for (const { reference, type } of references) expect(type).toBe(reference.split('/')[0]);
  });

  test('a `type` sent that contradicts the reference is a 400', async () => {
    expectRefused(
      await put({
        participant: [{ ...ada, member: { reference: 'Practitioner/ada', type: 'Organization' } }],
      }),
      400,
      'CareTeam.participant[0].member.type',
    );
    expectRefused(
      await post({ patient: { reference: 'Patient/amy', type: 'Group' } }),
      400,
      'Immunization.patient.type',
    );
  });

  test('A search for a patient who does not exist is an empty bundle, not an error', async () => {
    for (const type of types) {
      expect(idsOf(await get(`/${type}?patient=Patient/nobody`))).toEqual([]);
    }
  });

  describe('Elements that FHIR R4 defines and the interface does not store are accepted and dropped; with `Prefer: handling=strict` they are a 400', () => {
    const team = {
      meta: { versionId: '1' },
      category: [],
      participant: [{ ...ada, period: { start: '2026' } }],
    };
    const shot = {
      lotNumber: '7',
      vaccineCode: { text: 'Flu', coding: [{ system: 'unstructured', code: 'a', version: '1' }] },
    };
    test('CareTeam', async () => {
      const strict = await put(team, { headers: { prefer: 'handling=strict' } });
      expectRefused(
        strict,
        400,
        ...['participant[0].period', 'meta', 'category'].map((it) => `CareTeam.${it}`),
      );
      expectNullBody(await put(team), 200);
      expect(Object.keys((await get('/CareTeam/amy')).json.participant[0])).toEqual([
        'extension',
        'role',
        'member',
      ]);
    });
    test('Immunization', async () => {
      const strict = await post(shot, { headers: { prefer: 'handling=strict' } });
      const expected = ['vaccineCode.coding[0].version', 'vaccineCode.text', 'lotNumber'];
      expectRefused(strict, 400, ...expected.map((it) => `Immunization.${it}`));
      const { json } = await post(shot, representation);
      expect(json.vaccineCode).toEqual({ coding: [{ system: 'unstructured', code: 'a' }] });
      expect(json).not.toHaveProperty('lotNumber');
    });
  });

  test('Names that FHIR does not define are always a 400, so that a misspelt element is never lost in silence; within an element that is dropped, they go with it', async () => {
    for (const prefer of ['handling=lenient', 'handling=strict']) {
      expectRefused(
        await put({ participants: [ada] }, { headers: { prefer } }),
        400,
        'CareTeam.participants',
      );
      expectRefused(await post({ encounters: [] }, { headers: { prefer } }), 400, 'Immunization.encounters');
    }
    const nested = { ...participant('Practitioner/bob', nurse, lead(true)), roles: [] };
    expectRefused(await put({ participant: [nested] }), 400, 'CareTeam.participant[0].roles');
    expectNullBody(await post({ performer: [{ actors: {} }] }), 201);
  });

  test('An optional element sent as an empty array is as if it had been left out; a required one is a 400', async () => {
    const lab = { member: { reference: 'Organization/lab' } };
    expectNullBody(await put({ participant: [lab] }), 200);
    const before = await get('/CareTeam/amy');
    expectNullBody(await put({ participant: [{ ...lab, role: [], extension: [] }] }), 200);
    expect(await get('/CareTeam/amy')).toEqual(before);
    expectNullBody(await post({ extension: [], note: [] }), 201);
    expectRefused(await put({ participant: [{ ...ada, role: [] }] }), 400, 'CareTeam.participant[0].role');
    expectRefused(await post({ vaccineCode: { coding: [] } }), 400, 'Immunization.vaccineCode.coding');
  });

  describe('An array that is stored has at most 1,000 elements; more is a 400, and they are not looked into', () => {
    const empty = (count: number) => Array.from({ length: count }, () => ({}));
    const notes = (count: number) => Array.from({ length: count }, () => ({ text: 'Seen.' }));
    test('of participants', async () => {
      expectRefused(await put({ participant: empty(1001) }), 400, 'CareTeam.participant');
    });
    test('of roles, and of the codings of one', async () => {
      const member = { reference: 'Organization/lab' };
      const sent = [
        { member, role: empty(1001) },
        { member, role: [{ coding: empty(1001) }] },
      ];
      expectRefused(
        await put({ participant: sent }),
        400,
        'CareTeam.participant[0].role',
        'CareTeam.participant[1].role[0].coding',
      );
    });
    test('of codings and notes of an immunization', async () => {
      const statusReason = { coding: empty(1001) };
      expectRefused(
        await post({ vaccineCode: { coding: empty(1001) }, statusReason, note: empty(1001) }),
        400,
        'Immunization.statusReason.coding',
        'Immunization.vaccineCode.coding',
        'Immunization.note',
      );
      expectRefused(await post({ note: notes(1001) }), 400, 'Immunization.note');
      expectNullBody(await post({ note: notes(1000) }), 201);
    });
  });

  test('So is a body whose arrays have more than 5,000 together', async () => {
    const participantsWith = (roles: number, codings: number) => {
      const coding = Array.from({ length: codings }, () => ({}));
      return [{ ...ada, role: Array.from({ length: roles }, () => ({ coding })) }];
    };
    expectRefused(await put({ participant: participantsWith(90, 900) }), 400, 'CareTeam');
    expectRefused(await put({ participant: participantsWith(5, 999) }), 400, 'CareTeam');
    const { status, json } = await put({ participant: participantsWith(5, 998) });
    expect(status).toBe(400);
    expect(json.issue[0].expression).toEqual(['CareTeam.participant[0].role[0].coding[0].system']);
  });

  describe('`If-Unmodified-Since` that is no HTTP-date is ignored, as RFC 9110 demands', () => {
    test.each([
      ...['2020-01-01', 'yesterday', 'Sun, 01 Mar 2020 08:00:00 +0100', '', '0'],
      ...['Sun, 30 Feb 2020 08:00:00 GMT', 'Sun, 01 Mar 2020 24:00:00 GMT'],
    ])('%s', async (time) => {
      expectNullBody(await put({}, { headers: { 'if-unmodified-since': time } }), 200);
    });
    test.each([
      'Sun, 01 Mar 2020 08:00:00 GMT',
      'Sunday, 01-Mar-20 08:00:00 GMT',
      'Sun Mar  1 08:00:00 2020',
    ])('but not %s', async (time) => {
      expectRefused(await put({}, { headers: { 'if-unmodified-since': time } }), 412);
    });
  });

  test('so is one beside an `If-Match`, whatever that says', async () => {
    const { etag = '' } = (await get('/CareTeam/amy')).headers;
    const earlier = { 'if-unmodified-since': 'Sun, 01 Mar 2020 08:00:00 GMT' };
    const later = { 'if-unmodified-since': 'Fri, 01 Mar 2030 08:00:00 GMT' };
    for (const ifMatch of [etag, '*']) {
      expectNullBody(await put({}, { headers: { ...earlier, 'if-match': ifMatch } }), 200);
    }
    expectRefused(await put({}, { headers: { ...later, 'if-match': 'W/"99"' } }), 412);
    expectRefused(await put({}, { headers: { ...later, 'if-match': '' } }), 400);
  });

  describe('an `If-Match` that is malformed is a 400, never dropped', () => {
    test.each([
      ...['1', 'W/1', 'abc', 'w/"1"', '"a b"', '"1', '"1" "2"', '"1""2"', '"a", 1', '*, "1"'],
      ...['', ' ', ',', ' , ,'],
    ])('%j', async (ifMatch) => {
      expectRefused(await put({}, { headers: { 'if-match': ifMatch } }), 400);
    });
    test('while a star is met by any version', async () => {
      expectNullBody(await put({}, { headers: { 'if-match': '*' } }), 200);
    });
    test('and an empty element of a list is no fault', async () => {
      const { etag } = (await get('/CareTeam/amy')).headers;
      for (const ifMatch of [`${etag},`, `,${etag}`, ` ,\t, ${etag} ,, "x"`]) {
        expect([ifMatch, (await put({}, { headers: { 'if-match': ifMatch } })).status]).toEqual([
          ifMatch,
          200,
        ]);
      }
    });
  });

  describe('an ETag that this interface does not give names no version', () => {
    test.each([
      '"other"',
      'W/""',
      '"a,b"',
      '"\\"',
      '"\u00e9"',
      'W/"01"',
      'W/"0"',
      'W/"1e0"',
      `"${'9'.repeat(30)}"`,
    ])('%j', async (tag) => {
      expectRefused(await put({}, { headers: { 'if-match': tag } }), 412);
      const { etag } = (await get('/CareTeam/amy')).headers;
      expectNullBody(await put({}, { headers: { 'if-match': `${tag}, ${etag}` } }), 200);
    });
    test('however much one looks like two', async () => {
      const { etag = '' } = (await get('/CareTeam/amy')).headers;
      expectRefused(await put({}, { headers: { 'if-match': `"a,${etag.slice(3, -1)},b"` } }), 412);
    });
  });

  test('Immunization PUT heeds both, too', async () => {
    await record();
    const before = await get('/Immunization/shot');
    const earlier = new Date(Date.parse(before.headers['last-modified'] ?? '') - 1_000).toUTCString();
    expectRefused(await mark({ headers: { 'if-unmodified-since': earlier } }), 412);
    expectRefused(await mark({ headers: { 'if-match': 'W/"2"' } }), 412);
    expect(await get('/Immunization/shot')).toEqual(before);
    const met = {
      'if-unmodified-since': before.headers['last-modified'] ?? '',
      'if-match': before.headers.etag ?? '',
    };
    expectNullBody(await mark({ headers: met }), 200);
  });

  describe('A PUT or a POST with `If-None-Match` or `If-None-Exist`, which are not checked here, is a 400', () => {
    test.each([{ 'if-none-match': '*' }, { 'if-none-match': 'W/"9"' }, { 'if-none-exist': 'patient=amy' }])(
      '%j',
      async (headers) => {
        const paths = ['/CareTeam/amy', '/Immunization?patient=amy'];
        const before = await Promise.all(paths.map((path) => get(path)));
        expectRefused(await put({}, { headers }), 400);
        expectRefused(await post({}, { headers }), 400);
        expectRefused(await clinic().put('/CareTeam/amy.inactive', {}, { headers }), 400);
        expect(await Promise.all(paths.map((path) => get(path)))).toEqual(before);
        expect((await clinic().get('/CareTeam/amy', { headers })).status).toBe(200);
      },
    );
  });

  test('Of `Authorization`, `Content-Type` and `If-Unmodified-Since`, which have one value, the first counts where they were sent twice', async () => {
    const request = { method: 'PUT', url: '/fhir/CareTeam/amy', body: '{"id":"amy"}' };
    await expectFirstToCount((headers) => clinic().handler({ ...request, headers }));
  });

  test('so does the first of a preference', async () => {
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

  test('HEAD is answered as GET', async () => {
    for (const path of ['/CareTeam/amy', '/CareTeam', '/Goal/none']) {
      expect(await clinic().send('HEAD', path)).toEqual(await get(path));
    }
  });
});
