import type { AccessEvent } from '@clinical-records/core';
import { exactVersion, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import type { AuthorizationQuestion, HttpHandlerOptions, Principal } from '../src/index.ts';
import { ada, goal, immunize, labOrder, oneCommandOfEach, team } from './builders.ts';
import { createHandler, createRecords, createSender, openClinic, type ParsedResponse } from './clinic.ts';
import { expectError, expectNullBody, idsOf } from './response-helpers.ts';
import { onEveryStore } from './stores.ts';

const corrector: Principal = {
  subject: 'Practitioner/ada',
  scopes: ['user/*.cruds', 'user/Correction.cr'],
};

const ruleOf = ({ json }: ParsedResponse): string => json.issue[0].details.coding[0].code;

const ofMove = { resourceType: 'Goal', resourceId: 'walk', patientId: 'amy', toPatientId: 'ben' };
const ofMerge = { patientId: 'amy', toPatientId: 'ben' };
const reason = 'Two charts were open.';

const queryOf = (parameters: object) => new URLSearchParams(Object.entries(parameters)).toString();

onEveryStore('Corrections over HTTP', (clinic) => {
  const sender = (options: Partial<HttpHandlerOptions> = {}) =>
    createSender(
      createHandler(clinic().records, { corrections: true, authenticate: () => corrector, ...options }),
    );
  const as = (principal: Partial<Principal>) =>
    sender({ authenticate: () => ({ ...corrector, ...principal }) });
  const preview = async (kind: 'move' | 'merge', parameters: object, send = sender()) =>
    send('GET', `/corrections/${kind}?${queryOf(parameters)}`);
  const post = async (
    kind: 'move' | 'merge',
    body: object,
    {
      send = sender(),
      headers = {},
    }: { send?: ReturnType<typeof sender>; headers?: Record<string, string> } = {},
  ) => send('POST', `/corrections/${kind}`, { body, headers });
  /** The body of a move of the goal, as a preview says it. */
  const seenMove = async (resource: Partial<typeof ofMove> = {}) => {
    const { leaves: _, ...body } = (await preview('move', { ...ofMove, ...resource })).json;
    return { ...body, reason };
  };
  const seenMerge = async () => {
    const { patientId, patientVersion, toPatientId, toPatientVersion } = (await preview('merge', ofMerge))
      .json;
    return { patientId, patientVersion, toPatientId, toPatientVersion, reason };
  };
  const unchangedBy = async (write: () => Promise<unknown>) => {
    const before = await clinic().feed();
    await write();
    expect(await clinic().feed()).toEqual(before);
  };

  describe('a move', () => {
    test('puts a record into the other chart, with its author and its reason', async () => {
      await clinic().record(goal());
      expectNullBody(await post('move', await seenMove()), 200);
      expect((await clinic().get('/Goal/walk')).json.subject.reference).toBe('Patient/ben');
      const { corrections } = (await sender()('GET', '/corrections/Goal/walk')).json;
      expect(corrections).toEqual([
        {
          id: expect.any(String),
          at: expect.stringMatching(/^2026-03-01T/),
          kind: 'move',
          by: 'Practitioner/ada',
          reason,
          ...ofMerge,
          counts: { Goal: 1 },
          records: [{ type: 'Goal', id: 'walk', version: 2 }],
        },
      ]);
      expect((await sender()('GET', '/corrections/Patient/ben')).json.corrections).toEqual(corrections);
    });

    test('is previewed: the versions, and the elements that stay behind', async () => {
      await clinic().record(
        immunize({ encounterId: 'visit-amy', reasonReference: [{ reference: 'Condition/c' }] }),
      );
      const dose = { ...ofMove, resourceType: 'Immunization', resourceId: 'shot' };
      await unchangedBy(async () => {
        expect((await preview('move', dose)).json).toEqual({
          ...dose,
          version: 1,
          patientVersion: 1,
          toPatientVersion: 1,
          leaves: ['encounter', 'reasonReference'],
        });
      });
      await clinic().record(goal());
      expect((await preview('move', ofMove)).json.leaves).toEqual([]);
    });

    test('is refused if the record or a patient has changed since', async () => {
      await clinic().record(goal());
      const seen = await seenMove();
      await clinic().record({ kind: 'updateGoal', goalId: 'walk', progress: 'Walks' });
      await clinic().records.directory.put('Patient', {
        id: 'ben',
        lastName: 'Okoro',
        firstName: 'Benedict',
      });
      await unchangedBy(async () => {
        const answer = await post('move', seen);
        expect(answer.status).toBe(412);
        expect(answer.json.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual([
          'Correction.version',
          'Correction.toPatientVersion',
        ]);
      });
      expectNullBody(await post('move', await seenMove()), 200);
    });

    test.each<[status: number, rule: string, change: object]>([
      [404, 'not-found', { resourceId: 'none' }],
      [404, 'not-found', { patientId: 'ben', toPatientId: 'amy' }],
      [422, 'unknown-patient', { toPatientId: 'nobody' }],
      [422, 'same-chart', { toPatientId: 'amy' }],
      [400, 'value', { resourceType: 'CareTeam' }],
      [400, 'required', { version: undefined }],
      [400, 'required', { reason: undefined }],
      [400, 'unknown-element', { by: 'Practitioner/cyd' }],
    ])('is refused by a %i %s, and changes nothing: %j', async (status, rule, change) => {
      await clinic().record(goal());
      const seen = await seenMove();
      await unchangedBy(async () => {
        const answer = await post('move', { ...seen, ...change });
        expect([answer.status, ruleOf(answer)]).toEqual([status, rule]);
      });
    });
  });

  describe('a merge', () => {
    const fill = async () => {
      for (const command of oneCommandOfEach({ id: 'x' })) await clinic().record(command);
      await clinic().stage(goal({ id: 'waits' }));
      await clinic().put('/CareTeam/amy', team(ada));
    };

    test('moves the chart, and is previewed with the counts of what moves', async () => {
      await fill();
      await unchangedBy(async () => {
        expect((await preview('merge', ofMerge)).json).toEqual({
          ...ofMerge,
          patientVersion: 1,
          toPatientVersion: 1,
          counts: { ServiceRequest: 1, Goal: 1, Immunization: 1 },
          staged: 1,
          participants: 1,
        });
      });
      const { json } = await post('merge', await seenMerge(), {
        headers: { prefer: 'return=representation' },
      });
      expect(json).toMatchObject({ kind: 'merge', ...ofMerge, counts: { ServiceRequest: 1, Goal: 2 } });
      expect(json).not.toHaveProperty('records');
      expect(idsOf(await clinic().get('/Goal?patient=ben'))).toEqual(['x']);
      expect((await sender()('GET', '/corrections/Patient/amy')).json.corrections).toEqual([json]);
    });

    test('is refused if a patient has changed since', async () => {
      const seen = await seenMerge();
      await clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amelia' });
      await unchangedBy(async () => {
        const answer = await post('merge', seen);
        expect([answer.status, ruleOf(answer)]).toEqual([412, 'changed-since']);
      });
    });
  });

  describe('a retry with the same Idempotency-Key', () => {
    const headers = { 'idempotency-key': 'k-1', prefer: 'return=representation' };

    test.each(['move', 'merge'] as const)(
      'of a %s gets the first response, and changes nothing',
      async (kind) => {
        await clinic().record(goal());
        const seen = kind === 'move' ? await seenMove() : await seenMerge();
        const first = await post(kind, seen, { headers });
        expect(first.json.kind).toBe(kind);
        await unchangedBy(async () => {
          expect((await post(kind, seen, { headers })).json).toEqual(first.json);
          const other = await post(kind, { ...seen, reason: 'Another.' }, { headers });
          expect([other.status, ruleOf(other)]).toEqual([422, 'idempotency-key-reused']);
        });
      },
    );

    test('two at the same moment make one correction', async () => {
      await clinic().record(goal());
      const seen = await seenMove();
      const answers = await Promise.all([post('move', seen, { headers }), post('move', seen, { headers })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.json).toEqual(answers[1]?.json);
      expect((await sender()('GET', '/corrections/Goal/walk')).json.corrections).toHaveLength(1);
    });

    test('without one, a second move is refused', async () => {
      await clinic().record(goal());
      const seen = await seenMove();
      await post('move', seen);
      expect((await post('move', seen)).status).toBe(404);
    });

    test('of a merge moves what a write that the merge did not see has left in the old chart', async () => {
      await clinic().record(goal());
      const { store } = clinic();
      const goalIn = async () =>
        (await orThrow(store.scan({ limit: 1_000 }))).find(({ type }) => type === 'Goal');
      const before = await goalIn();
      const seen = await seenMerge();
      await post('merge', seen, { headers });
      const { position: _, version: __, ...late } = before as NonNullable<typeof before>;
      await orThrow(store.commit({ changes: [{ ...late, expects: exactVersion(2) }], versionChecks: [] }));
      expect((await goalIn())?.patientId).toBe('amy');
      const { json } = await post('merge', seen, { headers });
      expect((await goalIn())?.patientId).toBe('ben');
      expect((await sender()('GET', '/corrections/Patient/ben')).json.corrections).toEqual([json]);
      await unchangedBy(() => post('merge', seen, { headers }));
    });
  });

  describe('needs a scope that names Correction', () => {
    test.each([
      ['user/*.cruds', 403],
      ['user/*.*', 403],
      ['system/*.cruds', 403],
      ['patient/Correction.c', 403],
      ['patient/*.*', 403],
      ['user/Correction.r', 403],
      ['user/Correction.c?patient=amy', 403],
      ['user/Correction.c', 200],
      ['user/Correction.write', 200],
      ['system/Correction.c', 200],
    ])('%s: %i', async (scope, status) => {
      await clinic().record(goal());
      const seen = await seenMove();
      const answer = await post('move', seen, { send: as({ scopes: scope, patient: 'amy' }) });
      expect(answer.status).toBe(status);
    });

    test('a preview and a list need the permission to read', async () => {
      await clinic().record(goal());
      for (const [scopes, status] of [
        ['user/Correction.r', 200],
        ['user/Correction.c user/*.cruds', 403],
      ] as const) {
        expect((await preview('move', ofMove, as({ scopes }))).status).toBe(status);
        expect((await as({ scopes })('GET', '/corrections/Goal/walk')).status).toBe(status);
      }
    });

    test('an agent may do nothing of it, whatever its scopes are', async () => {
      await clinic().record(goal());
      const seen = await seenMove();
      const send = as({ agent: { reference: 'Device/scribe' } });
      for (const answer of [
        await post('move', seen, { send }),
        await preview('move', ofMove, send),
        await send('GET', '/corrections/Goal/walk'),
      ])
        expect([answer.status, ruleOf(answer)]).toEqual([403, 'agent-write']);
    });

    test('a sender who is not a reference is refused', async () => {
      await clinic().record(goal());
      const send = as({ subject: 'https://other.example/Person/1' as never });
      const answer = await post('move', await seenMove(), { send });
      expect([answer.status, ruleOf(answer)]).toEqual([403, 'correction-author']);
    });
  });

  describe('authorize', () => {
    const asking = (denied: string) => {
      const questions: AuthorizationQuestion[] = [];
      const send = sender({
        authorize: (question) => {
          questions.push(question);
          return question.patientIds.includes(denied) ? 'deny' : 'allow';
        },
      });
      const asked = () => questions.map(({ interaction, id, patientIds }) => [interaction, id, patientIds]);
      return { send, asked };
    };

    test.each(['amy', 'ben', 'nobody'])(
      'is asked about both charts before either is looked up, and denies %s, whether there is such a patient or not',
      async (denied) => {
        await clinic().record(goal());
        const seen = { ...(await seenMove()), ...(denied === 'nobody' && { toPatientId: 'nobody' }) };
        const { send, asked } = asking(denied);
        const answer = await post('move', seen, { send });
        expect([answer.status, ruleOf(answer)]).toEqual([403, 'other-chart']);
        const toPatientId = denied === 'nobody' ? 'nobody' : 'ben';
        expect(asked()).toEqual([
          ['move', null, ['amy']],
          ...(denied === 'amy' ? [] : [['move', null, [toPatientId]]]),
        ]);
        expectError(await preview('merge', { ...ofMerge, toPatientId }, send), 403);
      },
    );

    test('is asked about the record, too, with its labels', async () => {
      await clinic().record({ ...goal(), meta: { security: [{ code: 'R' }] } } as never);
      const seen = await seenMove();
      const labels: unknown[] = [];
      const send = sender({
        authorize: (question) => {
          labels.push(question.labels);
          return question.labels.security === undefined ? 'allow' : 'deny';
        },
      });
      expect((await post('move', seen, { send })).status).toBe(404);
      expect(labels).toEqual([{}, {}, { security: [{ code: 'R' }] }]);
    });

    test('hides a correction that names a chart that is denied', async () => {
      await clinic().record(goal());
      await post('move', await seenMove());
      const { send } = asking('amy');
      expect((await send('GET', '/corrections/Goal/walk')).json.corrections).toEqual([]);
      expect((await send('GET', '/corrections/Patient/ben')).json.corrections).toEqual([]);
      expect((await send('GET', '/corrections/Patient/amy')).status).toBe(403);
    });
  });

  test('is audited in both charts, also if it is refused', async () => {
    const events: AccessEvent[] = [];
    const records = createRecords(clinic().store, {
      clock: clinic().clock.now,
      onAccess: (event: AccessEvent) => {
        events.push(event);
      },
    } as never);
    const send = createSender(createHandler(records, { corrections: true, authenticate: () => corrector }));
    await clinic().record(goal());
    const seen = await seenMove();
    await preview('move', ofMove, send);
    await post('move', { ...seen, version: 9 }, { send });
    await post('move', seen, { send });
    await send('GET', '/corrections/Goal/walk');
    expect(
      events.map(({ interaction, outcome, patientIds, rules }) => [
        interaction,
        outcome,
        patientIds.toSorted(),
        rules,
      ]),
    ).toEqual([
      ['read', 'success', ['amy', 'ben'], []],
      ['update', 'refused', ['amy', 'ben'], ['changed-since']],
      ['update', 'success', ['amy', 'ben'], []],
      ['read', 'success', ['amy', 'ben'], []],
    ]);
  });

  test('verify and a later erasure find everything in order', async () => {
    await clinic().record(labOrder({ id: 'blood' }));
    const order = { resourceType: 'ServiceRequest', resourceId: 'blood' };
    await post('move', await seenMove(order), { headers: { 'idempotency-key': 'k-1' } });
    expect((await clinic().records.verify()).discrepancies).toEqual([]);
  });
});

describe('without the option', () => {
  test('there is nothing at the paths, and no document names them', async () => {
    const { records } = await openClinic(createMemoryStore());
    const send = createSender(createHandler(records, { authenticate: () => corrector }));
    for (const path of ['/corrections/move', '/corrections/merge', '/corrections/Goal/walk'])
      expect((await send('GET', path)).status).toBe(404);
    const { text } = await send('GET', '/openapi.json', { token: null });
    expect(text).not.toContain('orrection');
  });

  test('with it, OpenAPI has the operations, and the CapabilityStatement only types of FHIR', async () => {
    const { records } = await openClinic(createMemoryStore());
    const send = createSender(createHandler(records, { corrections: true }));
    const { json } = await send('GET', '/openapi.json', { token: null });
    const paths = Object.entries(json.paths as Record<string, object>)
      .filter(([path]) => path.startsWith('/corrections'))
      .map(([path, operations]) => [path, Object.keys(operations)]);
    expect(paths).toEqual([
      ['/corrections/move', ['get', 'post']],
      ['/corrections/merge', ['get', 'post']],
      ['/corrections/{resourceType}/{id}', ['get']],
    ]);
    expect((await send('GET', '/metadata', { token: null })).text).not.toContain('orrection');
  });

  test.each([
    '/corrections',
    '/corrections/',
    '/corrections/erase',
    '/corrections/Goal/walk/1',
    '/corrections/move/$validate',
  ])('with it, there is nothing at %s', async (path) => {
    const { records } = await openClinic(createMemoryStore());
    const send = createSender(createHandler(records, { corrections: true, authenticate: () => corrector }));
    expect((await send('POST', path, { body: {} })).status).toBe(404);
  });
});
