import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import {
  ada,
  enteredInError,
  goal,
  immunizationStatement,
  immunize,
  lab,
  labOrder,
  oneCommandOfEach,
  statement,
  team,
} from '../../builders.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('What the service does', (clinic) => {
  describe.each(resourceTypes)('%s', (type) => {
    test('Each resource has a read operation and a search operation that returns a Bundle', async () => {
      for (const command of oneCommandOfEach({ id: 'amy' })) await clinic().record(command);
      const read = await clinic().get(`/${type}/amy`);
      expect([read.status, read.json.resourceType, read.json.id]).toEqual([200, type, 'amy']);
      const found = await clinic().get(`/${type}?patient=amy`);
      expect([found.status, found.json.resourceType]).toEqual([200, 'Bundle']);
      expect(found.json.entry).toEqual([{ resource: read.json, search: { mode: 'match' } }]);
    });
  });

  const writes = [
    ['POST', (type: string) => `/${type}`],
    ['PUT', (type: string) => `/${type}/amy`],
    ['PATCH', (type: string) => `/${type}/amy`],
    ['DELETE', (type: string) => `/${type}/amy`],
  ] as const;
  const supported = async (type: string) => {
    const methods: string[] = [];
    for (const [method, path] of writes) {
      const { status, headers } = await clinic().send(method, path(type), { body: {} });
      if (status !== 405 || headers.allow?.includes(method)) methods.push(method);
    }
    return methods;
  };
  test('ServiceRequest (read-only): ServiceRequest | read, search (orders for imaging, laboratory work and referrals): every write is refused', async () => {
    expect(await supported('ServiceRequest')).toEqual([]);
  });
  test('Goal (read-only): Goal | read, search (patient goals): every write is refused', async () => {
    expect(await supported('Goal')).toEqual([]);
  });
  test('Some resources also have write operations: CareTeam | read, search, update (the update acts as an upsert; there is no create)', async () => {
    expect(await supported('CareTeam')).toEqual(['PUT']);
  });
  describe('Some resources also have write operations: Immunization | create, read, update (only to mark a record entered-in-error), search', () => {
    test('and no others', async () => {
      expect(await supported('Immunization')).toEqual(['POST', 'PUT']);
    });
    test.each(['completed', 'not-done'])('refused: an update to %s', async (status) => {
      await clinic().record(immunizationStatement());
      const body = enteredInError('shot', { status });
      expectError(await clinic().put('/Immunization/shot', body), 405, 'Immunization.status');
    });
  });

  describe('Send the header `accept: application/json`', () => {
    test.each(['text/html', 'application/xml', 'application/json;q=0'])('refused: %s', async (accept) => {
      expectError(await clinic().get('/Goal', { headers: { accept } }), 406);
    });
  });

  describe('Bodies on writes use `content-type: application/json`', () => {
    test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonp'])(
      'refused: %s',
      async (type) => {
        const headers = { 'content-type': type };
        expectError(await clinic().put('/CareTeam/amy', team(ada), { headers }), 415);
        expectError(await clinic().post('/Immunization', statement(), { headers }), 415);
        expectError(await clinic().put('/Immunization/shot', enteredInError(), { headers }), 415);
      },
    );
  });

  test('Every request and response body is JSON. Send the header `accept: application/json`. Bodies on writes use `content-type: application/json`', async () => {
    for (const [method, path, body] of [
      ['GET', '/Goal', undefined],
      ['GET', '/Goal/none', undefined],
      ['PUT', '/CareTeam/amy', { id: 'amy' }],
      ['POST', '/Immunization', statement()],
      ['DELETE', '/Goal', undefined],
    ] as const) {
      const headers = { accept: 'application/json', 'content-type': 'application/json' };
      const answer = await clinic().send(method, path, { body, headers });
      expect(answer.headers['content-type']).toBe('application/json');
      expect(JSON.stringify(answer.json)).toBe(answer.text);
    }
  });

  test('Resource references are strings of the form `<ResourceType>/<id>`', async () => {
    await clinic().record(labOrder({ requesterId: 'ada', reasonConditionIds: ['anemia'] }));
    await clinic().record(goal({ progress: 'x' }));
    await clinic().record(immunize());
    await clinic().put('/CareTeam/amy', team(ada, lab));
    const texts = await Promise.all(
      resourceTypes.map(async (type) => (await clinic().get(`/${type}?patient=amy`)).text),
    );
    const references = Array.from(
      texts.join().matchAll(/"reference":("[^"]*"|[^"])/g),
      ([, one = '']) => one,
    );
    expect(new Set(references)).toEqual(
      new Set(
        [
          'Patient/amy',
          'Practitioner/ada',
          'Organization/lab',
          'Encounter/visit-amy',
          'Condition/anemia',
        ].map((reference) => JSON.stringify(reference)),
      ),
    );
  });

  test('The full extension URLs are {extension_base}/careteam-lead and {extension_base}/note-id', async () => {
    await clinic().record(immunize());
    await clinic().put('/CareTeam/amy', team(ada));
    const { participant } = (await clinic().get('/CareTeam/amy')).json;
    const { extension } = (await clinic().get('/Immunization/shot')).json;
    expect([participant[0].extension[0].url, extension[0].url]).toEqual([
      'https://clinic.example/fhir/extensions/careteam-lead',
      'https://clinic.example/fhir/extensions/note-id',
    ]);
  });

  test("Immunization records created through the API are stored as Immunization Statement commands on the patient's chart", async () => {
    const created = await clinic().post('/Immunization', statement(), {
      headers: { prefer: 'return=representation' },
    });
    const id = `Immunization/${created.json.id}/0`;
    expect(await clinic().enterInError(id)).toMatchObject({
      id,
      kind: 'immunizationStatement',
      status: 'entered-in-error',
      patientId: 'amy',
      resourceType: 'Immunization',
      resourceId: created.json.id,
    });
  });

  test('No version segment appears in paths', async () => {
    expect((await clinic().get('/Goal')).status).toBe(200);
    for (const path of ['/v1/Goal', '/R4/Goal', '/4_0/Goal', '/Goal/x/_history', '/Condition/amy', '/v1']) {
      expect((await clinic().get(path)).status).toBe(404);
    }
  });
});
