import { resourceTypes } from '@clinical-records/core/adapter';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  enteredInError,
  goal,
  immunizationStatement,
  lab,
  labOrder,
  team,
} from '../../builders.ts';
import { createHandler, createSender, type ParsedResponse } from '../../clinic.ts';
import { cursorOf, expectError, expectNotFound, linkOf, membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

type Version = { readonly meta: { readonly versionId: string; readonly lastUpdated: string } };
type Entry = { readonly resource: Version & { readonly id: string } };

const versionsIn = ({ json }: ParsedResponse): readonly string[] =>
  (json.entry ?? []).map(({ resource }: Entry) => resource.meta.versionId);

onEveryStore('Decisions: The past', (clinic) => {
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    clinic().get(`/${path}`, { headers });
  const putTeam = (...participants: object[]) => clinic().put('/CareTeam/amy', team(...participants));
  const update = (progress: string) => clinic().record({ kind: 'updateGoal', goalId: 'amy', progress });

  /** Three versions of a resource of each type, of which each is returned by a read before the next is written. */
  const writeVersions = async () => {
    const read = new Map<string, ParsedResponse[]>(resourceTypes.map((type) => [type, []]));
    const readAll = async (types: readonly string[] = resourceTypes) => {
      for (const type of types) read.get(type)?.push(await get(`${type}/amy`));
    };
    await clinic().record(goal({ id: 'amy' }));
    await clinic().record(immunizationStatement({ id: 'amy' }));
    const order = await clinic().stage(labOrder({ id: 'amy' }));
    await readAll();
    await update('One mile');
    await clinic().commit(order.id);
    await putTeam(ada);
    await clinic().put('/Immunization/amy', enteredInError('amy'));
    await readAll();
    await update('Two miles');
    await clinic().completeOrder(order.id);
    await putTeam(bob, lab);
    await readAll(['Goal', 'ServiceRequest', 'CareTeam']);
    return read;
  };

  describe('Each version of a resource is read as it was returned at its time', () => {
    test.each(resourceTypes)('%s', async (type) => {
      const versions = (await writeVersions()).get(type) ?? [];
      for (const [at, before] of versions.entries()) {
        const { status, headers, json } = await get(`${type}/amy/_history/${at + 1}`);
        expect([status, json]).toEqual([200, before.json]);
        expect(headers.etag).toBe(before.headers.etag);
        expect(headers.etag).toBe(`W/"${json.meta.versionId}"`);
      }
      const bundle = (await get(`${type}/amy/_history`)).json;
      expect(bundle.entry.map(({ resource }: Entry) => resource)).toEqual(
        versions.map(({ json }) => json).toReversed(),
      );
    });
  });

  test('A history lists the versions, newest first, each with the request and the response that FHIR has for it', async () => {
    await clinic().record(goal({ id: 'amy' }));
    await update('One mile');
    const { status, json } = await get('Goal/amy/_history');
    const page = '../../Goal/amy/_history?_count=10&_offset=0';
    const [newest, oldest] = json.entry.map(({ resource }: Entry) => resource);
    expect([newest.note[0].text, oldest.note]).toEqual(['One mile', undefined]);
    const response = { status: '200', etag: 'W/"2"', lastModified: newest.meta.lastUpdated };
    expect([status, json]).toEqual([
      200,
      {
        resourceType: 'Bundle',
        type: 'history',
        total: 2,
        link: ['self', 'first', 'last'].map((relation) => ({ relation, url: page })),
        entry: [
          { resource: newest, request: { method: 'PUT', url: 'Goal/amy' }, response },
          {
            resource: oldest,
            request: { method: 'POST', url: 'Goal' },
            response: { status: '201', etag: 'W/"1"', lastModified: oldest.meta.lastUpdated },
          },
        ],
      },
    ]);
  });

  describe('Its pages are like those of a search, and repeat no version that is written meanwhile', () => {
    test('from link to link', async () => {
      await clinic().record(goal({ id: 'amy' }));
      for (const progress of ['a', 'b', 'c', 'd']) await update(progress);
      const walked: string[] = [];
      let url: string | undefined = '../../Goal/amy/_history?_count=2&_offset=0';
      while (url !== undefined) {
        const { pathname, search } = new URL(url, 'https://clinic.example/fhir/Goal/amy/_history');
        const page = await get(`${pathname.replace('/fhir/', '')}${search}`);
        expect(page.json.total).toBe(5 + Math.ceil(walked.length / 2));
        walked.push(...versionsIn(page));
        url = linkOf(page, 'next');
        await update('meanwhile');
      }
      expect(walked).toEqual(['5', '4', '3', '2', '1']);
    });
    test('by offset, and without entries', async () => {
      await clinic().record(goal({ id: 'amy' }));
      await update('a');
      expect(versionsIn(await get('Goal/amy/_history?_count=1&_offset=1'))).toEqual(['1']);
      const { json } = await get('Goal/amy/_history?_count=0');
      expect([json.total, 'entry' in json]).toEqual([2, false]);
    });
    test('an `_after` of a search is refused', async () => {
      await clinic().record(goal({ id: 'amy' }));
      const after = cursorOf('amy');
      expectError(await get(`Goal/amy/_history?_after=${after}`), 400, 'http._after');
    });
  });

  describe('`_since` leaves out the versions before a time; other parameters are a 400', () => {
    beforeEach(async () => {
      clinic().clock.at('2026-03-05T10:00:00.000Z');
      await clinic().record(goal({ id: 'amy' }));
      clinic().clock.at('2026-03-06T10:00:00.000Z');
      await update('a');
    });
    test.each([
      ['2026-03-05T10:00:01.000Z', 2],
      ['2026-03-05T10:00:01.001Z', 1],
      ['2026-03-06', 1],
      ['2026', 2],
      ['2026-03-07', 0],
    ])('%s: %i', async (since, total) => {
      const { json } = await get(`Goal/amy/_history?_since=${since}`);
      expect([json.total, json.entry?.length ?? 0]).toEqual([total, total]);
      expect(json.link[0].url).toContain(`_since=${encodeURIComponent(since)}`);
    });
    test('a plus sign that is not encoded means a space, and still stands for an offset', async () => {
      expect((await get('Goal/amy/_history?_since=2026-03-05T12:00:01.001+02:00')).json.total).toBe(1);
    });
    test.each(['ge2026', 'x', ''])('not %j', async (since) => {
      expectError(await get(`Goal/amy/_history?_since=${since}`), 400, 'http._since');
    });
    test('unknown parameters', async () => {
      expectError(await get('Goal/amy/_history?_at=2026'), 400, 'http._at');
      const lenient = { prefer: 'handling=lenient' };
      expectError(await get('Goal/amy/_history?_at=2026', lenient), 400, 'http._at');
      for (const query of ['_since=2026&_at=2026', '_sort=_lastUpdated']) {
        expect(versionsIn(await get(`Goal/amy/_history?${query}`, lenient))).toEqual(['2', '1']);
      }
    });
  });

  describe('A version that is not there is a 404, never a 410', () => {
    test.each([
      ['Goal', 'amy/_history/2', 'amy/_history/2'],
      ['CareTeam', 'amy.inactive/_history/9', 'amy.inactive/_history/9'],
      ['Goal', 'nobody/_history/1', 'nobody'],
      ['Goal', 'nobody/_history', 'nobody'],
    ])('%s/%s', async (type, path, id) => {
      await clinic().record(goal({ id: 'amy' }));
      expectNotFound(await get(`${type}/${path}`), type, id);
    });
    test.each(['Goal/amy/_history/0', 'Goal/amy/_history/x', 'Goal/amy/_history/1/2'])(
      '%s, at which there is no path',
      async (path) => {
        await clinic().record(goal({ id: 'amy' }));
        expectError(await get(path), 404);
      },
    );
    test('what is entered in error can be read, now and as it was', async () => {
      await clinic().record(immunizationStatement({ id: 'amy' }));
      await clinic().put('/Immunization/amy', enteredInError('amy'));
      const [newest, oldest] = (await get('Immunization/amy/_history')).json.entry;
      expect([newest.resource.status, oldest.resource.status]).toEqual(['entered-in-error', 'completed']);
    });
  });

  describe('A version at which there was nothing to read, such as a staged goal, is not there', () => {
    test('in a history, and by itself', async () => {
      const staged = await clinic().stage(goal({ id: 'amy' }));
      expectNotFound(await get('Goal/amy/_history'), 'Goal', 'amy');
      await clinic().commit(staged.id);
      const { json } = await get('Goal/amy/_history');
      expect([json.total, json.entry.length, json.entry[0].request.method]).toEqual([1, 1, 'POST']);
      expectNotFound(await get('Goal/amy/_history/1'), 'Goal', 'amy/_history/1');
      expect((await get('Goal/amy/_history/2')).status).toBe(200);
    });
  });

  describe('Each status of a care team has its own versions', () => {
    test('each shows who had the status then, also if it was nobody', async () => {
      await putTeam(ada, bob);
      await putTeam(bob);
      await putTeam(ada, bob);
      await putTeam(ada);
      const history = (await get('CareTeam/amy.inactive/_history')).json;
      const members = history.entry.map(({ resource }: { resource: Parameters<typeof membersOf>[0] }) =>
        membersOf(resource),
      );
      expect(versionsIn({ json: history } as ParsedResponse)).toEqual(['3', '2', '1']);
      expect(members).toEqual([['Practitioner/bob'], [], ['Practitioner/ada']]);
      for (const { resource } of history.entry) {
        const { json } = await get(`CareTeam/amy.inactive/_history/${resource.meta.versionId}`);
        expect(json).toEqual(resource);
      }
    });
    test('the version in a search is that of a read', async () => {
      await putTeam(ada, bob);
      await putTeam(ada);
      await putTeam(ada, lab);
      const { json } = await get('CareTeam?patient=amy');
      expect(json.entry.map(({ resource }: Entry) => resource.id)).toEqual(['amy', 'amy.inactive']);
      for (const { resource } of json.entry) {
        const read = await get(`CareTeam/${resource.id}`);
        const etag = resource.id === 'amy' ? 'W/"4"' : 'W/"1"';
        expect([resource, read.headers.etag]).toEqual([read.json, etag]);
      }
    });
    test('with the name that the patient had then', async () => {
      await putTeam(ada);
      await putTeam();
      await putTeam(ada);
      await clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' });
      const names = (await get('CareTeam/amy.inactive/_history')).json.entry.map(
        ({ resource }: { resource: { name: string } }) => resource.name,
      );
      expect(names).toEqual(['Care Team for Lee, Amy', 'Care Team for Shaw, Amy', 'Care Team for Shaw, Amy']);
    });
    test('none, if nobody was ever in the status', async () => {
      const { status, json } = await get('CareTeam/amy.suspended/_history');
      expect([status, json.total, json.entry]).toEqual([200, 0, undefined]);
      expectNotFound(await get('CareTeam/nobody.suspended/_history'), 'CareTeam', 'nobody.suspended');
    });
  });

  describe('Scopes and charts limit the past like the present', () => {
    test('a scope to read is needed, and enough', async () => {
      await clinic().record(goal({ id: 'amy' }));
      for (const path of ['Goal/amy/_history', 'Goal/amy/_history/1']) {
        expect((await clinic().get(`/${path}`, { token: 'reader' })).status).toBe(200);
        expectError(await clinic().get(`/${path}`, { token: 'none' }), 403);
        expectError(await clinic().get(`/${path}`, { token: null }), 401);
      }
    });
    test('another chart', async () => {
      await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
      for (const past of ['_history', '_history/1']) {
        expectNotFound(await clinic().get(`/Goal/bens/${past}`, { token: 'amy' }), 'Goal', 'bens');
        expectError(await clinic().get(`/CareTeam/ben/${past}`, { token: 'amy' }), 403);
        expectError(await clinic().get(`/CareTeam/nobody.inactive/${past}`, { token: 'amy' }), 403);
      }
    });
  });

  describe('`If-None-Match` on a read names the versions that the client has: for one of them, the response is a 304 without a body', () => {
    test.each([['Goal/amy'], ['Goal/amy/_history/1'], ['CareTeam/amy']])('%s', async (path) => {
      await clinic().record(goal({ id: 'amy' }));
      const { headers } = await get(path);
      const { etag = '', 'content-type': _, ...others } = headers;
      for (const sent of [etag, etag.slice(2), `W/"77", ${etag}`, '*', ' * ']) {
        const known = await get(path, { 'if-none-match': sent });
        expect([sent, known.status, known.text]).toEqual([sent, 304, '']);
        expect(known.headers).toEqual({ ...others, etag });
      }
    });
    test('another version, or a malformed list, is answered with the resource', async () => {
      const { text } = await get('CareTeam/amy');
      for (const sent of ['W/"2"', '1', '', 'x', 'W/"1']) {
        const answer = await get('CareTeam/amy', { 'if-none-match': sent });
        expect([sent, answer.status, answer.text]).toEqual([sent, 200, text]);
      }
    });
    test('nobody learns of a resource that they may not read', async () => {
      await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
      const headers = { 'if-none-match': '*' };
      expectError(await clinic().get('/Goal/bens', { token: 'none', headers }), 403);
      expectNotFound(await clinic().get('/Goal/bens', { token: 'amy', headers }), 'Goal', 'bens');
      expect((await clinic().get('/Goal', { headers })).status).toBe(200);
    });
  });

  describe("With `links: 'absolute'`, links are URLs that begin with `baseUrl`, and each entry has a `fullUrl`", () => {
    const base = 'https://clinic.example/r4';
    const send = (...sent: Parameters<ReturnType<typeof createSender>>) =>
      createSender(createHandler(clinic().records, { baseUrl: base, links: 'absolute' }))(...sent);
    beforeEach(async () => {
      for (const id of ['one', 'two']) await clinic().record(goal({ id }));
    });
    test('of a search', async () => {
      const { json } = await send('GET', '/Goal?_count=1');
      expect(json.link[0].url).toBe(`${base}/Goal?_count=1&_offset=0`);
      expect(json.entry[0].fullUrl).toBe(`${base}/Goal/one`);
      const posted = await send('POST', '/Goal/_search', { body: '_count=1' });
      expect(posted.json).toEqual(json);
    });
    test('of a history', async () => {
      const { json } = await send('GET', '/Goal/one/_history');
      expect(json.link[0].url).toBe(`${base}/Goal/one/_history?_count=10&_offset=0`);
      expect(json.entry[0].fullUrl).toBe(`${base}/Goal/one`);
    });
    test('with only a `baseUrl`, links are relative, and no entry has a `fullUrl`', async () => {
      const relative = createSender(createHandler(clinic().records, { baseUrl: base }));
      const { json } = await relative('GET', '/Goal?_count=1');
      expect(json.link[0].url).toBe('Goal?_count=1&_offset=0');
      expect(json.entry[0]).not.toHaveProperty('fullUrl');
    });
    test('without `baseUrl`, they are refused', () => {
      const create = () => createHandler(clinic().records, { links: 'absolute' });
      expect(create).toThrow("links: 'absolute' needs baseUrl: the URL with which the links begin.");
    });
    test('a misspelt value is refused', () => {
      const create = () => createHandler(clinic().records, { baseUrl: base, links: 'full' as 'absolute' });
      expect(create).toThrow('links must be relative or absolute.');
    });
  });
});
