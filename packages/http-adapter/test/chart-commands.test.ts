import type { ChartCommandInput } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import type { AuthorizationQuestion, HttpHandlerOptions, Principal } from '../src/index.ts';
import { goal, immunize, labOrder, oneCommandOfEach, withoutId } from './builders.ts';
import {
  type Clinic,
  createHandler,
  createSender,
  nurse,
  openClinic,
  type ParsedResponse,
} from './clinic.ts';
import { expectError, expectNotFound, expectNullBody, idsOf, membersOf } from './response-helpers.ts';
import { onEveryStore } from './stores.ts';

const senderOf = ({ records }: Clinic, options: Partial<HttpHandlerOptions> = {}) =>
  createSender(createHandler(records, { chartCommands: true, ...options }));

const as = (principal: Partial<Principal>): Partial<HttpHandlerOptions> => ({
  authenticate: () => ({ subject: 'Practitioner/bob', scopes: ['user/*.*'], ...principal }),
});

const representation = { headers: { prefer: 'return=representation' } };

const ruleOf = ({ json }: ParsedResponse): string => json.issue[0].details.coding[0].code;

/** The id of the command that a request has created, such as `Goal/7/0`. */
const createdBy = ({ headers }: ParsedResponse): string =>
  headers.location?.replace('/fhir/commands/', '') ?? '';

const newGoal = (fields: Parameters<typeof goal>[0] = {}) => withoutId(goal(fields));
const newDose = (fields: Parameters<typeof immunize>[0] = {}) => withoutId(immunize(fields));

