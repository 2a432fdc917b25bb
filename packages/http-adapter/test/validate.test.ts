import type { AccessEvent, ClinicalRecordsOptions } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import {
  ada,
  enteredInError,
  goal,
  immunizationStatement,
  labOrder,
  statement,
  team,
  withoutId,
} from './builders.ts';
import { type Clinic, createHandler, createRecords, createSender, extensionBase } from './clinic.ts';
import { onEveryStore } from './stores.ts';

type Sent = readonly [method: 'POST' | 'PUT', path: string, body: object];

const bens = { patient: { reference: 'Patient/ben' } };

/** Writes, each with what is wrong with it if anything is. */
const writes: Readonly<Record<string, Sent>> = {
  'a statement': ['POST', '/Immunization', statement()],
  'a statement without a vaccine': ['POST', '/Immunization', statement({ vaccineCode: undefined })],
  'a dose that was given here': ['POST', '/Immunization', statement({ primarySource: true })],
  'a statement about an unknown patient': [
    'POST',
    '/Immunization',
    statement({ patient: { reference: 'Patient/nobody' } }),
  ],
  'a statement that is entered in error': ['PUT', '/Immunization/shot', enteredInError()],
  'a statement of another patient': ['PUT', '/Immunization/shot', enteredInError('shot', bens)],
  'another id than that of the path': ['PUT', '/Immunization/shot', enteredInError('other')],
  'a statement that does not exist': ['PUT', '/Immunization/none', enteredInError('none')],
  'a team': ['PUT', '/CareTeam/amy', team(ada)],
  'a team with a practitioner who is unknown': [
    'PUT',
    '/CareTeam/amy',
    team({ ...ada, member: { reference: 'Practitioner/nobody' } }),
  ],
  'a command that is staged': ['POST', '/commands', withoutId(goal())],
  'a command that is committed at once': ['POST', '/commands', { ...withoutId(labOrder()), commit: true }],
  'an update of a goal that does not exist': [
    'POST',
    '/commands',
    { kind: 'updateGoal', goalId: 'none', progress: 'A mile', commit: true },
  ],
  'a command without a kind': ['POST', '/commands', {}],
  'a commit': ['POST', '/commands/Goal/run/0/commit', {}],
  'a commit of what is committed': ['POST', '/commands/Goal/walk/0/commit', {}],
  'an end of a command': ['POST', '/commands/Goal/run/0/discard', { reason: 'Twice.' }],
  'a status of a participant': [
    'POST',
    '/commands/CareTeam/amy',
    { member: 'Organization/home', status: 'proposed' },
  ],
  'a status of a participant that is unknown': [
    'POST',
    '/commands/CareTeam/amy',
    { member: 'Organization/none', status: 'proposed' },
  ],
};

const fill = async ({ records: { chart } }: Clinic) => {
  const by = { by: 'Practitioner/ada' } as const;
  await chart.record(immunizationStatement(), by);
  await chart.record(goal(), by);
  await chart.stage(goal({ id: 'run' }));
};

const fine = {
  severity: 'information',
  code: 'informational',
  details: { text: 'OK' },
  diagnostics: 'It would be written. Nothing was written.',
};

