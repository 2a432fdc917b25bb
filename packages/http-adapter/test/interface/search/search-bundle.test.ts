import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import { oneCommandOfEach } from '../../builders.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Search bundle', (clinic) => {
  const record = async (patientId: string, id: string) => {
    for (const command of oneCommandOfEach({ id, patientId })) await clinic().record(command);
  };
  const search = (path: string) => clinic().get(`/${path}`);

  test('the whole bundle of a search', async () => {
    await record('amy', 'one');
    const { json: resource } = await search('Goal/one');
    const answer = await search('Goal?patient=Patient/amy');
    const page = 'Goal?patient=Patient%2Famy&_count=10&_offset=0';
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        resourceType: 'Bundle',
        type: 'searchset',
        total: 1,
        link: [
          { relation: 'self', url: page },
          { relation: 'first', url: page },
          { relation: 'last', url: page },
        ],
        entry: [{ resource, search: { mode: 'match' } }],
      },
    ]);
  });

  describe('returned by every search', () => {
    test.each(resourceTypes)('%s', async (type) => {
      await record('amy', 'one');
      const { status, json } = await search(`${type}?patient=amy`);
      expect([status, json.resourceType, json.type, json.total]).toEqual([200, 'Bundle', 'searchset', 1]);
      expect(json.entry[0].resource.resourceType).toBe(type);
    });
  });

  test('resourceType | string | Bundle, and type | string | Always searchset, also where nothing matches', async () => {
    const { status, json } = await search('Goal?_id=none');
    expect([status, json.resourceType, json.type, json.total]).toEqual([200, 'Bundle', 'searchset', 0]);
    expect(json).not.toHaveProperty('entry');
  });

  test('total | integer | Number of resources matching the search, on the page or not', async () => {
    for (const id of ['one', 'two', 'three']) await record('amy', id);
    await record('ben', 'four');
    const { json } = await search('Goal?patient=amy&_count=2');
    expect([json.total, json.entry.length]).toEqual([3, 2]);
  });

  test('link | array of object | Pagination links: relation (enum self, first, next, last) and url (string, relative URL carrying `_count` and `_offset`)', async () => {
    for (const id of ['one', 'two', 'three', 'four', 'five']) await record('amy', id);
    const { json } = await search('Goal?_count=2&_offset=2');
    expect(json.link.map(({ relation }: { relation: string }) => relation)).toEqual([
      ...['self', 'first', 'next', 'last'],
    ]);
    const parameters = json.link.map(({ url }: { url: string }) => {
      expect(url).toMatch(/^Goal\?/);
      const { searchParams } = new URL(url, 'https://clinic.example/fhir/');
      return [searchParams.get('_count'), searchParams.get('_offset')];
    });
    expect(parameters).toEqual([
      ['2', '2'],
      ['2', '0'],
      ['2', '4'],
      ['2', '4'],
    ]);
  });

  describe('entry | array of object | Each has resource (object of the resource type), and the search mode', () => {
    test.each(resourceTypes)('%s', async (type) => {
      await record('amy', 'one');
      await record('ben', 'two');
      const { json } = await search(type);
      const ids = type === 'CareTeam' ? ['amy', 'ben'] : ['one', 'two'];
      const resources = await Promise.all(ids.map(async (id) => (await search(`${type}/${id}`)).json));
      expect(resources.map(({ resourceType }) => resourceType)).toEqual([type, type]);
      expect(json.entry).toEqual(resources.map((resource) => ({ resource, search: { mode: 'match' } })));
    });
  });

  describe('Each search returns 200 on success, and may return 400, 401, 403', () => {
    test.each(resourceTypes)('%s', async (type) => {
      expect((await search(type)).status).toBe(200);
      expectError(await search(`${type}?patient=Practitioner/ada`), 400, 'http.patient');
      expectError(await clinic().get(`/${type}`, { token: null }), 401);
      expectError(await clinic().get(`/${type}`, { token: 'none' }), 403);
    });
  });
});
