import { describe, expect, test } from 'vitest';
import { ada, bob, participant, team } from '../../builders.ts';
import { dietitian } from '../../clinic.ts';
import { expectNullBody, membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: CareTeam', (clinic) => {
  const put = (...participants: object[]) => clinic().put('/CareTeam/amy', team(...participants));
  const get = (path: string) => clinic().get(path);

  describe('Last-modified of a team', () => {
    const modified = async () => (await get('/CareTeam/amy')).headers['last-modified'];
    test('the newest change of its members', async () => {
      clinic().clock.at('2026-03-05T10:00:00.000Z');
      await put(ada, bob);
      clinic().clock.at('2026-03-06T10:00:00.000Z');
      await put(ada, participant('Practitioner/bob', dietitian));
      expect(await modified()).toBe('Fri, 06 Mar 2026 10:00:01 GMT');
      clinic().clock.at('2026-03-07T10:00:00.000Z');
      await put();
      expect(await modified()).toBe('Sat, 07 Mar 2026 10:00:01 GMT');
    });
    test("of a team without members, the patient's own", async () => {
      const patient = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', lastModified: '2024-02-03T04:05:06Z' };
      await clinic().records.directory.put('Patient', patient);
      expect(await modified()).toBe('Sat, 03 Feb 2024 04:05:06 GMT');
    });
    test("So the interface's exception for emptied teams needs no special case", async () => {
      const patient = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', lastModified: '2024-02-03T04:05:06Z' };
      await clinic().records.directory.put('Patient', patient);
      await put(ada);
      await clinic().records.careTeams.removeAllParticipants('amy');
      expect(await modified()).toBe('Sat, 03 Feb 2024 04:05:06 GMT');
    });
    describe('A new name is a new version, and not a change of a member. Putting a patient again under the same name is neither', () => {
      const putAmy = async (lastName: string, lastModified: string) =>
        clinic().records.directory.put('Patient', { id: 'amy', lastName, firstName: 'Amy', lastModified });
      test('a new display', async () => {
        await put(ada);
        const before = (await get('/CareTeam/amy')).headers;
        await putAmy('Shaw-Lee', '2026-04-01T00:00:00Z');
        const after = (await get('/CareTeam/amy')).headers;
        expect(after['last-modified']).toBe(before['last-modified']);
        expect(after.etag).not.toBe(before.etag);
      });
      test('the same name', async () => {
        await put(ada);
        const before = (await get('/CareTeam/amy')).headers;
        await putAmy('Shaw', '2026-04-01T00:00:00Z');
        expect((await get('/CareTeam/amy')).headers).toEqual(before);
        const headers = { 'if-match': before.etag as string };
        expectNullBody(await clinic().put('/CareTeam/amy', team(ada, bob), { headers }), 200);
      });
      test('the same name, for a team without members', async () => {
        const before = (await get('/CareTeam/amy')).headers;
        await putAmy('Shaw', '2026-04-01T00:00:00Z');
        const after = (await get('/CareTeam/amy')).headers;
        expect(after.etag).toBe(before.etag);
        expect(after['last-modified']).toBe('Wed, 01 Apr 2026 00:00:00 GMT');
        expect(await clinic().records.careTeams.history('amy')).toHaveLength(1);
      });
      test('and for a team that is emptied later, the last modification of the patient counts', async () => {
        await put(ada);
        await putAmy('Shaw', '2024-04-01T00:00:00Z');
        await clinic().records.careTeams.removeAllParticipants('amy');
        expect(await modified()).toBe('Mon, 01 Apr 2024 00:00:00 GMT');
        await putAmy('Shaw', '2024-05-01T00:00:00Z');
        expect(await modified()).toBe('Wed, 01 May 2024 00:00:00 GMT');
      });
    });
  });

  describe('an id names one status of a team', () => {
    test('`.active` reads the versions of the active team, under its own id', async () => {
      await put(ada);
      expect((await get('/CareTeam/amy.active/_history/2')).text).toBe(
        (await get('/CareTeam/amy/_history/2')).text,
      );
      expect((await get('/Provenance/C-amy.active-2')).status).toBe(404);
    });
    test.each(['amy.inactive.active', 'amy.inactive.inactive', 'amy.active.inactive'])(
      '%s, with two, does not exist',
      async (id) => {
        await put(ada, bob);
        await put(ada);
        for (const path of [`CareTeam/${id}`, `CareTeam/${id}/_history`, `CareTeam/${id}/_history/1`]) {
          expect((await get(`/${path}`)).status).toBe(404);
        }
        expect((await get(`/Provenance/C-${id}-1`)).status).toBe(404);
      },
    );
  });

  test('a version is read as it was after a new name in the same second', async () => {
    await put(ada, bob);
    await put(ada);
    const { json, headers } = await get('/CareTeam/amy.inactive');
    await clinic().records.directory.put('Practitioner', {
      id: 'bob',
      lastName: 'Renamed',
      firstName: 'Bob',
    });
    expect((await get('/CareTeam/amy.inactive')).headers.etag).not.toBe(headers.etag);
    expect((await get(`/CareTeam/amy.inactive/_history/${json.meta.versionId}`)).json).toEqual(json);
  });

  const statusOf = async (status: string) => {
    const { json, headers } = await get(`/CareTeam/amy.${status}`);
    return { name: json.name, members: membersOf(json), etag: headers.etag, at: headers['last-modified'] };
  };
  const rename = async (lastName: string) =>
    clinic().records.directory.put('Patient', { id: 'amy', lastName, firstName: 'Amy' });

  describe('Each status of a team is a resource of its own, with its own version and time', () => {
    test('a member who gets the status, and one who leaves it', async () => {
      await put(ada);
      clinic().clock.at('2026-03-05T10:00:00.000Z');
      await put();
      const before = await statusOf('inactive');
      clinic().clock.at('2026-03-06T10:00:00.000Z');
      await put(ada);
      const after = await statusOf('inactive');
      expect([before, after]).toMatchObject([
        { members: ['Practitioner/ada'], etag: 'W/"1"', at: 'Thu, 05 Mar 2026 10:00:01 GMT' },
        { members: [], etag: 'W/"2"', at: 'Fri, 06 Mar 2026 10:00:01 GMT' },
      ]);
    });
    test('a change of other participants is none', async () => {
      await put(ada, bob);
      await put(ada);
      const before = await statusOf('inactive');
      await put(participant('Practitioner/ada', dietitian));
      await clinic().records.directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'A' });
      expect(await statusOf('inactive')).toEqual(before);
    });
    test('a status whose participants have all left shows the current name of the patient', async () => {
      await put(ada, bob);
      await put(ada);
      await put(ada, bob);
      const before = await statusOf('inactive');
      await rename('Shaw-Lee');
      const after = await statusOf('inactive');
      expect([before.name, after.name]).toEqual(['Care Team for Shaw, Amy', 'Care Team for Shaw-Lee, Amy']);
      expect([before.etag, after.etag]).toEqual(['W/"2"', 'W/"3"']);
    });
  });

  describe('A status in which nobody ever was is not stored', () => {
    test('it has version 0, the date of the patient and no `meta`', async () => {
      const patient = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', lastModified: '2024-02-03T04:05:06Z' };
      await clinic().records.directory.put('Patient', patient);
      expect(await statusOf('inactive')).toMatchObject({
        etag: 'W/"0"',
        at: 'Sat, 03 Feb 2024 04:05:06 GMT',
      });
      expect((await get('/CareTeam/amy.inactive')).json).not.toHaveProperty('meta');
    });
    test('so it is never a 304: a new name of the patient is not a new version', async () => {
      const headers = { 'if-none-match': 'W/"0"' };
      await rename('Shaw-Lee');
      const { status, json } = await clinic().get('/CareTeam/amy.inactive', { headers });
      expect([status, json.name]).toEqual([200, 'Care Team for Shaw-Lee, Amy']);
    });
  });

  test('Every change of a team, in whatever status, is a new version of the active team', async () => {
    await put(ada);
    const before = (await get('/CareTeam/amy')).headers;
    await clinic().records.careTeams.setParticipantStatus('amy', 'Organization/lab', 'suspended');
    const after = (await get('/CareTeam/amy')).headers;
    expect([before.etag, after.etag]).toEqual(['W/"2"', 'W/"3"']);
    const refused = await clinic().put('/CareTeam/amy', team(), {
      headers: { 'if-match': before.etag as string },
    });
    expect(refused.status).toBe(412);
  });
});
