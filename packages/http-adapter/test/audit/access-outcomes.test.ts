import type { AccessEvent, ClinicalStore, OnAccess } from '@clinical-records/core';
import { createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import * as E from 'fp-ts/lib/Either.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpHandlerOptions } from '../../src/index.ts';
import { ada, enteredInError, goal, labOrder, participant, statement, team } from '../builders.ts';
import {
  createHandler,
  createRecords,
  createSender,
  nurse,
  openClinic,
  type ParsedResponse,
  type RequestOptions,
} from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';

const by = 'Practitioner/ada';

/** A clinic whose accesses are recorded. */
const openRecorded = async (options: Partial<HttpHandlerOptions> = {}) => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  for (const patientId of ['amy', 'ben']) {
    await clinic.record(goal({ id: `goal-${patientId}`, patientId }));
    await clinic.stage(goal({ id: `staged-${patientId}`, patientId }));
    await clinic.record(labOrder({ id: `order-${patientId}`, patientId }));
  }
  const shot = await clinic.records.immunizations.create(
    statement({ patient: { reference: 'Patient/ben' }, id: undefined }),
  );
  const events: AccessEvent[] = [];
  const onAccess: OnAccess = (event) => events.push(event);
  const records = createRecords(store, { onAccess });
  const handler = createHandler(records, { chartCommands: true, events: {}, ...options });
  return { clinic, records, events, send: createSender(handler), shot: shot.id };
};

type Opened = Awaited<ReturnType<typeof openRecorded>>;

let opened: Opened;
beforeEach(async () => {
  opened = await openRecorded();
});