onEveryStore('Chart commands over HTTP', (clinic) => {
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    { headers = {}, ...options }: Partial<HttpHandlerOptions> & { headers?: Record<string, string> } = {},
  ) => senderOf(clinic(), options)(method, path, { body, headers });
  const get = (path: string, options = {}) => send('GET', path, undefined, options);
  const post = (body: unknown, options = {}) => send('POST', '/commands', body, options);
  /** Stages a command in process, which may choose its id. */
  const stage = async (command: ChartCommandInput) =>
    clinic().records.chart.stage(command, { by: 'Practitioner/ada' });
  const step = (id: string, name: string, body?: unknown, options = {}) =>
    send('POST', `/commands/${id}/${name}`, body, options);
  const unchangedBy = async (write: () => Promise<unknown>) => {
    const before = await clinic().feed();
    await write();
    expect(await clinic().feed()).toEqual(before);
  };

  describe('POST /commands stages a command', () => {
    test('which has no effect, at the place that the response names', async () => {
      const answer = await post(newGoal());
      expectNullBody(answer, 201);
      expect(answer.headers).toMatchObject({
        location: expect.stringMatching(/^\/fhir\/commands\/Goal\/[\da-f-]{36}\/0$/),
        etag: 'W/"1"',
      });
      const id = createdBy(answer);
      const [, goalId = ''] = id.split('/');
      expectNotFound(await get(`/Goal/${goalId}`), 'Goal', goalId);
      const read = await get(`/commands/${id}`);
      expect(read).toMatchObject({
        status: 200,
        headers: { etag: 'W/"1"', 'last-modified': answer.headers['last-modified'] },
        json: {
          id,
          status: 'staged',
          version: 1,
          staged: { by: 'Practitioner/ada', byDisplay: 'Ada Byron' },
          command: { kind: 'goal', patientId: 'amy', description: 'Walk a mile' },
        },
      });
    });

    test.each([labOrder(), { ...labOrder(), kind: 'imagingOrder' }, { ...labOrder(), kind: 'referral' }])(
      'an order reads as a draft: $kind',
      async (order) => {
        const { status, json } = await post(order, representation);
        expect(status).toBe(201);
        expect((await get(`/ServiceRequest/${json.resourceId}`)).json.status).toBe('draft');
      },
    );

    test('and commits it at once, if its body says so', async () => {
      const dose = newDose({
        lotNumber: 'L1',
        site: { text: 'Left arm' },
        route: { text: 'Intramuscular' },
        doseQuantity: { value: 0.5, unit: 'mL' },
        performer: [{ actor: { reference: 'Practitioner/bob' } }],
      });
      const answer = await post({ ...dose, commit: true });
      expectNullBody(answer, 201);
      const [, doseId] = createdBy(answer).split('/');
      expect((await get(`/Immunization/${doseId}`)).json).toMatchObject({
        status: 'completed',
        primarySource: true,
        lotNumber: 'L1',
        performer: [{ actor: { reference: 'Practitioner/bob' } }],
      });
      const reported = { ...newDose({ kind: 'immunizationStatement' }), commit: true };
      const { json } = await post(reported, representation);
      expect(json).toMatchObject({
        kind: 'immunizationStatement',
        status: 'committed',
        committed: { by: 'Practitioner/ada' },
      });
    });

    test('and keeps the digits of a decimal that was sent', async () => {
      const body = JSON.stringify(newDose({ doseQuantity: { value: 0.5 } })).replace('0.5', '0.50');
      const id = createdBy(await post(body));
      const resource = id.slice(0, -'/0'.length);
      expect((await get(`/commands/${id}`)).text).toContain('"doseQuantity":{"value":0.50}');
      expect((await get(`/commands/${resource}`)).text).toContain('"doseQuantity":{"value":0.50}');
      expect((await get('/commands?patient=amy')).text).toContain('"doseQuantity":{"value":0.50}');
      await step(id, 'commit');
      expect((await get(`/${resource}`)).text).toContain('"doseQuantity":{"value":0.50}');
    });

    test('that updates and closes a goal', async () => {
      await clinic().record(goal());
      await post({ kind: 'updateGoal', goalId: 'walk', achievementStatus: 'improving', commit: true });
      await post({ kind: 'closeGoal', goalId: 'walk', commit: true });
      expect((await get('/Goal/walk')).json).toMatchObject({
        lifecycleStatus: 'completed',
        achievementStatus: { coding: [{ code: 'improving' }] },
      });
      const { json } = await get('/commands/Goal/walk');
      expect(json.commands.map(({ kind }: { kind: string }) => kind)).toEqual([
        'goal',
        'updateGoal',
        'closeGoal',
      ]);
    });

    test('that changes a goal only if it has the version that the client has read', async () => {
      await clinic().record(goal());
      const { headers } = await get('/Goal/walk');
      const update = { kind: 'updateGoal', goalId: 'walk', progress: 'Walks', commit: true };
      const read = { headers: { 'if-match': headers.etag ?? '', 'idempotency-key': 'k-1' } };
      expect((await post(update, read)).status).toBe(201);
      await unchangedBy(async () => {
        expect((await post(update, read)).status).toBe(201); // the retry has the same key
        const closing = { kind: 'closeGoal', goalId: 'walk', commit: true };
        const late = await post(closing, { headers: { 'if-match': headers.etag ?? '' } });
        expect([late.status, ruleOf(late)]).toEqual([412, 'if-match']);
        const since = { 'if-unmodified-since': 'Wed, 02 Oct 1996 09:30:00 GMT' };
        expect((await post(closing, { headers: since })).status).toBe(412);
        expect((await post(closing, { headers: { 'if-match': '1' } })).status).toBe(400);
      });
    });

    test('that begins a goal not at all if the client expects a version of it', async () => {
      await unchangedBy(async () => {
        expect((await post(newGoal(), { headers: { 'if-match': 'W/"1"' } })).status).toBe(412);
        expect((await post(newGoal(), { headers: { 'if-none-exist': 'identifier=a|b' } })).status).toBe(400);
      });
    });

    test.each<[status: number, element: string, body: object]>([
      [400, 'Command.kind', { ...newGoal(), kind: 'plan' }],
      [400, 'Command.description', newGoal({ description: '' })],
      [400, 'Command.patientId', newGoal({ patientId: 'a b' })],
      [400, 'Command.commit', { ...newGoal(), commit: 'yes' }],
      [400, 'Command.staged', { ...newGoal(), staged: true }],
      [400, 'Command.toString', { ...newGoal(), toString: {} }],
      [400, 'Command', { ...newGoal(), ...JSON.parse('{"__proto__":{}}') }],
      [400, 'Command.dueDate', newGoal({ dueDate: '1.6.2026' })],
      [400, 'Command.code.coding', labOrder({ code: { coding: [] } })],
      [422, 'Command.patientId', newGoal({ patientId: 'nobody' })],
      [422, 'Command.requesterId', labOrder({ requesterId: 'nobody' })],
      [422, 'Command.goalId', { kind: 'closeGoal', goalId: 'none' }],
      [422, 'Command.expressedBy', newGoal({ expressedBy: { reference: 'Practitioner/bob' } })],
      [422, 'Command.noteId', newDose({ noteId: 'none' })],
    ])('and refuses one that is wrong by a %i at %s', async (status, element, body) => {
      await unchangedBy(async () => expectError(await post(body), status, element));
    });
  });

  describe('an id that a client chooses is refused', () => {
    const inChartOf = (patient: string) => as({ scopes: ['patient/Command.cruds'], patient });
    const outcomeOf = ({ status, json }: ParsedResponse) => [
      status,
      json.issue.map(({ expression }: { expression: string[] }) => expression[0]),
      json.issue.map(({ details }: { details: { coding: { code: string }[] } }) => details.coding[0]?.code),
    ];
    const chosenId = [400, ['Command.id'], ['chosen-id']];

    test('whether or not a chart has it, so that it tells nothing of other charts', async () => {
      const headers = { 'if-match': 'W/"99"' };
      const askForEach = () =>
        unchangedBy(async () => {
          for (const command of oneCommandOfEach({ id: 'hiv-care-plan' })) {
            expect(outcomeOf(await post(command, { ...inChartOf('amy'), headers }))).toEqual(chosenId);
          }
        });
      await askForEach();
      for (const command of oneCommandOfEach({ id: 'hiv-care-plan', patientId: 'ben' })) await stage(command);
      await askForEach();
    });

    test('of every client, staged or committed at once', async () => {
      await unchangedBy(async () => {
        for (const options of [{}, inChartOf('amy'), { authorize: () => 'allow' as const }]) {
          expect(outcomeOf(await post(goal(), options))).toEqual(chosenId);
          expect(outcomeOf(await post({ ...goal(), commit: true }, options))).toEqual(chosenId);
        }
      });
    });

    test('together with all else that is wrong', async () => {
      const { status, json } = await post(goal({ id: 'a b', description: '' }));
      expect(status).toBe(400);
      expect(json.issue.map(({ expression }: { expression: string[] }) => expression[0]).sort()).toEqual([
        'Command.description',
        'Command.id',
        'Command.id',
      ]);
    });

    test('so that a command that was read can be sent again', async () => {
      const id = createdBy(await post(newGoal({ dueDate: '2026-06-01' })));
      const { command } = (await get(`/commands/${id}`)).json;
      const again = createdBy(await post(command));
      expect(again).not.toBe(id);
      expect((await get(`/commands/${again}`)).json.command).toEqual(command);
    });
  });

  describe('a staged command is seen by colleagues, and can be', () => {
    const bob = as({});

    test('committed by one of them', async () => {
      await stage(goal());
      const { json } = await get('/commands?patient=amy&status=staged', bob);
      expect(json).toMatchObject({
        total: 1,
        commands: [{ id: 'Goal/walk/0', staged: { by: 'Practitioner/ada' } }],
      });
      const answer = await step('Goal/walk/0', 'commit', undefined, bob);
      expectNullBody(answer, 200);
      expect(answer.headers.etag).toBe('W/"2"');
      expect((await get('/Goal/walk')).json.expressedBy.reference).toBe('Practitioner/bob');
      expect((await get('/commands?patient=amy&status=staged')).json).toMatchObject({
        total: 0,
        commands: [],
      });
    });

    test('discarded for a reason', async () => {
      await stage(labOrder({ id: 'blood' }));
      const { json } = await step(
        'ServiceRequest/blood/0',
        'discard',
        { reason: 'Ordered twice.' },
        { ...bob, ...representation },
      );
      expect(json).toMatchObject({
        status: 'discarded',
        discarded: { by: 'Practitioner/bob', reason: 'Ordered twice.' },
      });
      expect((await get('/ServiceRequest/blood')).json.status).toBe('entered-in-error');
    });

    test('found by its author, page after page', async () => {
      for (const id of ['a', 'b', 'c']) await stage(labOrder({ id }));
      const first = await get('/commands?author=Practitioner/ada&_count=2');
      const next = first.json.link.find(({ relation }: { relation: string }) => relation === 'next').url;
      expect(next).toMatch(/^commands\?/);
      const second = await get(`/${next}`);
      expect(
        [first, second].flatMap(({ json }) =>
          json.commands.map(({ resourceId }: { resourceId: string }) => resourceId),
        ),
      ).toEqual(['a', 'b', 'c']);
      expect((await get('/commands?author=Practitioner/bob')).json.total).toBe(0);
    });
  });

  describe('a committed command', () => {
    test('of an order is completed', async () => {
      await clinic().record(labOrder({ id: 'blood' }));
      expectNullBody(await step('ServiceRequest/blood/0', 'complete'), 200);
      expect((await get('/ServiceRequest/blood')).json.status).toBe('completed');
    });

    test('of an order is reopened, and has its author in the history and in its Provenance', async () => {
      const { id } = await clinic().record(labOrder({ id: 'blood' }));
      await clinic().completeOrder(id, 'Practitioner/bob');
      const { json } = await step(id, 'reopen', {}, { headers: { prefer: 'return=representation' } });
      expect(json).toMatchObject({
        status: 'committed',
        completed: { by: 'Practitioner/bob' },
        reopened: { by: 'Practitioner/ada' },
      });
      expect((await get('/ServiceRequest/blood')).json.status).toBe('active');
      const { entry } = (await get('/ServiceRequest/blood/_history')).json;
      const statuses = entry.map(({ resource }: { resource: { status: string } }) => resource.status);
      expect(statuses).toEqual(['active', 'completed', 'active']);
      const provenance = (await get('/Provenance/S-blood-3')).json;
      expect(provenance.agent[0].who.reference).toBe('Practitioner/ada');
      expect(provenance.activity.coding[0].code).toBe('UPDATE');
    });

    test('is entered in error for a reason, which its history and its Provenance show', async () => {
      await clinic().record(goal());
      expectNullBody(await step('Goal/walk/0', 'enter-in-error', { reason: 'Wrong patient.' }), 200);
      const { entry } = (await get('/Goal/walk/_history')).json;
      expect(entry[0].resource._lifecycleStatus.extension[0].valueString).toBe('Wrong patient.');
      expect((await get('/Provenance/G-walk-2')).json.reason).toEqual([{ text: 'Wrong patient.' }]);
    });
  });

  describe('POST /commands/CareTeam/<patient> gives a member a status', () => {
    const role = { system: nurse.system, code: nurse.code };
    const set = (body: unknown, options = {}) => send('POST', '/commands/CareTeam/amy', body, options);

    test('proposes and suspends, which PUT /CareTeam cannot', async () => {
      const proposed = await set({ member: 'Practitioner/bob', status: 'proposed', role });
      expectNullBody(proposed, 200);
      expect(proposed.headers.etag).toBe('W/"2"');
      expect(membersOf((await get('/CareTeam/amy.proposed')).json)).toEqual(['Practitioner/bob']);
      expectNullBody(await set({ member: 'Practitioner/bob', status: 'suspended' }), 200);
      expect(membersOf((await get('/CareTeam/amy.suspended')).json)).toEqual(['Practitioner/bob']);
      expect((await get('/CareTeam/amy.proposed')).json.participant).toBe(undefined);
      const [last] = await clinic().records.careTeams.history('amy.suspended');
      expect(last).toMatchObject({ by: 'Practitioner/ada' });
    });

    test('of each status that there is', async () => {
      for (const status of ['proposed', 'suspended', 'active', 'inactive', 'entered-in-error']) {
        expectNullBody(await set({ member: 'Practitioner/bob', status, role }), 200);
        const id = status === 'active' ? 'amy' : `amy.${status}`;
        expect(membersOf((await get(`/CareTeam/${id}`)).json)).toEqual(['Practitioner/bob']);
      }
    });

    test('and the host also decides who enters a member in error', async () => {
      const asked: string[] = [];
      const nurse = {
        authorize: ({ interaction, resourceType, id }: AuthorizationQuestion) => {
          asked.push(`${interaction} ${resourceType}/${id}`);
          return interaction === 'enter-in-error' ? 'deny' : 'allow';
        },
      } as const;
      expectNullBody(await set({ member: 'Practitioner/bob', status: 'active', role }, nurse), 200);
      expect(asked).toEqual(['update CareTeam/amy']);
      await unchangedBy(async () => {
        const mistake = { member: 'Practitioner/bob', status: 'entered-in-error' };
        expect(await set(mistake, nurse)).toMatchObject({ status: 403 });
      });
      expect(asked.slice(1).toSorted()).toEqual(['enter-in-error CareTeam/amy', 'update CareTeam/amy']);
    });

    test.each<[status: number, element: string, body: object]>([
      [400, 'Command.member', { status: 'proposed' }],
      [400, 'Command.member', { member: 'Patient/amy', status: 'proposed' }],
      [400, 'Command.status', { member: 'Practitioner/bob', status: 'new' }],
      [400, 'Command.lead', { member: 'Organization/home', status: 'proposed', lead: true }],
      [422, 'Command.member', { member: 'Practitioner/nobody', status: 'proposed', role }],
      [422, 'Command.role', { member: 'Practitioner/bob', status: 'proposed' }],
      [422, 'Command.role', { member: 'Practitioner/bob', status: 'proposed', role: { ...role, code: 'x' } }],
    ])('and refuses a %i at %s', async (status, element, body) => {
      await unchangedBy(async () => expectError(await set(body), status, element));
    });

    test('and refuses a role that is not configured, also if the member has another one or needs none', async () => {
      await set({ member: 'Practitioner/bob', status: 'active', role });
      const other = { ...role, code: 'x' };
      await unchangedBy(async () => {
        for (const member of ['Practitioner/cyd', 'Practitioner/bob', 'Organization/home']) {
          const refused = await set({ member, status: 'proposed', role: other });
          expectError(refused, 422, 'Command.role');
          expect(ruleOf(refused)).toBe('role-not-configured');
        }
      });
    });

    test('needs the scope of an update of the team, its version, and a team', async () => {
      const body = { member: 'Organization/home', status: 'proposed' };
      expect(await set(body, as({ scopes: ['user/Command.cruds'] }))).toMatchObject({ status: 403 });
      expect((await set(body, { headers: { 'if-match': 'W/"7"' } })).status).toBe(412);
      expectError(await send('POST', '/commands/CareTeam/amy.proposed', body), 405, 'CareTeam.id');
      expectNotFound(await send('POST', '/commands/CareTeam/nobody', body), 'CareTeam', 'nobody');
      expect(await set(body, { authorize: () => ({ limitTo: 'ben' }) })).toMatchObject({ status: 403 });
      expectNullBody(
        await set(body, { ...as({ scopes: ['user/CareTeam.u'] }), headers: { 'if-match': 'W/"1"' } }),
        200,
      );
    });
  });

  test.each([null, true, 7, 'commit', ['commit', 'status']])(
    'a body is an object, and not %j',
    async (body) => {
      const sent = JSON.stringify(body);
      expectError(await post(sent), 400, 'Command');
      expectError(await send('POST', '/commands/CareTeam/amy', sent), 400, 'Command');
    },
  );

  describe('a step is refused', () => {
    test.each<[status: number, rule: string, id: string, name: string, body?: unknown]>([
      [404, 'not-found', 'Goal/none/0', 'commit'],
      [404, 'not-found', 'Goal/walk/3', 'commit'],
      [404, 'not-found', 'CareTeam/amy/0', 'commit'],
      [404, 'not-found', 'Patient/amy/0', 'commit'],
      [404, 'not-found', 'Goal/walk/x', 'commit'],
      [404, 'unknown-path', 'Goal/walk/0', 'undo'],
      [405, 'not-an-order', 'Goal/walk/0', 'complete'],
      [405, 'not-an-order', 'Goal/walk/0', 'reopen'],
      [422, 'not-completed', 'ServiceRequest/blood/0', 'reopen'],
      [400, 'unknown-element', 'ServiceRequest/blood/0', 'reopen', { reason: 'x' }],
      [422, 'not-staged', 'Goal/walk/0', 'commit'],
      [422, 'not-discardable', 'Goal/walk/0', 'discard'],
      [422, 'not-committed', 'ServiceRequest/blood/0', 'enter-in-error'],
      [400, 'unknown-element', 'ServiceRequest/blood/0', 'commit', { reason: 'x' }],
      [400, 'empty', 'ServiceRequest/blood/0', 'discard', { reason: ' ' }],
      [400, 'type', 'ServiceRequest/blood/0', 'discard', []],
    ])('by a %i: %s', async (status, rule, id, name, body) => {
      await clinic().record(goal());
      await clinic().stage(labOrder({ id: 'blood' }));
      await unchangedBy(async () => {
        const answer = await step(id, name, body);
        expect([answer.status, ruleOf(answer)]).toEqual([status, rule]);
      });
    });

    test('if the resource has another version than the client: 412', async () => {
      await stage(goal());
      const { headers } = await post({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' });
      await unchangedBy(async () => {
        expect((await step('Goal/walk/0', 'commit', {}, { headers: { 'if-match': 'W/"1"' } })).status).toBe(
          412,
        );
      });
      const etag = headers.etag ?? '';
      expectNullBody(await step('Goal/walk/0', 'commit', {}, { headers: { 'if-match': etag } }), 200);
    });

    test('unless its sender is a practitioner who is known here: 403', async () => {
      await stage(goal());
      for (const subject of [
        'Person/x',
        'Patient/amy',
        'Practitioner/nobody',
        'https://other.example/Practitioner/ada',
      ] as never[]) {
        const options = as({ subject });
        await unchangedBy(async () => {
          for (const answer of [
            await step('Goal/walk/0', 'commit', {}, options),
            await post({ ...newGoal(), commit: true }, options),
          ]) {
            expect([answer.status, ruleOf(answer)]).toEqual([403, 'practitioner-only']);
          }
        });
      }
      expect((await post(newGoal(), as({ subject: 'Patient/amy' }))).status).toBe(201);
    });
  });

  describe('a retry with the same Idempotency-Key changes nothing', () => {
    const sent = (key: string) => ({ headers: { 'idempotency-key': key, prefer: 'return=representation' } });

    test.each([true, false])('and gets the same response, with commit: %s', async (commit) => {
      const body = { ...newGoal(), commit };
      const first = await post(body, sent('k-1'));
      await unchangedBy(async () => expect(await post(body, sent('k-1'))).toEqual(first));
      expect(await post({ ...body, commit: !commit }, sent('k-1'))).toMatchObject({ status: 422 });
    });

    test('of a commit, too; and the same key with another step is a 422', async () => {
      await stage(goal());
      const first = await step('Goal/walk/0', 'commit', {}, sent('k-2'));
      expect(first.status).toBe(200);
      await unchangedBy(async () =>
        expect(await step('Goal/walk/0', 'commit', {}, sent('k-2'))).toEqual(first),
      );
      await unchangedBy(async () => {
        const other = await step('Goal/walk/0', 'enter-in-error', {}, sent('k-2'));
        expect([other.status, ruleOf(other)]).toEqual([422, 'idempotency-key-reused']);
      });
    });

    test('and a key with a wrong form is a 400, for a command and for a step', async () => {
      await stage(goal());
      await unchangedBy(async () => {
        for (const refused of [
          await post(newGoal(), sent('a b')),
          await step('Goal/walk/0', 'commit', {}, sent('')),
        ])
          expect([refused.status, ruleOf(refused)]).toEqual([400, 'idempotency-key-form']);
      });
    });

    test('of a step with a reason, too; and the same key with another reason, or without one, is a 422', async () => {
      await clinic().record(goal());
      const enter = (body: unknown) => step('Goal/walk/0', 'enter-in-error', body, sent('k-3'));
      const first = await enter({ reason: 'Wrong patient.' });
      expect(first.json.enteredInError).toMatchObject({ reason: 'Wrong patient.' });
      await unchangedBy(async () => {
        expect(await enter({ reason: 'Wrong patient.' })).toEqual(first);
        for (const other of [{ reason: 'Wrong goal.' }, {}]) {
          const refused = await enter(other);
          expect([refused.status, ruleOf(refused)]).toEqual([422, 'idempotency-key-reused']);
        }
      });
    });
  });

  describe('scopes of their own', () => {
    test.each<[scope: Principal['scopes'], allowed: readonly string[]]>([
      ['user/Command.c', ['stage']],
      ['user/Command.cu', ['stage', 'record', 'commit', 'enter-in-error']],
      ['user/Command.u', ['commit', 'enter-in-error']],
      ['user/Command.d', ['discard']],
      ['user/Command.r', ['read', 'commandsOf']],
      ['user/Command.s', ['search']],
      ['user/Goal.cruds', []],
      [
        'user/*.cruds',
        ['stage', 'record', 'commit', 'discard', 'enter-in-error', 'read', 'commandsOf', 'search'],
      ],
    ])('%s', async (scopes, allowed) => {
      await clinic().record(goal());
      for (const id of ['s1', 's2']) await clinic().stage(goal({ id }));
      const options = as({ scopes });
      const answers = {
        stage: await post(newGoal(), options),
        record: await post({ ...newGoal(), commit: true }, options),
        commit: await step('Goal/s1/0', 'commit', {}, options),
        discard: await step('Goal/s2/0', 'discard', {}, options),
        'enter-in-error': await step('Goal/walk/0', 'enter-in-error', {}, options),
        read: await get('/commands/Goal/walk/0', options),
        commandsOf: await get('/commands/Goal/walk', options),
        search: await get('/commands', options),
      };
      for (const [name, answer] of Object.entries(answers)) {
        if (allowed.includes(name))
          expect([name, answer.status]).toEqual([name, answer.status < 300 ? answer.status : 200]);
        else expect([name, answer.status, ruleOf(answer)]).toEqual([name, 403, 'insufficient-scope']);
      }
    });

    test('a command that is not to be committed needs no scope to commit it', async () => {
      const options = as({ scopes: ['user/Command.c'] });
      expectNullBody(await post({ ...newGoal(), commit: false }, options), 201);
      expect(await post({ ...newGoal(), commit: true }, options)).toMatchObject({ status: 403 });
    });

    test('the host decides about each step by itself', async () => {
      await stage(goal());
      const nurse = {
        authorize: ({ interaction }: { interaction: string }) =>
          interaction === 'commit' ? 'deny' : 'allow',
      } as const;
      expectNotFound(await step('Goal/walk/0', 'commit', {}, nurse), 'Command', 'Goal/walk/0');
      expect(await post({ ...newGoal(), commit: true }, nurse)).toMatchObject({ status: 403 });
      expectNullBody(await post(newGoal(), nurse), 201);
      expectNullBody(await step('Goal/walk/0', 'discard', {}, nurse), 200);
    });

    test('and limited to a chart, others are as if they did not exist', async () => {
      await clinic().stage(goal({ id: 'bens', patientId: 'ben' }));
      for (const options of [
        as({ scopes: ['patient/Command.cruds'], patient: 'amy' }),
        { authorize: () => ({ limitTo: 'amy' }) },
      ]) {
        await unchangedBy(async () => {
          expectNotFound(await get('/commands/Goal/bens/0', options), 'Command', 'Goal/bens/0');
          expectNotFound(await get('/commands/Goal/bens', options), 'Goal', 'bens');
          expectNotFound(await step('Goal/bens/0', 'commit', {}, options), 'Command', 'Goal/bens/0');
          expect((await get('/commands', options)).json.total).toBe(0);
          expect(await post(newGoal({ patientId: 'ben' }), options)).toMatchObject({ status: 403 });
          expectError(await post({ kind: 'closeGoal', goalId: 'bens' }, options), 422, 'Command.goalId');
        });
      }
    });
  });

  test('a write in a session needs a JSON Content-Type', async () => {
    await stage(goal());
    const handler = createHandler(clinic().records, {
      chartCommands: true,
      authenticateSession: () => ({ subject: 'Practitioner/ada', scopes: ['user/*.*'] }),
    });
    const inSession = (headers: Record<string, string>) =>
      handler({ method: 'POST', url: '/fhir/commands/Goal/walk/0/commit', headers, body: '' });
    expect((await inSession({})).status).toBe(415);
    expect((await inSession({ 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await inSession({ 'content-type': 'application/json' })).status).toBe(200);
  });

  test('without the option, there are no commands', async () => {
    await clinic().stage(goal());
    for (const path of ['/commands', '/commands/Goal/walk', '/commands/Goal/walk/0']) {
      expect((await clinic().get(path)).status).toBe(404);
    }
    expect((await clinic().post('/commands', goal())).status).toBe(404);
  });

  test('goals are only read, with the option and without it: 405', async () => {
    await clinic().record(goal());
    const body = {
      lifecycleStatus: 'proposed',
      description: { text: 'Walk' },
      subject: { reference: 'Patient/amy' },
    };
    for (const sender of [senderOf(clinic()), clinic().send]) {
      for (const answer of [
        await sender('POST', '/Goal', { body }),
        await sender('PUT', '/Goal/walk', { body }),
      ]) {
        expectError(answer, 405);
        expect(answer.headers.allow).toBe('GET, HEAD');
      }
    }
    expect(idsOf(await get('/Goal'))).toEqual(['walk']);
  });

  test('a method that a path does not have is a 405', async () => {
    await stage(goal());
    const sender = senderOf(clinic());
    for (const [path, allow] of [
      ['/commands', 'GET, HEAD, POST'],
      ['/commands/Goal/walk/0', 'GET, HEAD'],
      ['/commands/Goal/walk/0/commit', 'POST'],
    ] as const) {
      const answer = await sender('DELETE', path);
      expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    }
  });
});

describe.each([true, false])('with the option %s, the descriptions say so', (chartCommands) => {
  const fetchDocument = async (name: string) => {
    const clinic = await openClinic(createMemoryStore());
    return (await senderOf(clinic, { chartCommands })('GET', `/${name}`, { token: null })).json;
  };

  test('OpenAPI has the operations', async () => {
    const { paths } = await fetchDocument('openapi.json');
    expect(Object.keys(paths).filter((path) => path.startsWith('/commands'))).toEqual(
      chartCommands
        ? [
            '/commands',
            '/commands/$validate',
            '/commands/{resourceType}/{id}',
            '/commands/CareTeam/{id}',
            '/commands/CareTeam/{id}/$validate',
            '/commands/{resourceType}/{id}/{index}',
            ...['commit', 'complete', 'reopen', 'discard', 'enter-in-error'].flatMap((name) => [
              `/commands/{resourceType}/{id}/{index}/${name}`,
              `/commands/{resourceType}/{id}/{index}/${name}/$validate`,
            ]),
          ]
        : [],
    );
  });

  test('the CapabilityStatement has only types of FHIR', async () => {
    const { rest } = await fetchDocument('metadata');
    const types = rest[0].resource.map(({ type }: { type: string }) => type);
    expect(types).not.toContain('Command');
  });
});