onEveryStore('$validate', (clinic) => {
  const open = (options: Partial<ClinicalRecordsOptions> = {}) => {
    const { store, clock } = clinic();
    const records = createRecords(store, { clock: clock.now, ...options });
    return createSender(createHandler(records, { chartCommands: true }));
  };

  test.each(Object.entries(writes))(
    'finds what the write is refused for, and writes nothing: %s',
    async (_, sent) => {
      const [method, path, body] = sent;
      await fill(clinic());
      const send = open();
      const before = (await clinic().feed()).length;
      const validated = await send('POST', `${path}/$validate`, { body });
      expect((await clinic().feed()).length).toBe(before);
      const { status, json } = await send(method, path, { body });
      expect([validated.status, validated.json]).toEqual([
        200,
        { resourceType: 'OperationOutcome', issue: status < 300 ? [fine] : json.issue },
      ]);
    },
  );

  test('takes Parameters with the resource, and its mode', async () => {
    await fill(clinic());
    const send = open();
    const validate = (path: string, ...parameter: readonly object[]) =>
      send('POST', `${path}/$validate`, { body: { resourceType: 'Parameters', parameter } });
    const sent = { name: 'resource', resource: { resourceType: 'Immunization', ...statement() } };
    const retracted = { name: 'resource', resource: { resourceType: 'Immunization', ...enteredInError() } };
    const mode = (valueCode: string) => ({ name: 'mode', valueCode });
    for (const { json } of [
      await validate('/Immunization', sent),
      await validate('/Immunization', mode('create'), sent),
      await validate('/Immunization/shot', retracted, mode('update')),
      await send('POST', '/Immunization/$validate?mode=create', { body: statement() }),
    ])
      expect(json.issue).toEqual([fine]);
  });

  const parameters = (...parameter: readonly unknown[]) => ({ resourceType: 'Parameters', parameter });
  const resource = { name: 'resource', resource: statement() };
  const update = { name: 'mode', valueCode: 'update' };

  type Refusal = readonly [name: string, rule: string, query: string, body: object, expression: string];
  const refusals: readonly Refusal[] = [
    ['another mode', 'validate-mode', '', parameters(update, resource), 'Parameters.parameter[0]'],
    ['another mode at the end', 'validate-mode', '', parameters(resource, update), 'Parameters.parameter[1]'],
    ['another mode in the query', 'validate-mode', '?mode=delete', statement(), 'http.mode'],
    ['the same beside Parameters', 'validate-mode', '?mode=delete', parameters(resource), 'http.mode'],
    ['no resource', 'validate-parameters', '', { resourceType: 'Parameters' }, 'Parameters.parameter'],
    [
      ...(['a profile', 'validate-parameters', ''] as const),
      parameters(resource, { name: 'profile', valueUri: 'urn:x' }),
      'Parameters.parameter',
    ],
    ['a profile in the query', 'validate-parameters', '?profile=urn:x', statement(), 'http.query'],
    ['null among the parameters', 'validate-parameters', '', parameters(null), 'Parameters.parameter'],
  ];

  test.each(refusals)(
    'is a 400 if it cannot judge what was sent: %s',
    async (_, code, query, body, expression) => {
      const { status, json } = await open()('POST', `/Immunization/$validate${query}`, { body });
      expect([status, json.issue]).toEqual([400, [expect.objectContaining({ expression: [expression] })]]);
      expect(json.issue[0].details.coding).toEqual([expect.objectContaining({ code })]);
    },
  );

  test('asks the rules of the host, and has their warnings', async () => {
    const issue = { rule: 'acme', message: 'Acme.', expression: 'Immunization.lotNumber' };
    const send = open({
      rules: {
        Immunization: ({ after: { lotNumber } }) =>
          lotNumber === undefined ? [] : [{ ...issue, severity: lotNumber === 'bad' ? 'error' : 'warning' }],
      },
    });
    const validate = async (lotNumber: string) =>
      (await send('POST', '/Immunization/$validate', { body: statement({ lotNumber }) })).json.issue;
    const of = {
      code: 'business-rule',
      diagnostics: 'Acme.',
      expression: ['Immunization.lotNumber'],
    };
    const coding = [{ system: `${extensionBase}/rules`, code: 'acme' }];
    expect(await validate('bad')).toEqual([
      { ...of, severity: 'error', details: { coding, text: 'Unprocessable entity' } },
    ]);
    expect(await validate('odd')).toEqual([
      fine,
      { ...of, severity: 'warning', details: { coding, text: 'OK' } },
    ]);
  });

  test('ignores a key and the conditions', async () => {
    await fill(clinic());
    const send = open();
    const headers = {
      'idempotency-key': 'k',
      'if-match': 'W/"99"',
      'if-none-match': '*',
      'if-none-exist': 'nonsense',
      'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT',
    };
    for (const [path, body] of [
      ['/Immunization', statement()],
      ['/CareTeam/amy', team(ada)],
      ['/commands/Goal/run/0/commit', {}],
    ] as const) {
      const { status, json } = await send('POST', `${path}/$validate`, { body, headers });
      expect([status, json.issue]).toEqual([200, [fine]]);
    }
    // The key is not used up.
    const posted = await send('POST', '/Immunization', {
      body: statement({ lotNumber: 'A' }),
      headers: { 'idempotency-key': 'k' },
    });
    expect(posted.status).toBe(201);
  });

  test('uses up no id, and stores nothing that `resolve` returns', async () => {
    const newId = () => expect.unreachable('A validation needs no id of the host.');
    const resolve = (type: string, id: string) =>
      type === 'Patient' && id === 'new' ? { id, lastName: 'Roe' } : null;
    const send = open({ newId, resolve });
    const before = await clinic().feed();
    const body = statement({ patient: { reference: 'Patient/new' } });
    expect((await send('POST', '/Immunization/$validate', { body })).json.issue).toEqual([fine]);
    expect(await clinic().feed()).toEqual(before);
  });

  test('needs the scope and the reach of the write', async () => {
    await fill(clinic());
    const send = open();
    const statusOf = async (token: string, path: string, body: object) =>
      (await send('POST', `${path}/$validate`, { token, body })).status;
    expect(await statusOf('reader', '/Immunization', statement())).toBe(403);
    expect(await statusOf('reader', '/commands', withoutId(goal()))).toBe(403);
    expect(await statusOf('amy', '/Immunization', statement())).toBe(200);
    expect(await statusOf('amy', '/Immunization', statement(bens))).toBe(403);
    expect(await statusOf('amy', '/CareTeam/ben', { id: 'ben' })).toBe(403);
    expect(await statusOf('amy', '/CareTeam/amy', { id: 'amy' })).toBe(200);
    expect(await statusOf('full', '/CareTeam/nobody', { id: 'nobody' })).toBe(404);
  });

  test('needs the scope of each step that the body asks for', async () => {
    await fill(clinic());
    const statusOf = async (scopes: string, path: string, body: object) => {
      const authenticate = () => ({ subject: 'Practitioner/bob', scopes }) as const;
      const handler = createHandler(clinic().records, { chartCommands: true, authenticate });
      return (await createSender(handler)('POST', `${path}/$validate`, { body })).status;
    };
    const proposal = withoutId(goal());
    expect(await statusOf('user/Command.c', '/commands', proposal)).toBe(200);
    expect(await statusOf('user/Command.c', '/commands', { ...proposal, commit: true })).toBe(403);
    expect(await statusOf('user/Command.cu', '/commands', { ...proposal, commit: true })).toBe(200);
  });

  test('takes no body where the write needs none', async () => {
    await fill(clinic());
    const send = open();
    expect((await send('POST', '/commands/Goal/run/0/commit/$validate')).json.issue).toEqual([fine]);
    expect((await send('POST', '/commands/$validate')).status).toBe(400);
  });

  test.each(['/Goal/$validate', '/Goal/walk/$validate', '/ServiceRequest/$validate', '/CareTeam/$validate'])(
    'is not served for what no body writes: %s',
    async (path) => {
      const { status, headers } = await open()('POST', path, { body: {} });
      expect([status, headers.allow]).toEqual([405, '']);
    },
  );

  test('is a POST', async () => {
    const { status, headers } = await open()('GET', '/Immunization/$validate');
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });
});

