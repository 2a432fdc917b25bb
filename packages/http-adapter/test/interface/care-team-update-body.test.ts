import { describe, expect, test } from 'vitest';
import { expectNullBody, expectRefused } from '../answers.ts';
import { ada, bob, lead, participant, team } from '../builders.ts';
import { cardiologist } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

onEveryStore('CareTeam PUT body', (clinic) => {
  const send = (body: unknown) => clinic().put('/CareTeam/amy', body);
  const put = (...participants: object[]) => send(team(...participants));
  const read = async () => (await clinic().get('/CareTeam/amy')).json;

  const leads = async () =>
    ((await read()).participant ?? [])
      .filter((one: { extension?: { valueBoolean: boolean }[] }) => one.extension?.[0]?.valueBoolean)
      .map((one: { member: { reference: string } }) => one.member.reference);

  describe('Required', () => {
    const whole = {
      resourceType: 'CareTeam',
      id: 'amy',
      subject: { reference: 'Patient/amy', type: 'Patient' },
      participant: [
        {
          extension: lead(true),
          role: [{ coding: [cardiologist] }],
          member: { reference: 'Practitioner/ada', type: 'Practitioner' },
        },
      ],
    };
    type Path = readonly (string | number)[];
    const without = (path: Path) => {
      const body = structuredClone(whole);
      // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere
      const parent = path.slice(0, -1).reduce<any>((part, step) => part[step], body);
      delete parent[path.at(-1) as string];
      return body;
    };
    const one = ['participant', 0];

    test('with everything it is accepted', async () => {
      expectNullBody(await send(whole), 200);
    });
    test.each<[string, Path, string]>([
      ['id is required', ['id'], 'CareTeam.id'],
      [
        'subject: When supplied, reference is required (`Patient/<patient_id>`)',
        ['subject', 'reference'],
        'CareTeam.subject.reference',
      ],
      [
        'participant[].extension: url (required)',
        [...one, 'extension', 0, 'url'],
        'CareTeam.participant[0].extension[0].url',
      ],
      [
        'participant[].extension: valueBoolean (required)',
        [...one, 'extension', 0, 'valueBoolean'],
        'CareTeam.participant[0].extension[0].valueBoolean',
      ],
      ['participant[].role is required', [...one, 'role'], 'CareTeam.participant[0].role'],
      [
        'participant[].role: coding (array, required)',
        [...one, 'role', 0, 'coding'],
        'CareTeam.participant[0].role[0].coding',
      ],
      ...(['system', 'code', 'display'] as const).map((name): [string, Path, string] => [
        `participant[].role: coding with system, code, display, all required: ${name}`,
        [...one, 'role', 0, 'coding', 0, name],
        `CareTeam.participant[0].role[0].coding[0].${name}`,
      ]),
      ['participant[].member is required', [...one, 'member'], 'CareTeam.participant[0].member'],
      [
        'participant[].member: reference (required)',
        [...one, 'member', 'reference'],
        'CareTeam.participant[0].member.reference',
      ],
    ])('%s', async (_, path, expression) => {
      expectRefused(await send(without(path)), 400, expression);
    });
    test.each<[string, Path]>([
      ['resourceType is not required', ['resourceType']],
      ['subject is not required', ['subject']],
      ['subject.type is optional', ['subject', 'type']],
      ['participant is not required', ['participant']],
      ['participant[].extension is not required', [...one, 'extension']],
      ['participant[].member: type (optional)', [...one, 'member', 'type']],
    ])('%s', async (_, path) => {
      expectNullBody(await send(without(path)), 200);
    });
  });

  test('participant[].extension: url, only value {extension_base}/careteam-lead', async () => {
    const extension = [{ url: 'https://elsewhere.example/careteam-lead', valueBoolean: true }];
    const answer = await put(participant('Practitioner/ada', cardiologist, extension));
    expectRefused(answer, 400, 'CareTeam.participant[0].extension[0].url');
  });

  test('When the extension is omitted, the existing lead stays the lead', async () => {
    await put(participant('Practitioner/ada', cardiologist, lead(true)), bob);
    await put(ada, bob);
    expect(await leads()).toEqual(['Practitioner/ada']);
  });

  test('The coding must match a care team role defined in the instance settings', async () => {
    const stranger = { system: cardiologist.system, code: '1', display: 'Cardiologist' };
    const answer = await put(bob, participant('Practitioner/ada', stranger));
    expectRefused(answer, 422, 'CareTeam.participant[1].role');
  });

  describe('The sample request bodies also carry top-level status and name and subject.display', () => {
    test('which are accepted', async () => {
      const subject = { reference: 'Patient/amy', display: 'X, Y' };
      expectNullBody(await send({ id: 'amy', status: 'inactive', name: 'X', subject }), 200);
      const { status, name, subject: read_ } = await read();
      expect([status, name, read_.display]).toEqual(['active', 'Care Team for Shaw, Amy', 'Shaw, Amy']);
    });
  });
});
