import { describe, expect, test } from 'vitest';
import { cardiologist, dietitian, extensionBase, nurse } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

const lead = (valueBoolean: boolean) => [{ url: `${extensionBase}/careteam-lead`, valueBoolean }];
const participant = (reference: string, role: object | null, extension?: object[]) => ({
  member: { reference },
  ...(role !== null && { role: [{ coding: [role] }] }),
  ...(extension && { extension }),
});

onEveryStore('CareTeam, PUT', (clinic) => {
  const put = (participants: object[] | undefined, extra: object = {}) =>
    clinic().send('PUT', '/CareTeam/amy', {
      body: { id: 'amy', ...(participants && { participant: participants }), ...extra },
    });
  const read = async (id = 'amy') => (await clinic().send('GET', `/CareTeam/${id}`)).json;
  const membersOf = (team: { participant?: { member: { reference: string } }[] }) =>
    (team.participant ?? []).map(({ member }) => member.reference);

  test('participants sent become the active ones, and 200 with a null body is answered', async () => {
    const answer = await put([
      participant('Practitioner/ada', cardiologist, lead(true)),
      participant('Organization/lab', null),
    ]);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      200,
      'null',
      'application/json',
    ]);
    expect(await read()).toEqual({
      resourceType: 'CareTeam',
      id: 'amy',
      status: 'active',
      name: 'Care Team for Shaw, Amy',
      subject: { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
      participant: [
        {
          extension: lead(true),
          role: [{ coding: [cardiologist] }],
          member: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' },
        },
        { member: { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' } },
      ],
    });
  });

  test('participants no longer sent are marked inactive', async () => {
    await put([participant('Practitioner/ada', cardiologist), participant('Practitioner/bob', nurse)]);
    await put([participant('Practitioner/bob', nurse)]);
    expect(membersOf(await read())).toEqual(['Practitioner/bob']);
    expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada']);
  });

  describe('omitted or empty list: every participant is inactivated', () => {
    test.each([
      ['omitted', undefined],
      ['empty', []],
    ])('%s', async (_, participants) => {
      await put([participant('Practitioner/ada', cardiologist), participant('Organization/lab', null)]);
      await put(participants);
      expect(await read()).not.toHaveProperty('participant');
      expect(membersOf(await read('amy.inactive'))).toEqual(['Practitioner/ada', 'Organization/lab']);
    });
  });

  test('what was read can be put back, and changes nothing', async () => {
    await put([
      participant('Practitioner/ada', cardiologist, lead(true)),
      participant('Practitioner/bob', nurse),
      participant('Organization/lab', null),
    ]);
    const before = await clinic().send('GET', '/CareTeam/amy');
    const answer = await clinic().send('PUT', '/CareTeam/amy', { body: before.json });
    expect(answer.status).toBe(200);
    expect((await clinic().send('GET', '/CareTeam/amy')).headers.etag).toBe(before.headers.etag);
  });

  test('rule 6: two leads are refused', async () => {
    const answer = await put([
      participant('Practitioner/ada', cardiologist, lead(true)),
      participant('Practitioner/bob', dietitian, lead(true)),
    ]);
    expect(answer.status).toBe(422);
    expect(answer.json.issue.map((issue: { expression: string[] }) => issue.expression[0])).toEqual([
      'CareTeam.participant[0].extension',
      'CareTeam.participant[1].extension',
    ]);
  });
});
