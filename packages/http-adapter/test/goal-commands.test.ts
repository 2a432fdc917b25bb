import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import type { HttpHandlerOptions, Principal } from '../src/index.ts';
import { goal, proposedGoal } from './builders.ts';
import {
  type Clinic,
  createHandler,
  createSender,
  openClinic,
  type ParsedResponse,
  type RequestOptions,
} from './clinic.ts';
import { newGoal } from './fuzz/valid-bodies.ts';
import { expectError, expectNotFound, expectNullBody, withoutMeta } from './response-helpers.ts';
import { onEveryStore } from './stores.ts';

const senderOf = ({ records }: Clinic, options: Partial<HttpHandlerOptions> = {}) =>
  createSender(createHandler(records, { goalCommands: true, ...options }));

const as = (principal: Partial<Principal>): Partial<HttpHandlerOptions> => ({
  authenticate: () => ({ subject: 'Practitioner/bob', scopes: ['user/*.*'], ...principal }),
});

const representation = { headers: { prefer: 'return=representation' } };

const ruleOf = ({ json }: ParsedResponse): string => json.issue[0].details.coding[0].code;

onEveryStore('Goal commands over HTTP', (clinic) => {
  const post = (body: unknown = proposedGoal(), sent: RequestOptions = {}, options = {}) =>
    senderOf(clinic(), options)('POST', '/Goal', { body, ...sent });
  const put = (id: string, fields: object = {}, sent: RequestOptions = {}, options = {}) =>
    senderOf(clinic(), options)('PUT', `/Goal/${id}`, {
      body: { id, ...proposedGoal({ lifecycleStatus: 'active' }), ...fields },
      ...sent,
    });
  const idIn = ({ headers }: ParsedResponse) => (headers.location ?? '').replace('/fhir/Goal/', '');
  const staged = async (fields: object = {}) => {
    const answer = await post(proposedGoal(fields));
    expectNullBody(answer, 201);
    return idIn(answer);
  };
  const unchangedBy = async (write: () => Promise<unknown>) => {
    const before = await clinic().feed();
    await write();
    expect(await clinic().feed()).toEqual(before);
  };
  const commandsOf = async (resourceId: string) =>
    clinic().records.chart.commandsOf({ resourceType: 'Goal', resourceId });

  describe('POST with the status proposed stages a goal', () => {
    test('by the command of the chart: nobody can read it, and no search finds it', async () => {
      const answer = await post();
      expectNullBody(answer, 201);
      expect(answer.headers.etag).toBe('W/"1"');
      const id = idIn(answer);
      expect(await commandsOf(id)).toMatchObject([
        {
          id: `Goal/${id}/0`,
          kind: 'goal',
          status: 'staged',
          patientId: 'amy',
          resourceType: 'Goal',
          resourceId: id,
        },
      ]);
      expectNotFound(await clinic().get(`/Goal/${id}`), 'Goal', id);
      expect((await clinic().get('/Goal?patient=amy')).json.total).toBe(0);
    });

    test('the response shows it as a draft, if it is requested', async () => {
      const { json } = await post(newGoal, representation);
      expect(withoutMeta(json)).toEqual({
        ...newGoal,
        id: json.id,
        note: [{ id: expect.any(String), text: 'Half a mile already.', time: expect.any(String) }],
      });
    });

    test('which is committed as it was returned, with the status active', async () => {
      const { json, headers } = await post(newGoal, representation);
      const body = { ...json, lifecycleStatus: 'active' };
      const answer = await put(json.id, body, { headers: { 'if-match': headers.etag ?? '' } });
      expectNullBody(answer, 200);
      expect(answer.headers.etag).toBe('W/"2"');
      const read = (await clinic().get(`/Goal/${json.id}`)).json;
      const by = { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Byron, Ada' };
      expect(withoutMeta(read)).toMatchObject({
        ...newGoal,
        lifecycleStatus: 'active',
        expressedBy: { ...by, display: expect.any(String) },
        note: [{ text: 'Half a mile already.', authorReference: { reference: 'Practitioner/ada' } }],
      });
    });

    test('whoever proposes it, such as the patient', async () => {
      const answer = await post(proposedGoal(), { token: 'amy' });
      expectNullBody(answer, 201);
      expectNullBody(await put(idIn(answer)), 200);
    });
  });

  test('POST with the status active stages and commits it at once', async () => {
    const answer = await post(proposedGoal({ lifecycleStatus: 'active' }), representation);
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      lifecycleStatus: 'active',
      expressedBy: { reference: 'Practitioner/ada' },
    });
    expect((await clinic().get(`/Goal/${answer.json.id}`)).json).toEqual(answer.json);
    expect(await commandsOf(answer.json.id)).toMatchObject([{ kind: 'goal', status: 'committed' }]);
  });

  describe('PUT commits a staged goal', () => {
    test('whatever staged it, with the elements that FHIR requires', async () => {
      await clinic().stage(goal({ progress: 'Half a mile.', barriers: 'The knee.', dueDate: '2026-06-01' }));
      expectNullBody(await put('walk'), 200);
      expect((await clinic().get('/Goal/walk')).json.lifecycleStatus).toBe('active');
    });

    test('whose notes need not be sent, where an empty list counts as omitted', async () => {
      await clinic().stage(goal({ progress: 'Half a mile.' }));
      expectNullBody(await put('walk', { note: [], target: [] }), 200);
    });

    test.each([
      ['subject', { subject: { reference: 'Patient/ben' } }],
      ['description', { description: { text: 'Walk two miles' } }],
      ['startDate', { startDate: '2026-04' }],
      ['target', { target: [{ dueDate: '2026-06-02' }] }],
      ['priority', { priority: { coding: [{ ...newGoal.priority.coding[0], code: 'low-priority' }] } }],
      [
        'achievementStatus',
        { achievementStatus: { coding: [{ ...newGoal.achievementStatus.coding[0], code: 'achieved' }] } },
      ],
      ['note', { note: [{ text: 'A mile already.' }] }],
    ])('but changes nothing of it: 422 at its %s', async (element, fields) => {
      const id = await staged(newGoal);
      await unchangedBy(async () => {
        const answer = await put(id, fields);
        expectError(answer, 422, `Goal.${element}`);
        expect(ruleOf(answer)).toBe('staged-goal-differs');
      });
    });

    test('once: 422', async () => {
      const id = await staged();
      expectNullBody(await put(id), 200);
      const again = await put(id);
      expectError(again, 422, 'Goal.lifecycleStatus');
      expect(ruleOf(again)).toBe('not-staged');
    });

    test('once, by one of two practitioners at the same time', async () => {
      const id = await staged();
      const byBob = as({ subject: 'Practitioner/bob' });
      const answers = await Promise.all([put(id), put(id, {}, {}, byBob)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    });

    test('nor once it was discarded: 422', async () => {
      const id = await staged();
      await clinic().discard(`Goal/${id}/0`);
      expectError(await put(id), 422, 'Goal.lifecycleStatus');
    });

    test('of the version that the client has: 412', async () => {
      const id = await staged();
      await unchangedBy(async () => {
        expect((await put(id, {}, { headers: { 'if-match': 'W/"2"' } })).status).toBe(412);
      });
    });

    test('creates no goal: 405', async () => {
      const answer = await put('none');
      expectError(answer, 405, 'Goal.id');
      expect(answer.headers.allow).toBe('GET, HEAD');
    });
  });

  describe('only a practitioner whom the directory knows commits a goal: 403', () => {
    test.each(['Person/x', 'Patient/amy', 'Practitioner/nobody'] as const)('%s', async (subject) => {
      const id = await staged();
      const options = as({ subject });
      await unchangedBy(async () => {
        for (const answer of [
          await put(id, {}, {}, options),
          await put('none', {}, {}, options),
          await post(proposedGoal({ lifecycleStatus: 'active' }), {}, options),
        ]) {
          expectError(answer, 403);
          expect(ruleOf(answer)).toBe('practitioner-only');
        }
      });
    });
  });

  describe('a body is refused at the element that is wrong: 400', () => {
    const coding = (fields: object) => ({
      priority: { coding: [{ ...newGoal.priority.coding[0], ...fields }] },
    });
    test.each<[string, object]>([
      ['lifecycleStatus', { lifecycleStatus: undefined }],
      ['lifecycleStatus', { lifecycleStatus: 'completed' }],
      ['description', { description: undefined }],
      ['description.text', { description: { text: ' ' } }],
      ['subject', { subject: undefined }],
      ['subject.reference', { subject: { reference: 'Group/7' } }],
      ['startDate', { startDate: '1.3.2026' }],
      ['target', { target: [{ dueDate: '2026-06' }, { dueDate: '2026-07' }] }],
      ['target[0].dueDate', { target: [{ dueDate: 'June' }] }],
      ['target[0].dueDate', { target: [{}] }],
      ['priority.coding[0].code', coding({ code: 'urgent' })],
      ['priority.coding[0].system', coding({ system: 'urn:other' })],
      ['priority.coding', { priority: { coding: [] } }],
      ['priority.coding', { priority: { coding: [...newGoal.priority.coding, ...newGoal.priority.coding] } }],
      ['note', { note: [{ text: 'one' }, { text: 'two' }] }],
      ['note[0].text', { note: [{ text: '' }] }],
      ['goal', { goal: 'misspelt' }],
    ])('Goal.%s: %j', async (element, fields) => {
      await unchangedBy(async () => {
        expectError(await post(proposedGoal(fields)), 400, `Goal.${element}`);
      });
    });

    test.each<[string, object]>([
      ['lifecycleStatus', { lifecycleStatus: 'proposed' }],
      ['id', { id: 'other' }],
      ['id', { id: undefined }],
    ])('Goal.%s of a PUT: %j', async (element, fields) => {
      const id = await staged();
      expectError(await put(id, fields), 400, `Goal.${element}`);
    });

    test('an element of FHIR that is not stored is dropped, or refused under strict handling', async () => {
      const addressed = proposedGoal({ addresses: [{ reference: 'Condition/7' }] });
      expectNullBody(await post(addressed), 201);
      expectError(await post(addressed, { headers: { prefer: 'handling=strict' } }), 400, 'Goal.addresses');
    });
  });

  test('an unknown patient is a 422 at the subject', async () => {
    await unchangedBy(async () => {
      expectError(await post(proposedGoal({ subject: { reference: 'Patient/cleo' } })), 422, 'Goal.subject');
    });
  });

  describe('a sender who is limited to a chart writes in no other', () => {
    const limits: Readonly<Record<string, Partial<HttpHandlerOptions>>> = {
      'by the scopes of a patient': as({ scopes: ['patient/Goal.cu'], patient: 'amy' }),
      'by these scopes, although the host allows each chart': {
        ...as({ scopes: ['patient/Goal.cu'], patient: 'amy' }),
        authorize: () => 'allow',
      },
      'by the host': { authorize: () => ({ limitTo: 'amy' }) },
    };
    test.each(Object.entries(limits))('%s', async (_, options) => {
      const ofBen = { subject: { reference: 'Patient/ben' } };
      const id = await staged(ofBen);
      await unchangedBy(async () => {
        const refused = await post(proposedGoal(ofBen), {}, options);
        expectError(refused, 403);
        expect(ruleOf(refused)).toBe('other-chart');
        const hidden = await put(id, ofBen, {}, options);
        expect(hidden).toEqual(await put('none', ofBen, {}, options));
        expectError(hidden, 405, 'Goal.id');
      });
      const own = await post(proposedGoal(), {}, options);
      expectNullBody(own, 201);
      expectNullBody(await put(idIn(own), {}, {}, options), 200);
    });
  });

  test.each(['POST', 'PUT'])('%s needs its scope', async (method) => {
    const id = await staged();
    const send = senderOf(clinic(), as({ scopes: [method === 'POST' ? 'user/Goal.ru' : 'user/Goal.cr'] }));
    const path = method === 'POST' ? '/Goal' : `/Goal/${id}`;
    const answer = await send(method, path, { body: {} });
    expectError(answer, 403);
    expect(ruleOf(answer)).toBe('insufficient-scope');
  });

  describe('a retry with the same Idempotency-Key stages nothing', () => {
    const sent = (key: string) => ({ headers: { 'idempotency-key': key, prefer: 'return=representation' } });

    test.each(['proposed', 'active'])('and gets the same response: %s', async (lifecycleStatus) => {
      const body = proposedGoal({ lifecycleStatus });
      const first = await post(body, sent('k-1'));
      expect(first.status).toBe(201);
      await unchangedBy(async () => expect(await post(body, sent('k-1'))).toEqual(first));
    });

    test('even once the goal is committed', async () => {
      const first = await post(proposedGoal(), sent('k-1'));
      expectNullBody(await put(first.json.id), 200);
      expect(await post(proposedGoal(), sent('k-1'))).toEqual(first);
    });

    test('with another body it is a 422', async () => {
      await post(proposedGoal(), sent('k-1'));
      const answer = await post(proposedGoal({ lifecycleStatus: 'active' }), sent('k-1'));
      expect([answer.status, ruleOf(answer)]).toEqual([422, 'idempotency-key-reused']);
    });
  });

  test('without the option, goals are only read: 405', async () => {
    const id = await staged();
    for (const answer of [
      await clinic().post('/Goal', proposedGoal()),
      await clinic().put(`/Goal/${id}`, { id, ...proposedGoal({ lifecycleStatus: 'active' }) }),
    ]) {
      expectError(answer, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
  });
});

describe.each([true, false])('with the option %s, the descriptions say so', (goalCommands) => {
  const fetchDocument = async (name: string) => {
    const clinic = await openClinic(createMemoryStore());
    return (await senderOf(clinic, { goalCommands })('GET', `/${name}`, { token: null })).json;
  };

  test('metadata has the interactions', async () => {
    const { rest } = await fetchDocument('metadata');
    const { interaction } = rest[0].resource.find(({ type }: { type: string }) => type === 'Goal');
    const codes: readonly string[] = interaction.map(({ code }: { code: string }) => code);
    expect(codes.filter((code) => ['create', 'update'].includes(code))).toEqual(
      goalCommands ? ['create', 'update'] : [],
    );
  });

  test('openapi.json has the operations and their bodies', async () => {
    const { paths, components } = await fetchDocument('openapi.json');
    expect([paths['/Goal'].post?.operationId, paths['/Goal/{id}'].put?.operationId]).toEqual(
      goalCommands ? ['createGoal', 'updateGoal'] : [undefined, undefined],
    );
    expect(Object.keys(components.schemas).filter((name) => name.startsWith('Goal.'))).toEqual(
      goalCommands ? ['Goal.create', 'Goal.update', 'Goal.staged'] : [],
    );
  });
});