onEveryStore('$validate and the audit', (clinic) => {
  const audited = async (path: string, body: object) => {
    await fill(clinic());
    const events: AccessEvent[] = [];
    const records = createRecords(clinic().store, { onAccess: (event) => void events.push(event) });
    await createSender(createHandler(records, { chartCommands: true }))('POST', path, { body });
    return events;
  };
  const operation = { interaction: 'operation', resources: [], outcome: 'success', status: 200 };

  describe('is an operation about the patients whom the body names', () => {
    test.each<[string, string, object, string]>([
      ['a resource', '/Immunization/$validate', statement(), 'Immunization'],
      [
        'a resource that is refused',
        '/Immunization/$validate',
        statement({ status: 'not-done' }),
        'Immunization',
      ],
      ['a command', '/commands/$validate', withoutId(goal()), 'Command'],
      ['a command that is refused', '/commands/$validate', { kind: 'goal', patientId: 'amy' }, 'Command'],
      ['a step', '/commands/Goal/run/0/commit/$validate', {}, 'Goal'],
      ['a team that is refused', '/CareTeam/amy/$validate', { id: 'amy', participant: 7 }, 'CareTeam'],
    ])('%s', async (_, path, body, resourceType) => {
      expect(await audited(path, body)).toEqual([
        expect.objectContaining({ ...operation, resourceType, patientIds: ['amy'] }),
      ]);
    });
  });
});