describe('a write that writes nothing is recorded as a read of what was there', () => {
  const identifier = [{ system: 'urn:registry', value: 'A-1' }];
  const conditional = { headers: { 'if-none-exist': 'identifier=urn:registry|A-1' } };
  const keyed = { headers: { 'idempotency-key': 'key-1' } };
  const walking = { ...goal(), id: undefined };

  test.each<
    readonly [
      what: string,
      write: 'create' | 'update',
      path: string | ((opened: Opened) => string),
      RequestOptions & { readonly method?: 'PUT' },
    ]
  >([
    ['a conditional create', 'create', '/Immunization', { body: statement({ identifier }), ...conditional }],
    ['a create under a key', 'create', '/Immunization', { body: statement(), ...keyed }],
    ['a command under a key', 'create', '/commands', { body: walking, ...keyed }],
    ['a commit under a key', 'update', '/commands/Goal/staged-amy/0/commit', keyed],
    ['a discard', 'update', '/commands/Goal/staged-amy/0/discard', {}],
    ['an order entered in error', 'update', '/commands/ServiceRequest/order-amy/0/enter-in-error', {}],
    ['the update of a team', 'update', '/CareTeam/amy', { method: 'PUT', body: team(ada) }],
    [
      'the status of a participant',
      'update',
      '/commands/CareTeam/amy',
      { body: { member: 'Organization/home', status: 'proposed' } },
    ],
  ])('%s', async (_, write, path, { method = 'POST', ...sent }) => {
    const { send, events, clinic } = opened;
    const request = () => send(method, `${path}`, sent);
    await request();
    const feed = await clinic.feed();
    const { status } = await request();
    expect(await clinic.feed()).toEqual(feed);
    const [first, second] = events;
    expect(first).toMatchObject({ interaction: write, outcome: 'success', patientIds: ['amy'] });
    expect(second).toEqual({
      ...{ ...first, at: expect.any(Number), interaction: 'read', status },
      resources: first?.resources,
    });
  });

  test('an immunization entered in error', async () => {
    const { send, events, shot } = opened;
    const body = enteredInError(shot, { patient: { reference: 'Patient/ben' } });
    for (const _ of [1, 2]) await send('PUT', `/Immunization/${shot}`, { body });
    expect(events).toMatchObject([
      { interaction: 'update', patientIds: ['ben'], resources: [{ id: shot, version: 2 }] },
      { interaction: 'read', patientIds: ['ben'], resources: [{ id: shot, version: 2 }] },
    ]);
  });

  test('a discard of what was discarded, also under a key of its own', async () => {
    const { send, events } = opened;
    for (const key of ['key-1', 'key-2'])
      await send('POST', '/commands/Goal/staged-amy/0/discard', { headers: { 'idempotency-key': key } });
    const [first, second] = events;
    expect(first).toMatchObject({ interaction: 'update', outcome: 'success', patientIds: ['amy'] });
    expect(second).toEqual({ ...first, at: expect.any(Number), interaction: 'read' });
  });

  test.each<readonly [what: string, write: 'create' | 'update', call: (opened: Opened) => Promise<unknown>]>([
    [
      'immunizations.create',
      'create',
      ({ records }) => records.immunizations.create(statement(), { by, idempotencyKey: 'key-1' }),
    ],
    [
      'immunizations.asJson.create',
      'create',
      ({ records }) =>
        records.immunizations.asJson.create(statement({ identifier }), {
          by,
          ifNoneExist: 'identifier=urn:registry|A-1',
        }),
    ],
    ['chart.stage', 'create', ({ records }) => records.chart.stage(walking, { by, idempotencyKey: 'key-1' })],
    [
      'chart.commit',
      'update',
      ({ records }) => records.chart.commit('Goal/staged-amy/0', { by, idempotencyKey: 'key-1' }),
    ],
    ['chart.discard', 'update', ({ records }) => records.chart.discard('Goal/staged-amy/0', { by })],
    [
      'chart.asJson.step',
      'update',
      ({ records }) => records.chart.asJson.step('Goal/staged-amy/0', 'discard', {}, { by }),
    ],
    [
      'careTeams.update',
      'update',
      ({ records }) => records.careTeams.update('amy', team(participant(by, nurse)), { by }),
    ],
    [
      'careTeams.setParticipantStatus',
      'update',
      ({ records }) => records.careTeams.setParticipantStatus('amy', 'Organization/home', 'active', { by }),
    ],
    [
      'careTeams.removeAllParticipants',
      'update',
      async ({ records }) => {
        await records.careTeams.setParticipantStatus('amy', 'Organization/home', 'active');
        await records.careTeams.removeAllParticipants('amy', { by });
        await records.careTeams.removeAllParticipants('amy', { by });
      },
    ],
  ])('%s in process', async (_, write, call) => {
    await call(opened);
    if (opened.events.length === 1) await call(opened);
    const [first, second] = opened.events;
    expect(first).toMatchObject({ interaction: write, outcome: 'success', patientIds: ['amy'] });
    expect(second).toEqual({ ...first, at: expect.any(Number), interaction: 'read' });
  });
});

