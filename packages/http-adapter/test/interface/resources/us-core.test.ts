import { describe, expect, test } from 'vitest';
import { ada, bob, lab, participant, team } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { expectError, expectNullBody, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const usCore = {
  usCore: true,
  organization: { reference: 'Organization/lab', display: 'Lab Ltd' },
} as const;

const absentRole = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
      code: 'unknown',
      display: 'Unknown',
    },
  ],
};

onEveryStore(
  'Decisions: US Core',
  (clinic) => {
    const rolesOf = (resource: { participant: readonly { role: readonly object[] }[] }) =>
      resource.participant.map(({ role }) => role);

    describe('With `usCore`, a search finds no care team without participants', () => {
      test.each(['/CareTeam', '/CareTeam?patient=amy,ben', '/CareTeam?status=active'])('%s', async (path) => {
        expect((await clinic().get(path)).json.total).toBe(0);
        await clinic().put('/CareTeam/amy', team(ada));
        const found = await clinic().get(path);
        expect([idsOf(found), found.json.total]).toEqual([['amy'], 1]);
        await clinic().put('/CareTeam/amy', team());
        expect(idsOf(await clinic().get('/CareTeam'))).toEqual(['amy.inactive']);
      });
      test('nor that of a patient whom only the host knows', async () => {
        const resolve = { Patient: (id: string) => ({ id, lastName: 'New', firstName: 'Nia' }) };
        const records = createRecords(clinic().store, { ...usCore, resolve });
        const send = createSender(createHandler(records));
        expect((await send('GET', '/CareTeam?patient=nia')).json.total).toBe(0);
        expect((await send('GET', '/CareTeam/nia')).status).toBe(200);
      });
      test('but it can be read', async () => {
        const { status, json } = await clinic().get('/CareTeam/amy');
        expect([status, json.participant, json.meta.profile]).toEqual([200, undefined, undefined]);
      });
    });

    describe('A participant without a role has the data-absent reason `unknown` as its role, so that the team conforms', () => {
      const isShown = (resource: Parameters<typeof rolesOf>[0] & { meta: { profile: unknown } }) => {
        expect(rolesOf(resource)).toEqual([ada.role, [absentRole]]);
        expect(resource.meta.profile).toEqual([
          'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam',
        ]);
      };
      test('and is found by its profile', async () => {
        await clinic().put('/CareTeam/amy', team(ada, lab));
        const profile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam';
        const found = async (query: string) => idsOf(await clinic().get(`/CareTeam?${query}`));
        expect(await found(`_profile=${profile}`)).toEqual(['amy']);
        expect(await found('_profile:missing=false')).toEqual(['amy']);
        expect(await found('_profile:missing=true')).toEqual([]);
        expect(await found('_profile=urn:x')).toEqual([]);
      });
      test('in the response to a write, read and found', async () => {
        const sent = { headers: { prefer: 'return=representation' } };
        isShown((await clinic().put('/CareTeam/amy', team(ada, lab), sent)).json);
        isShown((await clinic().get('/CareTeam/amy')).json);
        isShown((await clinic().get('/CareTeam?participant=lab')).json.entry[0].resource);
      });
      test('in the past, and in the other statuses', async () => {
        await clinic().put('/CareTeam/amy', team(ada, lab));
        await clinic().put('/CareTeam/amy', team());
        isShown((await clinic().get('/CareTeam/amy/_history/2')).json);
        isShown((await clinic().get('/CareTeam/amy/_history')).json.entry[1].resource);
        isShown((await clinic().get('/CareTeam/amy.inactive')).json);
        isShown((await clinic().get('/CareTeam/amy.inactive/_history')).json.entry[0].resource);
      });
    });

    test('A search by `role` finds the participants without a role by that reason', async () => {
      await clinic().put('/CareTeam/amy', team(ada));
      await clinic().put('/CareTeam/ben', { ...team(lab), id: 'ben' });
      const absent = 'http://terminology.hl7.org/CodeSystem/data-absent-reason|unknown';
      expect(idsOf(await clinic().get(`/CareTeam?role=${encodeURIComponent(absent)}`))).toEqual(['ben']);
    });

    describe('Such a team can be sent back; nobody else can have that role', () => {
      test('an organization', async () => {
        await clinic().put('/CareTeam/amy', team(ada, lab));
        const { json } = await clinic().get('/CareTeam/amy');
        expectNullBody(await clinic().put('/CareTeam/amy', json), 200);
        expect((await clinic().get('/CareTeam/amy')).json.participant).toEqual(json.participant);
      });
      test('a practitioner', async () => {
        const sent = team(participant('Practitioner/bob', absentRole.coding[0] ?? null));
        expectError(await clinic().put('/CareTeam/amy', sent), 422, 'CareTeam.participant[0].role');
      });
    });

    test('The stored data is the same without the option, so a host can set it at any time', async () => {
      await clinic().put('/CareTeam/amy', team(ada, bob, lab));
      const send = createSender(createHandler(createRecords(clinic().store)));
      const { json } = await send('GET', '/CareTeam/amy');
      expect(rolesOf(json)).toEqual([ada.role, bob.role, undefined]);
      expect((await send('GET', '/CareTeam')).json.total).toBe(2);
      const back = await send('PUT', '/CareTeam/amy', { body: (await clinic().get('/CareTeam/amy')).json });
      expectError(back, 422, 'CareTeam.participant[2].role');
    });
  },
  usCore,
);
