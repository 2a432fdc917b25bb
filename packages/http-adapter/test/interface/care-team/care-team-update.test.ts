import { beforeEach, describe, expect, test } from 'vitest';
import { ada, bob, lab, leadExtension, participant, team } from '../../builders.ts';
import { cardiologist, createRecords, dietitian, nurse, type RequestOptions } from '../../clinic.ts';
import { expectError, expectNotFound, expectNullBody, membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('CareTeam, PUT', (clinic) => {
  const send = (body: unknown, sent: RequestOptions = {}) => clinic().put('/CareTeam/amy', body, sent);
  const put = (participants: object[] | undefined, sent: RequestOptions = {}) =>
    send({ id: 'amy', ...(participants && { participant: participants }) }, sent);
  const read = async (id = 'amy') => (await clinic().get(`/CareTeam/${id}`)).json;

  const fillEveryStatus = async () => {
    const { setParticipantStatus } = clinic().records.careTeams;
    await put([ada]);
    await setParticipantStatus('amy', 'Practitioner/bob', 'proposed', { role: nurse });
    await setParticipantStatus('amy', 'Practitioner/cyd', 'suspended', { role: dietitian });
    await setParticipantStatus('amy', 'Organization/home', 'inactive');
    await setParticipantStatus('amy', 'Organization/lab', 'entered-in-error');
  };

  test('PUT | /CareTeam/{id} | Request body below | 200 with a null body', async () => {
    expectNullBody(await put([ada]), 200);
  });

  test("Participants sent become the patient's active participants", async () => {
    await put([ada, lab]);
    expect(membersOf(await read())).toEqual(['Practitioner/ada', 'Organization/lab']);
  });

  test('participants no longer sent are marked inactive', async () => {
    await put([ada, bob]);
    await put([bob]);
    expect(membersOf(await read())).toEqual(['Practitioner/bob']);
    expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada']);
  });

  describe('Omitted or empty list: every care team participant found for the subject is inactivated', () => {
    test.each([
      ['omitted', undefined],
      ['empty', []],
    ])('%s', async (_, participants) => {
      await put([ada, lab]);
      expectNullBody(await put(participants), 200);
      expect(await read()).not.toHaveProperty('participant');
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada', 'Organization/lab']);
    });
    test.each([
      ['omitted', undefined],
      ['empty', []],
    ])('%s, and no participant is active', async (_, participants) => {
      const { setParticipantStatus } = clinic().records.careTeams;
      await setParticipantStatus('amy', 'Practitioner/ada', 'proposed', { role: nurse });
      await setParticipantStatus('amy', 'Practitioner/bob', 'suspended', { role: nurse });
      expectNullBody(await put(participants), 200);
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada', 'Practitioner/bob']);
      expect(membersOf(await read('amy.proposed'))).toEqual([]);
      expect(membersOf(await read('amy.suspended'))).toEqual([]);
    });
    test.each([
      ['omitted', undefined],
      ['empty', []],
    ])('%s, beside participants in every status', async (_, participants) => {
      await fillEveryStatus();
      expectNullBody(await put(participants), 200);
      const statuses = ['active', 'proposed', 'suspended', 'inactive', 'entered-in-error'];
      const teams = await Promise.all(statuses.map((status) => read(`amy.${status}`)));
      expect(teams.map((one) => membersOf(one).toSorted())).toEqual([
        ...[[], [], []],
        ['Organization/home', 'Practitioner/ada', 'Practitioner/bob', 'Practitioner/cyd'],
        ['Organization/lab'],
      ]);
    });
    test.each([null, {}, ''])('refused: %j, which is neither', async (participants) => {
      await put([ada, lab]);
      const answer = await send({ id: 'amy', participant: participants });
      expectError(answer, 400, 'CareTeam.participant');
      expect(membersOf(await read())).toEqual(['Practitioner/ada', 'Organization/lab']);
    });
  });

  test('CareTeam PUT body (upsert; no create endpoint exists): who was inactive is active again, once', async () => {
    expectError(await clinic().post('/CareTeam', team(ada)), 405);
    await put([ada]);
    await put([]);
    await put([ada]);
    expect(membersOf(await read())).toEqual(['Practitioner/ada']);
    expect(membersOf(await read('amy.inactive'))).toEqual([]);
  });

  test("another patient's team stays as it is", async () => {
    await put([ada]);
    await clinic().put('/CareTeam/ben', { id: 'ben', participant: [bob] });
    expect([membersOf(await read('amy')), membersOf(await read('ben'))]).toEqual([
      ['Practitioner/ada'],
      ['Practitioner/bob'],
    ]);
  });

  describe('Members are internal practitioners or external organizations', () => {
    test('both can be sent', async () => {
      expectNullBody(await put([ada, lab]), 200);
      expect(membersOf(await read())).toEqual(['Practitioner/ada', 'Organization/lab']);
    });
    test.each(['Patient/ben', 'RelatedPerson/ada', 'CareTeam/ben', 'PractitionerRole/ada'])(
      'refused: %s',
      async (reference) => {
        const answer = await put([participant(reference, nurse)]);
        expectError(answer, 400, 'CareTeam.participant[0].member.reference');
      },
    );
    test.each(['Practitioner/lab', 'Organization/ada'])(
      'refused: %s, who is not in the directory',
      async (reference) => {
        expectError(await put([participant(reference, nurse)]), 422, 'CareTeam.participant[0].member');
      },
    );
  });

  test('A practitioner can have only one role on a care team: a second one is refused', async () => {
    const answer = await put([ada, participant('Practitioner/ada', nurse)]);
    expectError(answer, 422, 'CareTeam.participant[0].member', 'CareTeam.participant[1].member');
    const [member, role] = [{ reference: 'Practitioner/ada' }, [{ coding: [cardiologist, nurse] }]];
    expectError(await put([{ member, role }]), 422, 'CareTeam.participant[0].role');
  });

  test('Only one practitioner can hold a given role on a care team: a second one is refused', async () => {
    const answer = await put([ada, participant('Practitioner/bob', cardiologist)]);
    expectError(answer, 422, 'CareTeam.participant[0].role', 'CareTeam.participant[1].role');
    expectNullBody(await put([ada, participant('Organization/lab', cardiologist)]), 200);
  });

  describe('a role with the same code in another system is another role', () => {
    const specialist = { ...cardiologist, system: 'http://nucc.org/provider-taxonomy' };
    const openTeams = () => {
      const { store, clock } = clinic();
      const { careTeams } = createRecords(store, {
        clock: clock.now,
        careTeamRoles: [cardiologist, specialist],
      });
      const update = async (...participants: object[]) => careTeams.update('amy', team(...participants));
      return { update, asJson: careTeams.asJson };
    };
    const roles = async () => (await read()).participant.map(({ role }: { role: object[] }) => role);

    test('another practitioner can hold it', async () => {
      await openTeams().update(ada, participant('Practitioner/bob', specialist));
      expect(await roles()).toEqual([[{ coding: [cardiologist] }], [{ coding: [specialist] }]]);
    });
    test('a practitioner who gets it has changed', async () => {
      const { update, asJson } = openTeams();
      await update(ada);
      const before = await asJson.read('amy');
      await update(participant('Practitioner/ada', specialist));
      expect(await roles()).toEqual([[{ coding: [specialist] }]]);
      expect((await asJson.read('amy')).lastModified).toBeGreaterThan(before.lastModified);
    });
    test('it is refused if it is not configured', async () => {
      expectError(
        await put([participant('Practitioner/ada', specialist)]),
        422,
        'CareTeam.participant[0].role',
      );
    });
  });

  test('Organizations cannot be the lead: it is refused, with a role and without', async () => {
    const answer = await put([participant('Organization/lab', null, leadExtension(true))]);
    expectError(answer, 422, 'CareTeam.participant[0].extension');
    const withRole = participant('Organization/lab', dietitian, leadExtension(true));
    expectError(await put([withRole]), 422, 'CareTeam.participant[0].extension');
    expectError(await put([ada, withRole]), 422, 'CareTeam.participant[1].extension');
  });

  test('Only one active participant can be the lead, and only a practitioner can be the lead: anything else is refused', async () => {
    const answer = await put([
      participant('Practitioner/ada', cardiologist, leadExtension(true)),
      participant('Practitioner/bob', dietitian, leadExtension(true)),
    ]);
    expectError(answer, 422, 'CareTeam.participant[0].extension', 'CareTeam.participant[1].extension');
    const organization = participant('Organization/lab', cardiologist, leadExtension(true));
    expectError(await put([bob, organization]), 422, 'CareTeam.participant[1].extension');
    expectError(await put([organization]), 422, 'CareTeam.participant[0].extension');
    const both = [organization, participant('Practitioner/bob', nurse, leadExtension(true))];
    expect((await put(both)).status).toBe(422);
    expect(await read()).not.toHaveProperty('participant');
  });
  test('Only one active participant can be the lead, and only a practitioner can be the lead: a new lead takes the place of the one before', async () => {
    const lead = (reference: string, role: object) => participant(reference, role, leadExtension(true));
    const leads = async () =>
      (await read()).participant.flatMap(
        (one: { member: { reference: string }; extension?: { valueBoolean: boolean }[] }) =>
          one.extension?.some(({ valueBoolean }) => valueBoolean) ? [one.member.reference] : [],
      );
    await put([lead('Practitioner/ada', cardiologist), bob]);
    await put([ada, lead('Practitioner/bob', nurse)]);
    expect(await leads()).toEqual(['Practitioner/bob']);
  });

  test('a refused update changes nothing', async () => {
    await put([ada]);
    const before = await clinic().get('/CareTeam/amy');
    await put([bob, participant('Practitioner/nobody', dietitian)]);
    const after = await clinic().get('/CareTeam/amy');
    expect([after.json, after.headers]).toEqual([before.json, before.headers]);
  });

  describe('PUT | /CareTeam/{id} | errors 400, 401, 403, 404, 405, 412, 422', () => {
    test.each<[number, RequestOptions, ...string[]]>([
      [400, { body: { id: 'ben' } }, 'CareTeam.id'],
      [401, { token: null }],
      [403, { token: 'reader' }],
      [412, { headers: { 'if-unmodified-since': 'Sun, 01 Mar 2020 08:00:00 GMT' } }],
      [422, { body: team(participant('Organization/none', null)) }, 'CareTeam.participant[0].member'],
    ])('%d', async (status, sent, ...expressions) => {
      expectError(await put([], sent), status, ...expressions);
    });
    test('404', async () => {
      expectNotFound(await clinic().put('/CareTeam/none', { id: 'none' }), 'CareTeam', 'none');
    });
    test('405', async () => {
      const id = 'amy.inactive';
      expectError(await clinic().put(`/CareTeam/${id}`, { id }), 405, 'CareTeam.id');
    });
  });

  describe('The If-Unmodified-Since request header may be sent on PUT', () => {
    const since = (time: string) => put([bob], { headers: { 'if-unmodified-since': time } });
    beforeEach(async () => {
      clinic().clock.at('2026-03-05T10:00:00.000Z');
      await put([ada]);
    });

    test('When the care team was modified after the given date, the response is 412', async () => {
      expectError(await since('Thu, 05 Mar 2026 10:00:00 GMT'), 412);
      expect(membersOf(await read())).toEqual(['Practitioner/ada']);
    });
    test('and 200 if it was not', async () => {
      expectNullBody(await since('Thu, 05 Mar 2026 10:00:01 GMT'), 200);
    });
    test("Exception: when all participants were removed through the user interface (not through this API), the care team's last-modified date equals the patient record's last-modified date until another participant is added, so the header does not give the expected result", async () => {
      await clinic().records.careTeams.removeAllParticipants('amy');
      const patient = await clinic().records.directory.read('Patient', 'amy');
      const modified = new Date(patient?.lastModified ?? 0).toUTCString();
      expect((await clinic().get('/CareTeam/amy')).headers['last-modified']).toBe(modified);
      expectNullBody(await since(modified), 200);
      expectError(await since(modified), 412);
    });
    test("Exception: when all participants were removed through the user interface (not through this API), the care team's last-modified date equals the patient record's last-modified date until another participant is added, so the header does not give the expected result: after a removal through this API, that date is refused", async () => {
      expectNullBody(await put([]), 200);
      const patient = await clinic().records.directory.read('Patient', 'amy');
      expectError(await since(new Date(patient?.lastModified ?? 0).toUTCString()), 412);
      const { headers } = await clinic().get('/CareTeam/amy');
      expectNullBody(await since(headers['last-modified'] ?? ''), 200);
    });
  });
});
