import { describe, expect, test } from 'vitest';
import { hemoglobin, labOrder, loinc, snomed } from '../../builders.ts';
import { sourceOrder } from '../../library/importer/source-resources.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNotFound, idsOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const refusedTokens = ['', '|', 'a|b|c'];

onEveryStore('ServiceRequest', (clinic) => {
  const record = (fields: Parameters<typeof labOrder>[0]) => clinic().record(labOrder(fields));
  const read = async (id: string) => (await clinic().get(`/ServiceRequest/${id}`)).json;
  const found = async (query: string) => idsOf(await clinic().get(`/ServiceRequest?${query}`));

  test('GET | /ServiceRequest/{id} | Path id (string, required). Response: a ServiceRequest | 200', async () => {
    await record({
      id: 'hb',
      occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' },
      authoredOn: '2026-02-28T10:15:30.123456+00:00',
      requesterId: 'bob',
      reasonConditionIds: ['anemia', 'fatigue'],
    });
    const answer = await clinic().get('/ServiceRequest/hb');
    expect([answer.status, withoutMeta(answer.json)]).toEqual([
      200,
      {
        resourceType: 'ServiceRequest',
        id: 'hb',
        status: 'active',
        intent: 'order',
        category: [{ coding: [{ system: snomed, code: '108252007', display: 'Laboratory procedure' }] }],
        code: { coding: [hemoglobin] },
        subject: { reference: 'Patient/amy', type: 'Patient' },
        occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' },
        authoredOn: '2026-02-28T10:15:30.123456+00:00',
        requester: { reference: 'Practitioner/bob', type: 'Practitioner', display: 'Bob Gray' },
        reasonReference: [
          { reference: 'Condition/anemia', type: 'Condition' },
          { reference: 'Condition/fatigue', type: 'Condition' },
        ],
      },
    ]);
  });

  test('Fields that are absent in a record are omitted from the response', async () => {
    await clinic().stage(labOrder({ id: 'bare' }));
    expect(Object.keys(withoutMeta(await read('bare')))).toEqual([
      ...['resourceType', 'id', 'status', 'intent', 'category', 'code', 'subject', 'authoredOn'],
    ]);
  });

  test('id | string | Identifier of the request: a new one if the host gives none', async () => {
    const { resourceId } = await record({});
    expect((await read(resourceId)).id).toBe(resourceId);
  });

  test('intent | string | Only value: order (an order placed by a practitioner)', async () => {
    await record({ id: 'hb' });
    expect((await read('hb')).intent).toBe('order');
  });
  test.each(['plan', 'proposal', 'reflex-order', undefined])(
    'intent | string | Only value: order (an order placed by a practitioner): an import of %j is refused',
    async (intent) => {
      const { imported, issues } = await clinic().records.importer.load([sourceOrder('amy', { intent })]);
      expect([imported, issues.map(({ expression }) => expression)]).toEqual([{}, ['ServiceRequest.intent']]);
    },
  );

  describe('Categories: imaging, laboratory and referral orders. Pairs by code: 363679005 with Imaging, 108252007 with Laboratory procedure, 386053000 with Evaluation procedure (procedure)', () => {
    test.each([
      ['imagingOrder', '363679005', 'Imaging'],
      ['labOrder', '108252007', 'Laboratory procedure'],
      ['referral', '386053000', 'Evaluation procedure (procedure)'],
    ] as const)('%s', async (kind, code, display) => {
      await record({ id: 'one', kind });
      expect((await read('one')).category).toEqual([{ coding: [{ system: snomed, code, display }] }]);
    });
  });

  test('code | object | What is requested, with coding (array). More than one coding can be present', async () => {
    const coding = [
      hemoglobin,
      { system: loinc, code: '20509-6', display: 'Hemoglobin, calculated' },
    ] as const;
    await record({ id: 'two', code: { coding: [...coding] } });
    expect((await read('two')).code).toEqual({ coding });
  });

  describe('code.coding[].system | string | Only value: http://loinc.org', () => {
    test.each(['http://loinc.org/', 'https://loinc.org', 'http://LOINC.org', snomed, 'loinc', ''])(
      'refused: "%s"',
      async (system) => {
        const before = await clinic().feed();
        const coding = [hemoglobin, { system: system as typeof loinc, code: '17861-6' }];
        const command = labOrder({ id: 'hb', code: { coding } });
        expect(await outcomeOf(clinic().records.chart.stage(command))).toMatchObject({
          _tag: 'Left',
          left: { _tag: 'InvalidRequest', issues: [{ expression: 'Command.code.coding[1].system' }] },
        });
        expect(await clinic().feed()).toEqual(before);
      },
    );
  });

  test('authoredOn | datetime | When the request was authored (ISO 8601 with fractional seconds and UTC offset)', async () => {
    clinic().clock.at('2026-03-05T10:00:00.250Z');
    const { id } = await clinic().stage(labOrder({ id: 'hb' }));
    expect((await read('hb')).authoredOn).toBe('2026-03-05T10:00:01.250+00:00');
    clinic().clock.at('2026-03-06T10:00:00.250Z');
    await clinic().commit(id);
    expect((await read('hb')).authoredOn).toBe('2026-03-05T10:00:01.250+00:00');
  });

  test('requester | object | reference (string, `Practitioner/<practitioner_id>`), type: the practitioner who commits it, if no other is given', async () => {
    const { id } = await clinic().stage(labOrder({ id: 'hb' }));
    expect(await read('hb')).not.toHaveProperty('requester');
    await clinic().commit(id, 'Practitioner/cyd');
    expect((await read('hb')).requester).toEqual({
      reference: 'Practitioner/cyd',
      type: 'Practitioner',
      display: 'Cyd Lane',
    });
  });

  describe('GET | /ServiceRequest/{id} | errors 401, 403, 404', () => {
    test.each([
      [401, null],
      [403, 'goals'],
    ])('%d', async (status, token) => {
      await record({ id: 'hb' });
      expectError(await clinic().get('/ServiceRequest/hb', { token }), status);
    });
    test('404', async () => {
      expectNotFound(await clinic().get('/ServiceRequest/none'), 'ServiceRequest', 'none');
    });
  });

  describe('GET | /ServiceRequest | Query parameters below. Response: search bundle of ServiceRequest | 200', () => {
    test('every match is an entry as it is read', async () => {
      await record({ id: 'hb' });
      const answer = await clinic().get('/ServiceRequest');
      expect(answer.json.entry).toEqual([{ resource: await read('hb'), search: { mode: 'match' } }]);
    });

    test('_id | string | Identifier of the request', async () => {
      await record({ id: 'one' });
      await record({ id: 'two' });
      expect(await found('_id=two')).toEqual(['two']);
    });

    test('patient | string | `Patient/<patient_id>`', async () => {
      await record({ id: 'amys' });
      await record({ id: 'bens', patientId: 'ben' });
      expect(await found('patient=Patient/ben')).toEqual(['bens']);
    });

    test('authored | date | Filters on authoredOn', async () => {
      await record({ id: 'may', authoredOn: '2025-05-04T12:00:00.000+00:00' });
      await record({ id: 'june', authoredOn: '2025-06-04T12:00:00.000+00:00' });
      expect(await found('authored=2025-05-04')).toEqual(['may']);
    });

    describe('status | string | One of: active, completed, draft, entered-in-error', () => {
      test.each(['active', 'completed', 'draft', 'entered-in-error'])('%s', async (status) => {
        await clinic().stage(labOrder({ id: 'draft' }));
        await record({ id: 'active' });
        await clinic().completeOrder((await record({ id: 'completed' })).id);
        await clinic().enterInError((await record({ id: 'entered-in-error' })).id);
        expect(await found(`status=${status}`)).toEqual([status]);
      });
      test('refused: any other', async () => {
        expectError(await clinic().get('/ServiceRequest?status=finished'), 400, 'http.status');
      });
    });

    describe('category | string | Matches category.coding; either `<code>` or `<system>|<code>`; supported: http://snomed.info/sct with 363679005, 108252007 or 386053000', () => {
      test.each([
        ['363679005', 'imagingOrder'],
        [`${snomed}|108252007`, 'labOrder'],
        [`${snomed}|386053000`, 'referral'],
      ])('%s', async (category, kind) => {
        for (const each of ['imagingOrder', 'labOrder', 'referral'] as const) {
          await record({ id: each, kind: each });
        }
        expect(await found(`category=${category}`)).toEqual([kind]);
      });
      test.each([`${loinc}|363679005`, `${snomed}|718-7`, '718-7'])('and not %s', async (category) => {
        await record({ id: 'one', kind: 'imagingOrder' });
        expect(await found(`category=${category}`)).toEqual([]);
      });
      test.each(refusedTokens)('refused: "%s"', async (category) => {
        expectError(await clinic().get(`/ServiceRequest?category=${category}`), 400, 'http.category');
      });
    });

    describe('code | string | Matches code.coding; either `<code>` or `<system>|<code>`', () => {
      test.each(['20509-6', `${loinc}|20509-6`])('%s', async (code) => {
        await record({ id: 'one' });
        await record({ id: 'two', code: { coding: [hemoglobin, { system: loinc, code: '20509-6' }] } });
        expect(await found(`code=${code}`)).toEqual(['two']);
        expect(await found(`code=718-7`)).toEqual(['one', 'two']);
      });
      test.each([`${snomed}|718-7`, `${loinc}|718`, '108252007'])('and not %s', async (code) => {
        await record({ id: 'one' });
        expect(await found(`code=${code}`)).toEqual([]);
      });
      test.each(refusedTokens)('refused: "%s"', async (code) => {
        expectError(await clinic().get(`/ServiceRequest?code=${code}`), 400, 'http.code');
      });
    });
  });
});