describe('a refused look is recorded with the patients whose charts were asked for', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const ofBen = statement({ patient: { reference: 'Patient/ben' } });

  test.each<readonly [request: readonly [string, string, RequestOptions?], status: number, string[]]>([
    [['GET', '/Immunization?patient=ben'], 403, ['ben']],
    [['GET', '/Goal?subject=Patient/ben'], 403, ['ben']],
    [['GET', '/Goal?patient=amy,ben'], 403, ['amy', 'ben']],
    [['POST', '/Goal/_search', { body: 'patient=ben', headers: form }], 403, ['ben']],
    [['GET', '/commands?patient=ben'], 403, ['ben']],
    [['GET', '/events?patient=ben'], 403, ['ben']],
    [['GET', '/CareTeam/ben'], 403, ['ben']],
    [['GET', '/CareTeam/ben.suspended'], 403, ['ben']],
    [['GET', '/CareTeam/ben/_history'], 403, ['ben']],
    [['GET', '/CareTeam?_id=ben'], 403, ['ben']],
    [['GET', '/Patient/ben'], 403, ['ben']],
    [['GET', '/Patient/ben/$everything'], 403, ['ben']],
    [['GET', '/Patient/ben/Goal'], 403, ['ben']],
    [['PUT', '/CareTeam/ben', { body: { ...team(ada), id: 'ben' } }], 403, ['ben']],
    [['POST', '/Immunization', { body: ofBen }], 403, ['ben']],
    [['POST', '/commands', { body: { ...goal({ patientId: 'ben' }), id: undefined } }], 403, ['ben']],
    [['POST', '/commands/CareTeam/ben', { body: { member: by, status: 'proposed' } }], 403, ['ben']],
    // The existence of these is hidden from the sender, and not from the audit.
    [['GET', '/Goal/goal-ben'], 404, ['ben']],
    [['GET', '/Goal/goal-ben/_history'], 404, ['ben']],
    [['GET', '/Goal/goal-ben/_history/1'], 404, ['ben']],
    [['GET', '/Provenance/G-goal-ben-1'], 404, ['ben']],
    [['GET', '/Encounter/visit-ben'], 404, []],
    [['GET', '/commands/Goal/goal-ben/0'], 404, ['ben']],
    // Nobody's chart.
    [['GET', '/Goal/none'], 404, []],
    [['GET', '/Goal/none?patient=ben'], 404, ['ben']],
    [['GET', '/Practitioner/none'], 404, []],
  ])('%j is a %i', async (request, status, patientIds) => {
    const [method, path, sent] = request;
    expect(await opened.send(method, path, { ...sent, token: 'amy' })).toMatchObject({ status });
    expect(opened.events).toMatchObject([{ outcome: 'refused', resources: [], patientIds }]);
  });

  test('an update of an immunization in another chart', async () => {
    const { send, shot, events } = opened;
    const { status } = await send('PUT', `/Immunization/${shot}`, {
      ...{ body: enteredInError(shot), token: 'amy' },
    });
    expect(status).toBe(405);
    expect(events).toMatchObject([{ outcome: 'refused', patientIds: ['ben'] }]);
  });

  test.each([
    '/Goal?patient=ben',
    '/CareTeam/ben',
    '/CareTeam/ben.suspended',
    '/Patient/ben',
    '/Patient/ben/Goal',
    '/Patient?_id=ben',
  ])('without a scope for it: %s', async (path) => {
    expect(await opened.send('GET', path, { token: 'none' })).toMatchObject({ status: 403 });
    expect(opened.events).toMatchObject([{ outcome: 'refused', patientIds: ['ben'] }]);
  });

  test('the id of a patient is not that of a resource in the chart', async () => {
    await opened.send('GET', '/Patient/ben/Goal');
    expect(opened.events).toMatchObject([{ resourceType: 'Goal', id: null, patientIds: ['ben'] }]);
  });

  test('a request of a sender who is not known names nobody', async () => {
    await opened.send('GET', '/CareTeam/ben', { token: null });
    expect(opened.events).toMatchObject([{ outcome: 'refused', patientIds: [] }]);
  });

  test('a caller whom `authorize` denies', async () => {
    const { send, events } = await openRecorded({ authorize: () => 'deny' });
    for (const path of ['/Goal/goal-ben', '/CareTeam/ben', '/Goal/goal-ben/_history', '/Patient/ben'])
      expect((await send('GET', path)).status).toBe(404);
    expect(events.map(({ outcome, patientIds }) => [outcome, patientIds])).toEqual(
      Array(4).fill(['refused', ['ben']]),
    );
  });

  test('what is shown names nobody else', async () => {
    const { send, events } = await openRecorded({
      authorize: ({ resourceType }) => (resourceType === 'Patient' ? 'deny' : 'allow'),
    });
    await send('GET', '/Goal?_id=goal-ben&_include=Goal:patient');
    await send('GET', '/Goal?_id=goal-amy,goal-ben', { token: 'amy' });
    expect(events.map(({ patientIds }) => patientIds)).toEqual([['ben'], ['amy']]);
  });

  test.each<readonly [what: string, call: (opened: Opened) => Promise<unknown>]>([
    ['a read', ({ records }) => records.goals.read('goal-ben', { by, within: 'amy' })],
    [
      'a denied read',
      ({ records }) => records.goals.read('goal-ben', { by, authorize: async () => ({ within: [] }) }),
    ],
    ['a history', ({ records }) => records.goals.history('goal-ben', { by, within: 'amy' })],
    ['a search', ({ records }) => records.goals.search({ patient: 'ben' }, { by, within: 'amy' })],
    ['all', ({ records }) => records.goals.all({ patient: 'ben' }, { by, within: 'amy' }).next()],
    ['a team', ({ records }) => records.careTeams.read('ben', { by, within: 'amy' })],
    [
      'a member of a team',
      ({ records }) =>
        records.careTeams.setParticipantStatus('ben', by, 'active', { by, within: 'amy', role: nurse }),
    ],
    ['a patient', ({ records }) => records.directory.readResource('Patient', 'ben', { by, within: 'amy' })],
    ['a step', ({ records }) => records.chart.discard('Goal/staged-ben/0', { by, within: 'amy' })],
    ['a create', ({ records }) => records.immunizations.create(ofBen, { by, within: 'amy' })],
    ['a whole chart', ({ records }) => records.exporter.everything('ben', [], { by, within: 'amy' })],
  ])('%s in process', async (_, call) => {
    const ended = await outcomeOf(call(opened));
    expect('left' in ended).toBe(true);
    expect(opened.events).toMatchObject([{ outcome: 'refused', resources: [], patientIds: ['ben'] }]);
  });

  test('so a search in the audit of the chart finds it', async () => {
    const store = createMemoryStore();
    await openClinic(store);
    const audit = createAuditLog({ store: createMemoryAuditStore() });
    const send = createSender(createHandler(createRecords(store, { onAccess: audit.onAccess })));
    await send('GET', '/Immunization?patient=ben', { token: 'amy' });
    await send('GET', '/CareTeam/ben', { token: 'amy' });
    const { events } = await audit.search({ patientIds: ['ben'], count: 10 });
    expect(events).toMatchObject([
      { outcome: '4', subtype: [{ code: 'read' }], outcomeDesc: 'other-chart' },
      { outcome: '4', subtype: [{ code: 'search' }], outcomeDesc: 'other-chart' },
    ]);
    expect((await audit.search({ patientIds: ['amy'], count: 10 })).events).toEqual([]);
  });
});

