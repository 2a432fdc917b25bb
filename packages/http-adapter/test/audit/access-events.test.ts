import { type AccessEvent, ClinicalRecordsError, type OnAccess } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpHandlerOptions } from '../../src/index.ts';
import { ada, enteredInError, goal, immunizationStatement, labOrder, statement, team } from '../builders.ts';
import { createHandler, createRecords, createSender, openClinic, type RequestOptions } from '../clinic.ts';

const store = createMemoryStore();
const clinic = await openClinic(store);
for (const patientId of ['amy', 'ben']) {
  await clinic.record(goal({ id: `goal-${patientId}`, patientId }));
  await clinic.stage(goal({ id: `staged-${patientId}`, patientId }));
  await clinic.record(labOrder({ id: `order-${patientId}`, patientId }));
  await clinic.record(immunizationStatement({ id: `shot-${patientId}`, patientId }));
}

const events: AccessEvent[] = [];
beforeEach(() => {
  events.length = 0;
});
const record: OnAccess = async (event) => {
  await null;
  events.push(event);
};
const recordsWith = (onAccess: OnAccess) =>
  createRecords(store, { clock: () => new Date('2026-03-02T09:00:00Z'), onAccess });
const records = recordsWith(record);
const senderWith = (onAccess: OnAccess, options: Partial<HttpHandlerOptions> = {}) =>
  createSender(createHandler(recordsWith(onAccess), options));
const send = senderWith(record, { chartCommands: true });

const goalOf = (patientId: string) => ({
  ...{ type: 'Goal', id: `goal-${patientId}`, version: 1, patientId },
});
const shown = { outcome: 'success', rules: [], status: 200, by: 'Practitioner/ada' } as const;
const onGoal = { interaction: 'read', resourceType: 'Goal' } as const;

