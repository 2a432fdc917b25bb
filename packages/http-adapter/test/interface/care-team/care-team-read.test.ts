import { participantStatuses } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { ada, lab, leadExtension, participant } from '../../builders.ts';
import { cardiologist, dietitian, nurse } from '../../clinic.ts';
import { expectError, expectNotFound, idsOf, membersOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('CareTeam, read and search', (clinic) => {
  const put = async (patient: string, ...participants: object[]) => {
    const body = { id: patient, participant: participants };
    expect((await clinic().put(`/CareTeam/${patient}`, body)).status).toBe(200);
  };
  const read = async (id = 'amy') => (await clinic().get(`/CareTeam/${id}`)).json;
  const found = async (query: string) => idsOf(await clinic().get(`/CareTeam?${query}`));

  /** A practitioner in each status, on the team of one patient. */
  const fill = async () => {
    const people = [
      ['ada', 'proposed', cardiologist],
      ['bob', 'active', nurse],
      ['cyd', 'suspended', dietitian],
      ['dan', 'inactive', nurse],
    ] as const;
    const { setParticipantStatus } = clinic().records.careTeams;
    for (const [id, status, role] of people) {
      await setParticipantStatus('amy', `Practitioner/${id}`, status, { role });
    }
    await setParticipantStatus('amy', 'Organization/lab', 'entered-in-error');
  };

  test('Every patient has a CareTeam by default', async () => {
    const answer = await clinic().get('/CareTeam/amy');
    expect([answer.status, withoutMeta(answer.json)]).toEqual([
      200,
      {
        resourceType: 'CareTeam',
        id: 'amy',
        status: 'active',
        name: 'Care Team for Shaw, Amy',
        subject: { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
      },
    ]);
  });

  test('GET | /CareTeam/{id} | Path id (string, required): the patient identifier. Response: a CareTeam | 200', async () => {
    await put(
      'amy',
      participant('Practitioner/ada', cardiologist, leadExtension(true)),
      participant('Organization/lab', nurse),
    );
    expect(withoutMeta(await read())).toEqual({
      resourceType: 'CareTeam',
      id: 'amy',
      status: 'active',
      name: 'Care Team for Shaw, Amy',
      subject: { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
      participant: [
        {
          extension: leadExtension(true),
          role: [{ coding: [cardiologist] }],
          member: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' },
        },
        {
          role: [{ coding: [nurse] }],
          member: { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' },
        },
      ],
    });
  });

  test('name | string | Always `Care Team for <patient_last_name>, <patient_first_name>`, whatever the status and the name of the day', async () => {
    await fill();
    expect((await read('amy.inactive')).name).toBe('Care Team for Shaw, Amy');
    await clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Shaw-Lee', firstName: 'Amy' });
    expect((await read('amy.inactive')).name).toBe('Care Team for Shaw-Lee, Amy');
    expect((await read()).name).toBe('Care Team for Shaw-Lee, Amy');
  });

  test('Organization participants can appear without a role', async () => {
    await put('amy', lab);
    expect((await read()).participant).toEqual([
      { member: { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' } },
    ]);
  });

  test('Without a suffix, all active participants of the patient are returned', async () => {
    await fill();
    expect(membersOf(await read())).toEqual(['Practitioner/bob']);
  });

  describe('optionally followed by `.<status>`. With a suffix, participants of that status are returned', () => {
    test.each([
      ['proposed', 'Practitioner/ada'],
      ['suspended', 'Practitioner/cyd'],
      ['inactive', 'Practitioner/dan'],
      ['entered-in-error', 'Organization/lab'],
    ])(
      '%s: id | For participants in another status the id is the patient identifier followed by `.<status>`',
      async (status, member) => {
        await fill();
        const team = await read(`amy.${status}`);
        expect([team.id, team.status, membersOf(team)]).toEqual([`amy.${status}`, status, [member]]);
      },
    );
    test("active: id | Equals the patient's identifier for the active team", async () => {
      await fill();
      expect(await read('amy.active')).toEqual(await read('amy'));
      expect((await read('amy.active')).id).toBe('amy');
    });
  });

  describe('GET | /CareTeam/{id} | errors 401, 403, 404', () => {
    test.each([
      [401, null],
      [403, 'goals'],
    ])('%d', async (status, token) => {
      expectError(await clinic().get('/CareTeam/amy', { token }), status);
    });
    test.each(['none', 'none.inactive', 'amy.gone'])('404: %s', async (id) => {
      expectNotFound(await clinic().get(`/CareTeam/${id}`), 'CareTeam', id);
    });
  });

  describe('GET | /CareTeam | Query parameters below. Response: search bundle of CareTeam | 200', () => {
    test('every match is an entry as it is read', async () => {
      await fill();
      const { json } = await clinic().get('/CareTeam?patient=Patient/amy');
      expect(json.total).toBe(5);
      for (const { resource } of json.entry) expect(resource).toEqual(await read(resource.id));
    });

    describe('participant | string | `Practitioner/<practitioner_id>` or `Organization/<organization_id>`; finds patient care teams that have that member', () => {
      test.each([
        ['Practitioner/ada', ['amy', 'ben']],
        ['Practitioner/bob', ['ben']],
        ['Organization/lab', ['amy']],
        ['Organization/home', []],
      ])('%s', async (member, ids) => {
        await put('amy', ada, lab);
        await put(
          'ben',
          participant('Practitioner/ada', nurse),
          participant('Practitioner/bob', cardiologist),
        );
        expect(await found(`participant=${member}`)).toEqual(ids);
      });

      test.each(['Patient/amy', 'PractitionerRole/ada', 'ada byron', ''])('refused: "%s"', async (member) => {
        expectError(await clinic().get(`/CareTeam?participant=${member}`), 400, 'http.participant');
      });
      test('in the status that the member has: a member who left is found only in `.inactive`', async () => {
        await put('amy', ada, lab);
        await put('amy', lab);
        expect(await found('participant=Practitioner/ada')).toEqual(['amy.inactive']);
        expect(await found('participant=Practitioner/ada&status=active')).toEqual([]);
        expect(await found('participant=Organization/lab')).toEqual(['amy']);
        await put('amy', ada, lab);
        expect(await found('participant=Practitioner/ada')).toEqual(['amy']);
      });
      test('and a member who was removed in the screens of the host is found in none', async () => {
        await put('amy', ada, lab);
        await put('amy', lab);
        await clinic().records.careTeams.removeAllParticipants('amy');
        for (const member of ['Practitioner/ada', 'Organization/lab'])
          expect(await found(`participant=${member}`)).toEqual([]);
      });
    });

    test('patient | string | `Patient/<patient_id>`: their teams, and of nobody else', async () => {
      await put('amy', ada);
      expect(await found('patient=Patient/ben')).toEqual(['ben']);
    });

    describe('_id: the id of a team, with its status or without', () => {
      test.each([
        ['amy', ['amy']],
        ['amy.inactive', ['amy.inactive']],
        ['amy.inactive,ben,none', ['ben', 'amy.inactive']],
        ['amy.inactive&patient=ben', []],
        ['amy.inactive&status=inactive', ['amy.inactive']],
        ['amy.active', []],
        ['none', []],
      ])('%s', async (query, ids) => {
        await fill();
        expect(await found(`_id=${query}`)).toEqual(ids);
      });
      test('a status without participants is not found', async () => {
        await put('amy', ada);
        expect(await found('_id=amy.inactive')).toEqual([]);
      });
      test('a patient with the longest id', async () => {
        const id = 'p'.repeat(64);
        await clinic().records.directory.put('Patient', { id, lastName: 'Long', firstName: '' });
        await clinic().records.careTeams.setParticipantStatus(id, 'Organization/lab', 'entered-in-error');
        expect(await found(`_id=${id}.entered-in-error`)).toEqual([`${id}.entered-in-error`]);
        expectError(await clinic().get(`/CareTeam?_id=${id}p`), 400, 'http._id');
      });
    });

    describe('status | string | One of: proposed, active, suspended, inactive, entered-in-error', () => {
      test.each(participantStatuses)('%s', async (status) => {
        await fill();
        const id = status === 'active' ? 'amy' : `amy.${status}`;
        expect(await found(`patient=amy&status=${status}`)).toEqual([id]);
      });
      test('refused: any other', async () => {
        expectError(await clinic().get('/CareTeam?status=gone'), 400, 'http.status');
      });
    });

    test('When no status is given, the id of every care team in a non-active status in the result ends in `.<status>`', async () => {
      await fill();
      expect((await found('patient=amy')).sort()).toEqual([
        ...['amy', 'amy.entered-in-error', 'amy.inactive', 'amy.proposed', 'amy.suspended'],
      ]);
    });
  });
});
