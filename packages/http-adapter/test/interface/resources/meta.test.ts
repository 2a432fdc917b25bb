import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import {
  ada,
  goal,
  immunizationStatement,
  lab,
  labOrder,
  oneCommandOfEach,
  statement,
  team,
} from '../../builders.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: The past', (clinic) => {
  const read = async (path: string) => (await clinic().get(`/${path}`)).json;

  describe('Each resource has `meta`, with the version of its ETag and the time at which that version was written', () => {
    test.each(resourceTypes)('%s, read, found and in the response to a write', async (type) => {
      clinic().clock.at('2026-03-05T10:00:00.250Z');
      for (const command of oneCommandOfEach({ id: 'amy' })) await clinic().record(command);
      await clinic().put('/CareTeam/amy', team(ada));
      const { json, headers } = await clinic().get(`/${type}/amy`);
      expect(headers.etag).toBe(`W/"${json.meta.versionId}"`);
      expect(json.meta.lastUpdated).toMatch(/^2026-03-05T10:00:\d\d\.250\+00:00$/);
      expect(new Date(json.meta.lastUpdated).toUTCString()).toBe(headers['last-modified']);
      expect(Object.keys(json).slice(0, 3)).toEqual(['resourceType', 'id', 'meta']);
      const [found] = (await read(`${type}?patient=amy`)).entry;
      expect(found.resource).toEqual(json);
    });
    test('in the response to a write', async () => {
      const sent = { headers: { prefer: 'return=representation' } };
      const updated = await clinic().put('/CareTeam/amy', team(ada), sent);
      expect([updated.json, updated.headers.etag]).toEqual([await read('CareTeam/amy'), 'W/"2"']);
      const created = await clinic().post('/Immunization', statement(), sent);
      expect(created.json).toEqual(await read(`Immunization/${created.json.id}`));
      const again = { headers: { ...sent.headers, 'idempotency-key': 'x' } };
      const first = await clinic().post('/Immunization', statement(), again);
      expect((await clinic().post('/Immunization', statement(), again)).json).toEqual(first.json);
      expect(first.json.meta.versionId).toBe('1');
    });
    test('of a team whose name changed, although no member did', async () => {
      await clinic().put('/CareTeam/amy', team(ada));
      const before = await clinic().get('/CareTeam/amy');
      clinic().clock.at('2026-04-01T00:00:00Z');
      await clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' });
      const after = await clinic().get('/CareTeam/amy');
      expect(after.json.meta.lastUpdated).toMatch(/^2026-04-01T/);
      expect(after.headers['last-modified']).toBe(before.headers['last-modified']);
    });
  });

  describe('`meta.profile` names the US Core profile of a resource that conforms to it', () => {
    const profileOf = async (path: string) => (await read(path)).meta.profile?.[0]?.split('/').at(-1);
    test('a goal and an order always do', async () => {
      await clinic().record(goal({ id: 'amy' }));
      await clinic().stage(labOrder({ id: 'amy' }));
      expect([await profileOf('Goal/amy'), await profileOf('ServiceRequest/amy')]).toEqual([
        'us-core-goal',
        'us-core-servicerequest',
      ]);
    });
    test('an immunization does with a code in CVX, and without a reason for not giving it', async () => {
      const unstructured = { coding: [{ system: 'unstructured', code: 'Flu shot' }] } as const;
      const unknown = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '999999' }] } as const;
      const statusReason = { coding: [{ code: 'PATOBJ' }] };
      await clinic().record(immunizationStatement({ id: 'cvx' }));
      await clinic().record(immunizationStatement({ id: 'unknown', vaccineCode: unknown }));
      await clinic().record(immunizationStatement({ id: 'text', vaccineCode: unstructured }));
      await clinic().record(immunizationStatement({ id: 'not', statusReason }));
      const profiles = ['cvx', 'unknown', 'text', 'not'].map((id) => profileOf(`Immunization/${id}`));
      expect(await Promise.all(profiles)).toEqual(['us-core-immunization', undefined, undefined, undefined]);
    });
    test('a care team does with participants, each of whom has a role', async () => {
      expect(await profileOf('CareTeam/amy')).toBeUndefined();
      await clinic().put('/CareTeam/amy', team(ada));
      expect(await profileOf('CareTeam/amy')).toBe('us-core-careteam');
      await clinic().put('/CareTeam/amy', team(ada, lab));
      expect(await profileOf('CareTeam/amy')).toBeUndefined();
    });
  });

  describe('`meta` as it is read has no effect in a body, even with `Prefer: handling=strict`', () => {
    const strict = { headers: { prefer: 'handling=strict' } };
    test('so a resource can be sent back', async () => {
      await clinic().put('/CareTeam/amy', team(ada));
      expectNullBody(await clinic().put('/CareTeam/amy', await read('CareTeam/amy'), strict), 200);
      await clinic().record(immunizationStatement({ id: 'shot' }));
      const sent = { ...(await read('Immunization/shot')), status: 'entered-in-error' };
      expectNullBody(await clinic().put('/Immunization/shot', sent, strict), 200);
    });
    test('but another element of it is not stored', async () => {
      const sourced = { ...team(ada), meta: { versionId: '1', source: 'urn:x' } };
      expectError(await clinic().put('/CareTeam/amy', sourced, strict), 400, 'CareTeam.meta.source');
      expectNullBody(await clinic().put('/CareTeam/amy', sourced), 200);
      const modified = { ...team(ada), meta: { modifierExtension: [{ url: 'urn:x' }] } };
      expectError(await clinic().put('/CareTeam/amy', modified), 400, 'CareTeam.meta.modifierExtension');
    });
  });
});
