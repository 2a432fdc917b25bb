import type { MemberReference, ParticipantStatus } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { lab, leadExtension, participant, team } from '../../builders.ts';
import { cardiologist, createHandler, createRecords, createSender, dietitian, nurse } from '../../clinic.ts';
import { expectError, expectNullBody, idsOf, membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const ada = (...extension: object[][]) => participant('Practitioner/ada', cardiologist, ...extension);
const bob = (...extension: object[][]) => participant('Practitioner/bob', nurse, ...extension);

onEveryStore('Decisions: CareTeam', (clinic) => {
  const put = (...participants: object[]) => clinic().put('/CareTeam/amy', team(...participants));
  const get = (path: string) => clinic().get(path);
  const read = async (id = 'amy') => (await get(`/CareTeam/${id}`)).json;
  type Shown = { member: { reference: string }; extension?: { valueBoolean: boolean }[] };
  const markers = async () =>
    Object.fromEntries(
      ((await read()).participant ?? []).map(({ member, extension }: Shown) => [
        member.reference,
        extension?.[0]?.valueBoolean,
      ]),
    );

  test('A team record exists from the moment its patient does', async () => {
    await clinic().records.directory.put('Patient', { id: 'new', lastName: 'New', firstName: '' });
    expect((await get('/CareTeam/new')).status).toBe(200);
    expect(idsOf(await get('/CareTeam?patient=new'))).toEqual(['new']);
  });

  test('A team without members has no `participant` element (FHIR forbids empty arrays)', async () => {
    expect(await read()).not.toHaveProperty('participant');
    await put(ada());
    await put();
    expect(await read()).not.toHaveProperty('participant');
    expect((await get('/CareTeam?patient=amy&status=active')).json.entry[0].resource).not.toHaveProperty(
      'participant',
    );
  });

  describe('`.inactive` and the like of a known patient with no such participants: 200, no `participant`', () => {
    test.each(['proposed', 'suspended', 'inactive', 'entered-in-error'])('%s', async (status) => {
      const { status: code, json } = await get(`/CareTeam/amy.${status}`);
      expect([code, json]).toEqual([
        200,
        {
          resourceType: 'CareTeam',
          id: `amy.${status}`,
          status,
          name: 'Care Team for Shaw, Amy',
          subject: { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
        },
      ]);
    });
  });

  test('A search lists a non-active team only if it has participants', async () => {
    expect(idsOf(await get('/CareTeam?patient=amy'))).toEqual(['amy']);
    await put(ada());
    await put();
    expect(idsOf(await get('/CareTeam?patient=amy'))).toEqual(['amy', 'amy.inactive']);
    await put(ada());
    expect(idsOf(await get('/CareTeam?patient=amy'))).toEqual(['amy']);
  });

  const setStatus = async (member: MemberReference, status: ParticipantStatus, role = cardiologist) =>
    clinic().records.careTeams.setParticipantStatus('amy', member, status, { role });

  describe('While others are sent, proposed, suspended and entered-in-error participants keep their status', () => {
    test.each(['proposed', 'suspended', 'entered-in-error'] as const)('%s', async (status) => {
      await setStatus('Practitioner/ada', status);
      await put(bob());
      await put(lab);
      expect(membersOf(await read(`amy.${status}`))).toEqual(['Practitioner/ada']);
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/bob']);
      await put(ada());
      expect(membersOf(await read(`amy.${status}`))).toEqual([]);
      expect(membersOf(await read())).toEqual(['Practitioner/ada']);
    });
  });

  describe('An omitted or empty list inactivates every participant found: active, proposed and suspended ones; entered-in-error and inactive ones keep their status', () => {
    test.each(['active', 'proposed', 'suspended'] as const)('%s', async (status) => {
      await setStatus('Practitioner/ada', status);
      await put();
      expect(membersOf(await read(`amy.${status}`))).toEqual([]);
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada']);
      expect(idsOf(await get('/CareTeam?patient=amy'))).toEqual(['amy', 'amy.inactive']);
    });
    test('entered-in-error', async () => {
      await setStatus('Practitioner/ada', 'entered-in-error');
      await put();
      expect(membersOf(await read('amy.entered-in-error'))).toEqual(['Practitioner/ada']);
      expect(membersOf(await read('amy.inactive'))).toEqual([]);
    });
    test('inactive: it is not a change for participants who left before', async () => {
      await setStatus('Practitioner/ada', 'inactive');
      const before = await get('/CareTeam/amy.inactive');
      await put();
      expect(await get('/CareTeam/amy.inactive')).toEqual(before);
    });
    test('So putting back a team without active participants also ends proposed and suspended participants', async () => {
      await setStatus('Practitioner/ada', 'proposed');
      await clinic().put('/CareTeam/amy', await read());
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada']);
    });
  });

  describe('The lead', () => {
    test('an explicit `true` moves the lead', async () => {
      await put(ada(leadExtension(true)), bob());
      await put(ada(), bob(leadExtension(true)));
      expect(await markers()).toEqual({ 'Practitioner/ada': false, 'Practitioner/bob': true });
    });
    test('two of them are a violation', async () => {
      await put(ada(), bob());
      const answer = await put(ada(leadExtension(true)), bob(leadExtension(true)));
      expectError(answer, 422, 'CareTeam.participant[0].extension', 'CareTeam.participant[1].extension');
      expect(await markers()).toEqual({ 'Practitioner/ada': false, 'Practitioner/bob': false });
    });
    test('An omitted extension keeps the current lead', async () => {
      await put(ada(leadExtension(true)), bob());
      await put(bob(), ada());
      expect(await markers()).toEqual({ 'Practitioner/ada': true, 'Practitioner/bob': false });
    });
    test('An explicit `false` removes it', async () => {
      await put(ada(leadExtension(true)), bob());
      await put(ada(leadExtension(false)), bob());
      expect(await markers()).toEqual({ 'Practitioner/ada': false, 'Practitioner/bob': false });
    });
    test('a participant who leaves is no longer the lead', async () => {
      await put(ada(leadExtension(true)), bob());
      await put(bob());
      expect((await read('amy.inactive')).participant[0].extension).toEqual(leadExtension(false));
      await put(ada(), bob());
      expect(await markers()).toEqual({ 'Practitioner/ada': false, 'Practitioner/bob': false });
    });
  });

  test('Read: each practitioner carries the lead marker, true or false; organizations, who cannot lead, carry none', async () => {
    await put(ada(leadExtension(true)), bob(), lab);
    expect((await read()).participant.map(({ extension }: Shown) => extension)).toEqual([
      leadExtension(true),
      leadExtension(false),
      undefined,
    ]);
  });

  test('So a team can be put back unchanged as it was read', async () => {
    await put(ada(leadExtension(true)), bob(), lab);
    const before = await get('/CareTeam/amy');
    expectNullBody(await clinic().put('/CareTeam/amy', before.json), 200);
    const after = await get('/CareTeam/amy');
    expect([after.json, after.headers]).toEqual([before.json, before.headers]);
  });

  describe('Role: required, exactly one, equal in system and code to a configured role; the display comes from the configuration', () => {
    const member = { reference: 'Practitioner/ada' };
    test('required', async () => {
      expectError(await put({ member }), 400, 'CareTeam.participant[0].role');
      expectError(await put({ member, role: [] }), 400, 'CareTeam.participant[0].role');
    });
    test('exactly one', async () => {
      const role = [{ coding: [cardiologist] }, { coding: [nurse] }];
      expectError(await put({ member, role }), 422, 'CareTeam.participant[0].role');
      const two = [{ coding: [cardiologist, nurse] }];
      expectError(await put({ member, role: two }), 422, 'CareTeam.participant[0].role');
    });
    test.each(['system', 'code'])('equal in %s', async (name) => {
      const role = { ...cardiologist, [name]: 'other' };
      expectError(await put(participant('Practitioner/ada', role)), 422, 'CareTeam.participant[0].role');
    });
    test('the display comes from the configuration', async () => {
      expectNullBody(await put(participant('Practitioner/ada', { ...cardiologist, display: 'Heart' })), 200);
      expect((await read()).participant[0].role).toEqual([{ coding: [cardiologist] }]);
    });
  });

  test('Only an Organization may have no role, so that a team can be put back as it was read', async () => {
    expectNullBody(await put(lab), 200);
    expectNullBody(await clinic().put('/CareTeam/amy', await read()), 200);
    expectError(await put(lab, participant('Practitioner/ada', null)), 400, 'CareTeam.participant[1].role');
  });

  test('A practitioner with another role is not a second participant', async () => {
    await put(ada(leadExtension(true)));
    await put(participant('Practitioner/ada', dietitian));
    const { participant: shown } = await read();
    expect([shown.length, shown[0].role[0].coding, await markers()]).toEqual([
      1,
      [dietitian],
      { 'Practitioner/ada': true },
    ]);
    expect(membersOf(await read('amy.inactive'))).toEqual([]);
  });

  test('two practitioners can change roles with each other', async () => {
    await put(ada(), bob());
    const answer = await put(
      participant('Practitioner/ada', nurse),
      participant('Practitioner/bob', cardiologist),
    );
    expectNullBody(answer, 200);
    expect((await read()).participant.map(({ role }: { role: object[] }) => role)).toEqual([
      [{ coding: [nurse] }],
      [{ coding: [cardiologist] }],
    ]);
  });

  test('`status`, `name` and displays in the body are accepted and have no effect', async () => {
    await put(ada());
    const before = await read();
    const body = {
      ...before,
      status: 'suspended',
      name: 'Another',
      subject: { reference: 'Patient/amy', display: 'Another' },
      participant: [{ ...ada(), member: { reference: 'Practitioner/ada', display: 'Another' } }],
    };
    expectNullBody(await clinic().put('/CareTeam/amy', body), 200);
    expect(await read()).toEqual(before);
  });

  describe('A participant whose `period` ended before now is a 422', () => {
    const until = (end: unknown) => ({ ...ada(), period: { start: '2019-01-01', end } });
    test.each(['2026-02-28', '2026-02', '2025', '2026-03-01T07:59:59Z', '2026-03-01T08:59:00+01:00'])(
      '%s, and nothing is changed',
      async (end) => {
        await put(bob());
        expectError(await put(bob(), until(end)), 422, 'CareTeam.participant[1].period');
        expect(membersOf(await read())).toEqual(['Practitioner/bob']);
      },
    );
    test.each(['2026-03-01', '2026-03', '2026', '2027-01-01', '2026-03-01T23:00:00Z', undefined, 'soon', 7])(
      'but not %s: an end without a time counts through its day',
      async (end) => {
        expectNullBody(await put(until(end)), 200);
        expect(await read()).not.toHaveProperty('participant[0].period');
      },
    );
    test('in the configured zone', async () => {
      const zoned = (timeZone: string) =>
        createSender(createHandler(createRecords(clinic().store, { timeZone, clock: clinic().clock.now })));
      const body = team(until('2026-02-28'));
      expect((await zoned('Pacific/Pago_Pago')('PUT', '/CareTeam/amy', { body })).status).toBe(200);
      expectError(
        await zoned('UTC')('PUT', '/CareTeam/amy', { body }),
        422,
        'CareTeam.participant[0].period',
      );
    });
    test('with strict handling, any period is a 400, because it is not stored', async () => {
      const headers = { prefer: 'handling=strict' };
      const body = team(until('2027-01-01'));
      expectError(
        await clinic().put('/CareTeam/amy', body, { headers }),
        400,
        'CareTeam.participant[0].period',
      );
    });
  });
});
