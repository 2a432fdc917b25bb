import { describe, expect, test } from 'vitest';
import { ada, bob, leadExtension, participant, team } from '../../builders.ts';
import { cardiologist } from '../../clinic.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

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
          extension: leadExtension(true),
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

    test('a complete body is accepted', async () => {
      expectNullBody(await send(whole), 200);
    });
    test.each<[string, Path, string]>([
      ['id | string | yes | Care team (patient) identifier', ['id'], 'CareTeam.id'],
      [
        'subject | object | no | When supplied, reference is required (`Patient/<patient_id>`)',
        ['subject', 'reference'],
        'CareTeam.subject.reference',
      ],
      [
        'participant[].extension | Elements have url (required',
        [...one, 'extension', 0, 'url'],
        'CareTeam.participant[0].extension[0].url',
      ],
      [
        'participant[].extension | and valueBoolean (required, boolean)',
        [...one, 'extension', 0, 'valueBoolean'],
        'CareTeam.participant[0].extension[0].valueBoolean',
      ],
      ['participant[].role | array of object | yes', [...one, 'role'], 'CareTeam.participant[0].role'],
      [
        'participant[].role | Each has coding (array, required)',
        [...one, 'role', 0, 'coding'],
        'CareTeam.participant[0].role[0].coding',
      ],
      ...(['system', 'code', 'display'] as const).map((name): [string, Path, string] => [
        `participant[].role | with system, code, display, all required: ${name}`,
        [...one, 'role', 0, 'coding', 0, name],
        `CareTeam.participant[0].role[0].coding[0].${name}`,
      ]),
      ['participant[].member | object | yes', [...one, 'member'], 'CareTeam.participant[0].member'],
      [
        'participant[].member | reference (required',
        [...one, 'member', 'reference'],
        'CareTeam.participant[0].member.reference',
      ],
    ])('%s', async (_, path, expression) => {
      expectError(await send(without(path)), 400, expression);
    });
    test.each<[string, Path]>([
      ['resourceType | string | no | CareTeam', ['resourceType']],
      ['subject | object | no', ['subject']],
      ['subject | type is optional', ['subject', 'type']],
      ['participant | array of object | no', ['participant']],
      ['participant[].extension | array of object | no', [...one, 'extension']],
      ['participant[].member | type (optional)', [...one, 'member', 'type']],
    ])('%s', async (_, path) => {
      expectNullBody(await send(without(path)), 200);
    });
  });

  test('participant[].extension | url (required, only value {extension_base}/careteam-lead): another one is refused', async () => {
    const extension = [{ url: 'https://elsewhere.example/careteam-lead', valueBoolean: true }];
    const answer = await put(participant('Practitioner/ada', cardiologist, extension));
    expectError(answer, 400, 'CareTeam.participant[0].extension[0].url');
  });

  describe('participant[].member | `Practitioner/<practitioner_id>` or `Organization/<organization_id>`', () => {
    test.each(['Practitioner/ada', 'Organization/lab'])('%s', async (reference) => {
      expectNullBody(await put(participant(reference, cardiologist)), 200);
      expect((await read()).participant[0].member.reference).toBe(reference);
    });
    test.each(['Patient/amy', 'PractitionerRole/ada', 'CareTeam/amy', 'ada', 'practitioner/ada'])(
      'refused: %s',
      async (reference) => {
        const answer = await put(participant(reference, cardiologist));
        expectError(answer, 400, 'CareTeam.participant[0].member.reference');
      },
    );
  });

  test('When the extension is omitted, the existing lead stays the lead', async () => {
    await put(participant('Practitioner/ada', cardiologist, leadExtension(true)), bob);
    await put(ada, bob);
    expect(await leads()).toEqual(['Practitioner/ada']);
  });

  describe('The coding must match a care team role defined in the instance settings; must match a configured care team role', () => {
    test.each(['system', 'code'])('refused: another %s', async (name) => {
      const stranger = { ...cardiologist, [name]: 'other' };
      const answer = await put(bob, participant('Practitioner/ada', stranger));
      expectError(answer, 422, 'CareTeam.participant[1].role');
    });
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
