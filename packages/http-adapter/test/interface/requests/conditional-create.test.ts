import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { enteredInError, goal, statement } from '../../builders.ts';
import { createHandler, createSenderAs, type ParsedResponse } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNullBody, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const system = 'urn:x:registry';
const identifier = [{ value: 'other' }, { system, value: 'A-1' }];
const condition = `identifier=${system}|A-1`;
const body = (fields: object = {}) => statement({ identifier, ...fields });

onEveryStore('Decisions: Identifiers', (clinic) => {
  const post = (fields: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    clinic().post('/Immunization', body(fields), { headers: { 'if-none-exist': condition, ...headers } });
  const total = async () => (await clinic().get('/Immunization?_count=0')).json.total;
  const idIn = ({ headers }: ParsedResponse) => headers.location?.split('/').at(-1) ?? '';
  const ofBen = { patient: { reference: 'Patient/ben' } };

  describe('With `If-None-Exist: identifier=system|value`, a POST of an immunization records it only if no immunization of its patient has the identifier', () => {
    test('otherwise the response is a 200 with the `Location` and the version of that one, and nothing is written', async () => {
      const first = await post();
      expectNullBody(first, 201);
      const before = await clinic().feed();
      const second = await post({ occurrenceDateTime: '2025-10-02' });
      expectNullBody(second, 200);
      expect(second.headers).toEqual({ ...first.headers });
      const shown = await post({}, { prefer: 'return=representation' });
      expect([shown.status, shown.json.id]).toEqual([200, idIn(first)]);
      expect(await clinic().feed()).toEqual(before);
    });

    test('an immunization of a command and of an import counts, too', async () => {
      const sent = { resourceType: 'Immunization', id: 'imported', ...body() };
      await clinic().records.importer.load([sent]);
      expect(idIn(await post())).toBe('imported');
      expect(await total()).toBe(1);
    });

    test('that of another patient, and another identifier, do not', async () => {
      await post();
      expectNullBody(await post(ofBen), 201);
      const other = [{ system, value: 'A-2' }];
      expectNullBody(await post({ identifier: other }, { 'if-none-exist': `identifier=${system}|A-2` }), 201);
      expectNullBody(
        await post({ identifier: [{ system: 'urn:x:other', value: 'A-1' }, ...identifier] }),
        200,
      );
      expect(await total()).toBe(3);
    });

    test('one that is entered in error does not count', async () => {
      const wrong = idIn(await post());
      expectNullBody(await clinic().put(`/Immunization/${wrong}`, enteredInError(wrong)), 200);
      const right = await post();
      expectNullBody(right, 201);
      expect(idIn(await post())).toBe(idIn(right));
      expect(await total()).toBe(2);
    });

    test('If several have it, the response is a 412', async () => {
      await clinic().post('/Immunization', body());
      await clinic().post('/Immunization', body());
      const before = await clinic().feed();
      const answer = await post();
      expectError(answer, 412);
      expect(answer.json.issue[0].diagnostics).toBe(
        'Several resources of the patient have the identifier that If-None-Exist names.',
      );
      expect(await clinic().feed()).toEqual(before);
    });
  });

  test('So requests and imports at the same moment record it once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(answers.map(idIn)).size).toBe(1);
    expect(await total()).toBe(1);
  });

  describe('Any other condition is a 400', () => {
    test.each([
      '',
      'identifier=',
      'identifier=A-1',
      'identifier=|A-1',
      `identifier=${system}|`,
      `${condition},${system}|A-2`,
      `${condition}|x`,
      `${condition}&patient=amy`,
      `patient=amy&${condition}`,
      `Goal?${condition}`,
      `immunization?${condition}`,
      `/Immunization?${condition}`,
      `Immunization?${condition}&patient=amy`,
      'Immunization',
      'Immunization?',
      `identifier:not=${system}|A-1`,
      'patient=amy',
      `${condition}, ${condition}`,
      // Two values, of which the body could have either.
      `identifier=${system}|A-1,A-2`,
    ])('%j', async (sent) => {
      const answer = await post({}, { 'if-none-exist': sent });
      expectError(answer, 400);
      expect(answer.json.issue[0].details.coding[0].code).toBe('if-none-exist-form');
      expect(await total()).toBe(0);
    });
    test('also one of more than 500 characters, which no search would find, so that each retry would record it again', async () => {
      const postValue = (value: string) =>
        post({ identifier: [{ system, value }] }, { 'if-none-exist': `identifier=${system}|${value}` });
      const refused = await postValue('x'.repeat(501));
      expectError(refused, 400);
      expect(refused.json.issue[0].details.coding[0].code).toBe('if-none-exist-form');
      const longest = 'x'.repeat(500);
      expect([(await postValue(longest)).status, (await postValue(longest)).status]).toEqual([201, 200]);
      expect(await total()).toBe(1);
    });
    test('while the type and a `?` may be before it', async () => {
      expectNullBody(await post({}, { 'if-none-exist': `Immunization?${condition}` }), 201);
      for (const sent of [condition, `?${condition}`, `Immunization?${condition}`])
        expectNullBody(await post({}, { 'if-none-exist': sent }), 200);
      const records = clinic().records.immunizations;
      const found = await records.create(body() as never, { ifNoneExist: `Immunization?${condition}` });
      expect([found.id, await total()]).toEqual([idIn(await post()), 1]);
    });
    test('while a value that is escaped is read', async () => {
      const odd = [{ system, value: 'A,1|x+y' }];
      const encoded = encodeURIComponent(`${system}|A\\,1\\|x+y`);
      expectNullBody(await post({ identifier: odd }, { 'if-none-exist': `identifier=${encoded}` }), 201);
      expectNullBody(await post({ identifier: odd }, { 'if-none-exist': `identifier=${encoded}` }), 200);
    });
  });

  test('A body without the identifier is a 400, because a retry would record it again', async () => {
    expectError(await post({ identifier: [{ system, value: 'A-2' }] }), 400, 'Immunization.identifier');
    const ofOtherSystem = [{ system: 'https://other.example', value: 'A-1' }];
    expectError(await post({ identifier: ofOtherSystem }), 400, 'Immunization.identifier');
    expectError(await post({ identifier: [] }), 400, 'Immunization.identifier');
    expect(await total()).toBe(0);
  });

  test('No other request has the condition', async () => {
    const headers = { 'if-none-exist': condition };
    expectError(await clinic().put('/CareTeam/amy', { id: 'amy' }, { headers }), 400);
    const commands = createHandler(clinic().records, { chartCommands: true });
    const answer = await commands({
      method: 'POST',
      url: '/fhir/commands',
      headers: { authorization: 'Bearer full', ...headers },
      body: JSON.stringify(goal({ identifier })),
    });
    expect(answer.status).toBe(400);
  });

  test('A rule that forbids the immunization forbids it under the condition, and uses up nothing', async () => {
    expectError(await post({ status: 'not-done' }), 422, 'Immunization.status');
    expectError(await post({ encounter: { reference: 'Encounter/none' } }), 422, 'Immunization.encounter');
    expectNullBody(await post(), 201);
  });

  test('under a `patient/` scope, only the own chart is looked at', async () => {
    await post(ofBen);
    const amy = createSenderAs(clinic(), { scopes: ['patient/*.cruds'], patient: 'amy' });
    const sent = { headers: { 'if-none-exist': condition } };
    expect((await amy('POST', '/Immunization', { ...sent, body: body(ofBen) })).status).toBe(403);
    expect((await amy('POST', '/Immunization', { ...sent, body: body() })).status).toBe(201);
  });

  test('with an `Idempotency-Key`, each retry gets the response of the first request', async () => {
    const first = await post({}, { 'idempotency-key': 'one' });
    const second = await post({}, { 'idempotency-key': 'two' });
    expect([first.status, second.status]).toEqual([201, 200]);
    await clinic().put(`/Immunization/${idIn(first)}`, enteredInError(idIn(first)));
    expect(await post({}, { 'idempotency-key': 'one' })).toEqual(first);
    expect(await post({}, { 'idempotency-key': 'two' })).toEqual(second);
  });

  test('after a move to another chart, the identifier is free in the first one', async () => {
    const { corrections } = clinic().records;
    const id = idIn(await post());
    const why = { by: 'Practitioner/ada', reason: 'Wrong chart.' } as const;
    const target = { resourceType: 'Immunization', resourceId: id, toPatientId: 'ben' } as const;
    await corrections.moveToPatient({ ...target, ...why });
    expect(idIn(await post(ofBen))).toBe(id);
    expectNullBody(await post(), 201);
  });

  test('after a merge of the patients, the identifier is found in the chart that has the immunization', async () => {
    const id = idIn(await post(ofBen));
    const why = { by: 'Practitioner/ada', reason: 'Twice.' } as const;
    await clinic().records.corrections.mergePatients({ patientId: 'ben', toPatientId: 'amy', ...why });
    expect(idIn(await post())).toBe(id);
    expect((await clinic().records.verify()).discrepancies).toEqual([]);
  });

  test('After an erasure, the identifier is free: nothing of it is left', async () => {
    const id = idIn(await post());
    const why = { by: 'Practitioner/ada', reason: 'Asked for it.' } as const;
    await clinic().records.corrections.erase({ resourceType: 'Immunization', resourceId: id, ...why });
    expect(JSON.stringify(await clinic().feed())).not.toContain('A-1');
    expectNullBody(await post(), 201);
  });

  test('an erasure of the chart erases what the condition has written, too', async () => {
    await post();
    const why = { by: 'Practitioner/ada', reason: 'Asked for it.' } as const;
    await clinic().records.corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...why });
    const ofChart = (await clinic().feed()).filter(({ type }) => type === 'ChartIdentifiers');
    expect(ofChart.every(({ state }) => state.includes('rased'))).toBe(true);
    expectError(await post(), 422, 'Immunization.patient');
  });

  test('from TypeScript, `ifNoneExist` does the same', async () => {
    const { create } = clinic().records.immunizations;
    const first = await create(body(), { ifNoneExist: condition });
    expect(isDeepStrictEqual(await create(body(), { ifNoneExist: condition }), first)).toBe(true);
    expect(await outcomeOf(create(body(), { ifNoneExist: 7 as never }))).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule: 'if-none-exist-form' }] },
    });
    expect(idsOf(await clinic().get('/Immunization'))).toEqual([first.id]);
  });
});