describe('a write says that it may be written only if it may be', () => {
  const down: OnAccess = () => Promise.reject(new Error('The log is locked.'));

  const ruleOf = ({ json }: ParsedResponse) => json.issue[0].details.coding[0].code;

  test.each<readonly [what: string, commit: ClinicalStore['commit'], rule: string]>([
    [
      'locked',
      async () => E.left({ _tag: 'Locked', message: 'Locked for more than 10 s.', cause: null }),
      'unrecorded-access',
    ],
    ['away', async () => E.left({ _tag: 'Unavailable', message: 'Away.', cause: null }), 'unrecorded-access'],
    [
      'in doubt',
      async () => E.left({ _tag: 'OutcomeUnknown', message: 'Lost.', cause: null }),
      'unrecorded-write',
    ],
    ['broken', () => Promise.reject(new Error('boom')), 'unrecorded-write'],
  ])('the store is %s', async (_, commit, rule) => {
    const store = createMemoryStore();
    await openClinic(store);
    const records = createRecords({ ...store, commit }, { onAccess: down });
    const send = createSender(createHandler(records));
    const answer = await send('POST', '/Immunization', { body: statement() });
    expect([answer.status, ruleOf(answer)]).toEqual([503, rule]);
    if (rule === 'unrecorded-access' || _ === 'in doubt') {
      const ended = await outcomeOf(records.immunizations.create(statement(), { by }));
      expect(ended).toMatchObject({ left: { _tag: 'StoreFailure', issues: [{ rule }] } });
    }
  });

  test('a retry that found what was written before is not shown', async () => {
    const store = createMemoryStore();
    await openClinic(store);
    const sent = { body: statement(), headers: { 'idempotency-key': 'key-1' } };
    await createSender(createHandler(createRecords(store)))('POST', '/Immunization', sent);
    const send = createSender(createHandler(createRecords(store, { onAccess: down })));
    expect(ruleOf(await send('POST', '/Immunization', sent))).toBe('unrecorded-access');
  });
});
