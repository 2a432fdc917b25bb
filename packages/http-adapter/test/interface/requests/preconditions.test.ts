import { describe, expect, test } from 'vitest';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createWrites } from '../writes.ts';

onEveryStore('Decisions: Bodies and headers', (clinic) => {
  const { put, post, mark, record } = createWrites(clinic);
  const get = (path: string) => clinic().get(path);

  describe('`If-Unmodified-Since` that is not an HTTP-date is ignored, as RFC 9110 requires', () => {
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
      expectError(await put({}, { headers: { 'if-unmodified-since': time } }), 412);
    });
  });

  test('`If-Unmodified-Since` beside an `If-Match` is always ignored', async () => {
    const { etag = '' } = (await get('/CareTeam/amy')).headers;
    const earlier = { 'if-unmodified-since': 'Sun, 01 Mar 2020 08:00:00 GMT' };
    const later = { 'if-unmodified-since': 'Fri, 01 Mar 2030 08:00:00 GMT' };
    for (const ifMatch of [etag, '*']) {
      expectNullBody(await put({}, { headers: { ...earlier, 'if-match': ifMatch } }), 200);
    }
    expectError(await put({}, { headers: { ...later, 'if-match': 'W/"99"' } }), 412);
    expectError(await put({}, { headers: { ...later, 'if-match': '' } }), 400);
  });

  describe('A malformed `If-Match` is a 400, never ignored', () => {
    test.each([
      ...['1', 'W/1', 'abc', 'w/"1"', '"a b"', '"1', '"1" "2"', '"1""2"', '"a", 1', '*, "1"'],
      ...['', ' ', ',', ' , ,'],
    ])('%j', async (ifMatch) => {
      expectError(await put({}, { headers: { 'if-match': ifMatch } }), 400);
    });
    test('while a star matches any version', async () => {
      for (const ifMatch of ['*', ' * ']) {
        expectNullBody(await put({}, { headers: { 'if-match': ifMatch } }), 200);
      }
    });
    test('and an empty element of a list is not a fault', async () => {
      const { etag } = (await get('/CareTeam/amy')).headers;
      for (const ifMatch of [`${etag},`, `,${etag}`, ` ,\t, ${etag} ,, "x"`]) {
        expect([ifMatch, (await put({}, { headers: { 'if-match': ifMatch } })).status]).toEqual([
          ifMatch,
          200,
        ]);
      }
    });
  });

  describe('an ETag that this interface never returns matches no version', () => {
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
      expectError(await put({}, { headers: { 'if-match': tag } }), 412);
      const { etag } = (await get('/CareTeam/amy')).headers;
      expectNullBody(await put({}, { headers: { 'if-match': `${tag}, ${etag}` } }), 200);
    });
    test('even if one looks like two', async () => {
      const { etag = '' } = (await get('/CareTeam/amy')).headers;
      expectError(await put({}, { headers: { 'if-match': `"a,${etag.slice(3, -1)},b"` } }), 412);
    });
  });

  test('Immunization PUT obeys both headers, too', async () => {
    await record();
    const before = await get('/Immunization/shot');
    const earlier = new Date(Date.parse(before.headers['last-modified'] ?? '') - 1_000).toUTCString();
    expectError(await mark({ headers: { 'if-unmodified-since': earlier } }), 412);
    expectError(await mark({ headers: { 'if-match': 'W/"2"' } }), 412);
    expect(await get('/Immunization/shot')).toEqual(before);
    const met = {
      'if-unmodified-since': before.headers['last-modified'] ?? '',
      'if-match': before.headers.etag ?? '',
    };
    expectNullBody(await mark({ headers: met }), 200);
  });

  test('No other request does', async () => {
    for (const ifMatch of ['W/"9"', 'malformed']) {
      const headers = { 'if-match': ifMatch, 'if-unmodified-since': 'Sun, 01 Mar 2020 08:00:00 GMT' };
      expectNullBody(await post({}, { headers }), 201);
      expect((await clinic().get('/CareTeam/amy', { headers })).status).toBe(200);
    }
  });

  describe('A PUT or a POST with `If-None-Match`, or any but the POST of an immunization with `If-None-Exist`, is a 400', () => {
    test.each([{ 'if-none-match': '*' }, { 'if-none-match': 'W/"9"' }, { 'if-none-exist': 'patient=amy' }])(
      '%j',
      async (headers) => {
        const paths = ['/CareTeam/amy', '/Immunization?patient=amy'];
        const before = await Promise.all(paths.map((path) => get(path)));
        expectError(await put({}, { headers }), 400);
        expectError(await post({}, { headers }), 400);
        expectError(await clinic().put('/CareTeam/amy.inactive', {}, { headers }), 400);
        expect(await Promise.all(paths.map((path) => get(path)))).toEqual(before);
        expect((await clinic().get('/Immunization?patient=amy', { headers })).status).toBe(200);
      },
    );
  });
});