describe('each request is one event, with who asked, what for, and everything that was returned', () => {
  test.each<
    readonly [what: string, request: readonly [string, string, RequestOptions?], Partial<AccessEvent>]
  >([
    [
      'a read',
      ['GET', '/Goal/goal-amy'],
      { ...shown, ...onGoal, id: 'goal-amy', resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'a read whose version the client has',
      ['GET', '/Goal/goal-amy', { headers: { 'if-none-match': 'W/"1"' } }],
      { ...shown, ...onGoal, status: 304, resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'a read of one version',
      ['GET', '/Goal/goal-amy/_history/1'],
      { ...shown, interaction: 'vread', resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'a history',
      ['GET', '/Goal/goal-amy/_history?_count=5'],
      {
        ...shown,
        ...{ interaction: 'history', id: 'goal-amy', query: '_count=5' },
        resources: [goalOf('amy')],
      },
    ],
    [
      'a history of which only the number of versions is shown',
      ['GET', '/Goal/goal-amy/_history?_count=0'],
      { ...shown, interaction: 'history', id: 'goal-amy', resources: [], patientIds: ['amy'] },
    ],
    [
      'a team that is not stored',
      ['GET', '/CareTeam/amy'],
      { ...shown, interaction: 'read', resourceType: 'CareTeam', patientIds: ['amy'] },
    ],
    [
      'a search for all charts',
      ['GET', '/Goal'],
      {
        ...shown,
        ...{ interaction: 'search', id: null, query: '' },
        resources: [goalOf('amy'), goalOf('ben')],
        patientIds: ['amy', 'ben'],
      },
    ],
    [
      'a search with a form',
      [
        'POST',
        '/Goal/_search?_count=1',
        { body: 'patient=ben', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ],
      { ...shown, query: '_count=1&patient=ben', resources: [goalOf('ben')], patientIds: ['ben'] },
    ],
    [
      'a search that finds nothing in a chart',
      ['GET', '/Goal?patient=ben&lifecycle-status=completed'],
      { ...shown, resources: [], patientIds: ['ben'] },
    ],
    [
      'a search with what it includes',
      ['GET', '/Goal?_id=goal-amy&_include=Goal:patient&_revinclude=Provenance:target'],
      {
        ...shown,
        resources: [
          goalOf('amy'),
          { type: 'Patient', id: 'amy', version: null, patientId: 'amy' },
          { type: 'Provenance', id: 'G-goal-amy-1', version: null, patientId: 'amy' },
        ],
        patientIds: ['amy'],
      },
    ],
    [
      'a Provenance',
      ['GET', '/Provenance/G-goal-ben-1'],
      { ...shown, resourceType: 'Provenance', patientIds: ['ben'] },
    ],
    [
      'a search for Provenances',
      ['GET', '/Provenance?target=Goal/goal-ben'],
      { ...shown, interaction: 'search', patientIds: ['ben'] },
    ],
    [
      'a search for Provenances of which only the number is shown',
      ['GET', '/Provenance?target=Goal/goal-ben&_count=0'],
      { ...shown, interaction: 'search', resources: [], patientIds: ['ben'] },
    ],
    [
      'a patient of the directory',
      ['GET', '/Patient/ben'],
      {
        ...shown,
        resources: [{ type: 'Patient', id: 'ben', version: null, patientId: 'ben' }],
        patientIds: ['ben'],
      },
    ],
    [
      'a practitioner, who belongs to no chart',
      ['GET', '/Practitioner/ada'],
      {
        ...shown,
        resources: [{ type: 'Practitioner', id: 'ada', version: null, patientId: null }],
        patientIds: [],
      },
    ],
    [
      'a create, although the response does not show it',
      ['POST', '/Immunization', { body: statement() }],
      { ...shown, interaction: 'create', status: 201, patientIds: ['amy'] },
    ],
    [
      'a goal that is staged, although it cannot be read',
      ['POST', '/commands', { body: goal({ id: undefined }) }],
      {
        ...shown,
        ...{ interaction: 'create', resourceType: 'Command', id: null, status: 201, patientIds: ['amy'] },
        resources: [{ type: 'Goal', id: expect.any(String), version: 1, patientId: 'amy' }],
      },
    ],
    [
      'a goal that is committed',
      ['POST', '/commands/Goal/staged-ben/0/commit'],
      {
        ...shown,
        ...{ interaction: 'update', resourceType: 'Goal', id: 'staged-ben', patientIds: ['ben'] },
        resources: [{ type: 'Goal', id: 'staged-ben', version: 2, patientId: 'ben' }],
      },
    ],
    [
      'a command that is read',
      ['GET', '/commands/Goal/goal-amy/0'],
      { ...shown, ...onGoal, id: 'goal-amy', resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'the commands of a resource',
      ['GET', '/commands/Goal/goal-amy'],
      { ...shown, ...onGoal, id: 'goal-amy', resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'a search for commands, although it finds none',
      ['GET', '/commands?patient=amy&status=completed'],
      { ...shown, interaction: 'search', resourceType: 'Command', resources: [], patientIds: ['amy'] },
    ],
    [
      'an update',
      ['PUT', '/CareTeam/ben', { body: { ...team(ada), id: 'ben', subject: { reference: 'Patient/ben' } } }],
      { ...shown, interaction: 'update', resourceType: 'CareTeam', id: 'ben', patientIds: ['ben'] },
    ],
  ])('%s', async (_, request, expected) => {
    const { status } = await send(...request);
    expect(events).toEqual([expect.objectContaining({ status, ...expected })]);
    expect(events[0]).toMatchObject({ at: Date.parse('2026-03-02T09:00:00Z'), requestId: 'test' });
  });
});

const refused = { outcome: 'refused', resources: [], patientIds: [] } as const;

describe('a refused request is an event, with its status and the rule', () => {
  test.each<
    readonly [what: string, request: readonly [string, string, RequestOptions?], Partial<AccessEvent>]
  >([
    ['401', ['GET', '/Goal/goal-amy', { token: 'expired' }], { by: null, rules: ['bearer-token'] }],
    [
      '403',
      ['GET', '/Goal/goal-amy', { token: 'none' }],
      { by: 'Person/none', rules: ['insufficient-scope'] },
    ],
    [
      '403',
      ['GET', '/Goal?patient=ben', { token: 'amy' }],
      { by: 'Patient/amy', rules: ['other-chart'], patientIds: ['ben'] },
    ],
    [
      '404',
      ['GET', '/Goal/goal-ben', { token: 'amy' }],
      { id: 'goal-ben', rules: ['not-found'], patientIds: ['ben'] },
    ],
    ['404', ['GET', '/Observation/1'], { resourceType: null, interaction: null, rules: ['unknown-path'] }],
    ['405', ['DELETE', '/Goal/goal-amy'], { resourceType: 'Goal', interaction: null }],
    [
      '412',
      ['PUT', '/CareTeam/amy', { body: team(ada), headers: { 'if-match': 'W/"99"' } }],
      { interaction: 'update', rules: ['if-match'], patientIds: ['amy'] },
    ],
    ['422', ['PUT', '/Immunization/shot-ben', { body: enteredInError('shot-ben') }], {}],
    [
      '403',
      ['POST', '/commands/Goal/staged-amy/0/commit', { token: 'amy' }],
      { interaction: 'update', resourceType: 'Goal', id: 'staged-amy', rules: ['practitioner-only'] },
    ],
  ])('%s to %j', async (status, request, expected) => {
    expect(await send(...request)).toMatchObject({ status: Number(status) });
    expect(events).toEqual([expect.objectContaining({ ...refused, status: Number(status), ...expected })]);
  });
});

describe('an event names only the patients whom the sender reaches', () => {
  test.each<readonly [answer: 'allow' | 'deny' | { limitTo: string[] }, path: string, patientIds: string[]]>([
    ['allow', '/Goal?patient=ben&lifecycle-status=completed', ['ben']],
    ['deny', '/Goal?patient=ben', []],
    [{ limitTo: ['amy', 'cyd', 'dan'] }, '/Goal', ['amy']],
    [{ limitTo: ['cyd'] }, '/Goal', ['cyd']],
    [{ limitTo: ['cyd', 'dan'] }, '/Goal?patient=dan,ben', ['dan']],
  ])('%j for %s', async (answer, path, patientIds) => {
    await senderWith(record, { authorize: () => answer })('GET', path);
    expect(events).toMatchObject([{ outcome: 'success', patientIds }]);
  });
});

test('a stream of a chart is an event that names the patient, when it begins', async () => {
  const stop = new AbortController();
  const handler = createHandler(records, { events: { signal: stop.signal } });
  const headers = { authorization: 'Bearer full' };
  await handler({ method: 'GET', url: '/fhir/events?patient=amy', headers });
  stop.abort();
  expect(events).toMatchObject([
    { interaction: 'operation', outcome: 'success', query: 'patient=amy', patientIds: ['amy'] },
  ]);
});

test('a document for everybody and a preflight make no event', async () => {
  const sendCors = senderWith(record, { cors: { origins: '*' } });
  await sendCors('GET', '/metadata', { token: null });
  await sendCors('OPTIONS', '/Goal', { headers: { 'access-control-request-method': 'GET' } });
  expect(events).toEqual([]);
});

test('an event has the client of the principal and the address of the connection', async () => {
  const handler = createHandler(records, {
    authenticate: () => ({ subject: 'Practitioner/ada', scopes: ['user/*.rs'], client: 'growth-chart' }),
  });
  await handler({
    ...{ method: 'GET', url: '/fhir/Goal/goal-amy', headers: { authorization: 'Bearer x' } },
    source: { socket: { remoteAddress: '10.0.0.7' } },
  });
  expect(events).toMatchObject([{ client: 'growth-chart', address: '10.0.0.7' }]);
});

test('an event has the address of a client that disconnects while the request is handled', async () => {
  const socket: { remoteAddress?: string } = { remoteAddress: '10.0.0.7' };
  const handler = createHandler(records, {
    authenticate: () => {
      delete socket.remoteAddress;
      return { subject: 'Practitioner/ada', scopes: ['user/*.cruds'] };
    },
  });
  await handler({
    ...{ method: 'POST', url: '/fhir/Immunization', headers: { authorization: 'Bearer x' } },
    ...{ body: JSON.stringify(statement()), source: { socket } },
  });
  expect(events).toMatchObject([{ interaction: 'create', outcome: 'success', address: '10.0.0.7' }]);
});

describe('if an access cannot be recorded, the response is a 503 without a line of the chart', () => {
  const down: OnAccess = () => Promise.reject(new Error('The log is full.'));
  const causes: Error[] = [];
  const sendUnrecorded = senderWith(down, { onError: (cause) => causes.push(cause) });
  test.each([
    ['a read', 'GET', '/Goal/goal-amy', {}],
    ['a search', 'GET', '/Goal?_include=Goal:patient', {}],
    ['a refused request', 'GET', '/Goal/goal-amy', { token: 'none' }],
  ])('%s', async (_, method, path, sent) => {
    causes.length = 0;
    const { status, json, text } = await sendUnrecorded(method, path, sent);
    expect([status, json.issue[0].code, json.issue[0].details.coding[0].code]).toEqual([
      ...[503, 'transient', 'unrecorded-access'],
    ]);
    expect(text).not.toContain('amy');
    expect(causes).toEqual([new Error('The log is full.')]);
  });

  test('a write says that it may be written, and its key finds it', async () => {
    const sent = { body: statement(), headers: { 'idempotency-key': 'retry-1' } };
    const { status, json } = await sendUnrecorded('POST', '/Immunization', sent);
    expect([status, json.issue[0].details.coding[0].code]).toEqual([503, 'unrecorded-write']);
    const before = (await clinic.feed()).length;
    expect(await send('POST', '/Immunization', sent)).toMatchObject({ status: 201 });
    expect((await clinic.feed()).length).toBe(before);
  });

  test('a call in process rejects', async () => {
    const call = recordsWith(down).goals.read('goal-amy', { by: 'Practitioner/ada' });
    await expect(Promise.resolve(call)).rejects.toMatchObject({
      ...{ name: 'ClinicalRecordsError', tag: 'StoreFailure', issues: [{ rule: 'unrecorded-access' }] },
    });
  });

  test('nor if it is not recorded within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const errors: Error[] = [];
    const recording: PromiseWithResolvers<void>[] = [];
    const sendAndWait = senderWith(
      () => {
        recording.at(-1)?.resolve();
        return new Promise(() => {});
      },
      { onError: (cause) => errors.push(cause) },
    );
    const late = async (...sent: Parameters<typeof send>) => {
      const recorded = Promise.withResolvers<void>();
      recording.push(recorded);
      const answer = sendAndWait(...sent);
      await recorded.promise;
      await vi.advanceTimersByTimeAsync(10_000);
      const { status, json, text } = await answer;
      return [status, json.issue[0].details.coding[0].code, text.includes('amy')];
    };
    expect(await late('GET', '/Goal/goal-amy')).toEqual([503, 'unrecorded-access', false]);
    const before = (await clinic.feed()).length;
    expect(await late('POST', '/Immunization', { body: statement() })).toEqual([
      ...[503, 'unrecorded-write', false],
    ]);
    expect((await clinic.feed()).length).toBeGreaterThan(before);
    expect(errors).toEqual(Array(2).fill(new Error('onAccess() returned nothing within 10000 ms.')));
  });

  test('an iteration yields nothing', async () => {
    const yielded: unknown[] = [];
    const walk = async () => {
      const all = recordsWith(down).goals.all({}, { by: 'Practitioner/ada' });
      for await (const one of all) yielded.push(one);
    };
    await expect(walk()).rejects.toThrow(ClinicalRecordsError);
    expect(yielded).toEqual([]);
  });
});

const by = 'Practitioner/ada';

describe('each call in process that names a user is one event', () => {
  const throwing = () => {
    throw new Error('boom');
  };
  const inProcess = { by, status: null, requestId: null, outcome: 'success' } as const;
  test.each<readonly [what: string, call: () => PromiseLike<unknown>, Partial<AccessEvent>]>([
    [
      'read',
      () => records.goals.read('goal-amy', { by }),
      { ...onGoal, id: 'goal-amy', resources: [goalOf('amy')] },
    ],
    [
      'asJson.read',
      () => records.careTeams.asJson.read('amy', { by }),
      { resourceType: 'CareTeam', patientIds: ['amy'] },
    ],
    ['readVersion', () => records.goals.readVersion('goal-amy', 1, { by }), { resources: [goalOf('amy')] }],
    ['history', () => records.goals.history('goal-ben', { by }), { resources: [goalOf('ben')] }],
    [
      'search',
      () => records.goals.search({ patient: 'amy' }, { by }),
      { interaction: 'search', query: 'patient=amy', resources: [goalOf('amy')], patientIds: ['amy'] },
    ],
    [
      'a search that includes what is in the directory',
      () => records.goals.asJson.search({ _id: 'goal-amy', _include: 'Goal:patient' }, { by }),
      {
        resources: [goalOf('amy'), { type: 'Patient', id: 'amy', version: null, patientId: 'amy' }],
      },
    ],
    ['Provenance', () => records.provenance.read('G-goal-ben-1', { by }), { patientIds: ['ben'] }],
    ['readResource', () => records.directory.readResource('Patient', 'ben', { by }), { patientIds: ['ben'] }],
    [
      'commandsOf',
      () => records.chart.commandsOf({ resourceType: 'Goal', resourceId: 'goal-ben' }, { by }),
      { patientIds: ['ben'] },
    ],
    [
      'chart.record',
      () => records.chart.record(labOrder({ id: 'order-2' }), { by }),
      { interaction: 'create', patientIds: ['amy'] },
    ],
    [
      'setParticipantStatus',
      () =>
        records.careTeams
          .setParticipantStatus('amy', 'Patient/amy' as never, 'active', { by })
          .then(null, () => {}),
      { interaction: 'update', resourceType: 'CareTeam', id: 'amy', outcome: 'refused' },
    ],
    [
      'removeAllParticipants',
      () => records.careTeams.removeAllParticipants('ben', { by }),
      { interaction: 'update', resourceType: 'CareTeam', id: 'ben', patientIds: ['ben'] },
    ],
    [
      'create',
      () => records.immunizations.create(statement() as never, { by }),
      { interaction: 'create', patientIds: ['amy'] },
    ],
    [
      'a refused step of a command',
      () => records.chart.commit('Goal/none/0', { by }).then(null, () => {}),
      { interaction: 'update', id: 'Goal/none/0', outcome: 'refused' },
    ],
    [
      'a call in which the host throws',
      () => records.careTeams.read('amy', { by, authorize: throwing }).then(null, () => {}),
      { interaction: 'read', id: 'amy', outcome: 'failed', rules: [] },
    ],
    [
      'a refused read',
      () => records.goals.read('none', { by }).then(null, () => {}),
      { ...onGoal, outcome: 'refused', rules: ['not-found'], resources: [] },
    ],
  ])('%s', async (_, call, expected) => {
    await call();
    expect(events).toEqual([expect.objectContaining({ ...inProcess, ...expected })]);
  });

  test('an iteration in which the host throws is an event, too', async () => {
    const pages = records.goals.all({ patient: 'amy' }, { by, authorize: throwing });
    await expect(async () => pages.next()).rejects.toThrow('boom');
    expect(events).toMatchObject([{ interaction: 'search', outcome: 'failed', resources: [] }]);
  });

  test('an iteration is one event for each page, before its first match', async () => {
    const seen: number[] = [];
    for await (const _ of records.goals.all({ _id: 'goal-amy,goal-ben' }, { by })) seen.push(events.length);
    expect(seen).toEqual([1, 1]);
    expect(events).toMatchObject([{ interaction: 'search', patientIds: ['amy', 'ben'] }]);
  });

  test('an iteration that finds nothing is an event, too', async () => {
    for await (const _ of records.goals.all({ patient: 'cyd' }, { by })) expect.fail('Nothing is there.');
    expect(events).toMatchObject([{ resources: [], patientIds: ['cyd'] }]);
  });

  test('a call that names nobody is none', async () => {
    await records.goals.read('goal-amy');
    await records.goals.search({});
    await records.directory.read('Patient', 'amy');
    expect(events).toEqual([]);
  });

  test('a call that is awaited twice is one', async () => {
    const call = records.goals.read('goal-amy', { by });
    await call;
    await call;
    expect(events.map(({ resources }) => resources)).toEqual([[goalOf('amy')]]);
  });
});
