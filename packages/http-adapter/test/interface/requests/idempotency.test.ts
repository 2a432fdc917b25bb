import type { IdempotencyOptions } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { enteredInError, statement } from '../../builders.ts';
import { createSenderAs } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const headers = (key: string) => ({ 'idempotency-key': key });

onEveryStore('Decisions: Retries', (clinic) => {
  const post = (key: string, fields: object = {}, token = 'full') =>
    clinic().post('/Immunization', statement(fields), { headers: headers(key), token });
  const total = async () => (await clinic().get('/Immunization?_count=0')).json.total;

  test('With `Idempotency-Key`, a POST of an immunization records it once, however often it is sent. Each retry gets the response of the first request', async () => {
    const first = await post('k-1');
    expectNullBody(first, 201);
    const before = await clinic().feed();
    for (const answer of [await post('k-1'), await post('k-1')]) expect(answer).toEqual(first);
    expect(await clinic().feed()).toEqual(before);
    expect(await total()).toBe(1);
  });

  test('whatever has happened to it since', async () => {
    const first = await post('k-1');
    const path = (first.headers.location ?? '').replace('/fhir', '');
    const id = path.replace('/Immunization/', '');
    expectNullBody(await clinic().put(path, enteredInError(id)), 200);
    expect((await clinic().get(path)).headers.etag).toBe('W/"2"');
    expect(await post('k-1')).toEqual(first);
  });

  test('with the resource, if it is requested', async () => {
    const sent = { headers: { ...headers('k-1'), prefer: 'return=representation' } };
    const first = await clinic().post('/Immunization', statement(), sent);
    expect(first.json).toMatchObject({ resourceType: 'Immunization', status: 'completed' });
    expect(await clinic().post('/Immunization', statement(), sent)).toEqual(first);
  });

  test('the same key with another body is a 422, and nothing is written', async () => {
    await post('k-1');
    const before = await clinic().feed();
    const answer = await post('k-1', { occurrenceDateTime: '2025-10-02' });
    expectError(answer, 422);
    expect(answer.json.issue[0].diagnostics).toBe(
      'The idempotency key was used before with a different body.',
    );
    expect(await clinic().feed()).toEqual(before);
  });

  test('Two bodies with the same value are the same: the order of properties, white space, escapes, and `0.50` for `0.5` do not count', async () => {
    const doseQuantity = { value: 0.5, unit: 'mL' };
    const first = await post('k-1', { doseQuantity });
    const sent = Object.entries(statement({ doseQuantity: { unit: 'mL', value: 0.5 } }));
    const reordered = JSON.stringify(Object.fromEntries(sent.toReversed()), null, 2);
    const rewritten = reordered.replace('0.5', '0.50').replace('"mL"', '"\\u006dL"');
    expect(rewritten.replace('0.50', '0.5').replace('\\u006d', 'm')).toBe(reordered);
    for (const body of [reordered, rewritten]) {
      expect(await clinic().post('/Immunization', body, { headers: headers('k-1') })).toEqual(first);
    }
    expect(await total()).toBe(1);
  });

  test('The order of an array does', async () => {
    const [one, two] = [{ text: 'one' }, { text: 'two' }];
    await post('k-1', { note: [one, two] });
    expectError(await post('k-1', { note: [two, one] }), 422);
    expect(await total()).toBe(1);
  });

  test('and so does each digit of a decimal, also one that JavaScript does not tell apart', async () => {
    const dose = (value: string, key: string) => {
      const body = JSON.stringify(statement({ doseQuantity: { value: 'value', unit: 'mL' } }));
      const sent = { headers: headers(key) };
      return clinic().post('/Immunization', body.replace('"value":"value"', `"value":${value}`), sent);
    };
    for (const [key, one, other] of [
      ['k-1', '0.1234567890123456781', '0.1234567890123456782'],
      ['k-2', '9007199254740993', '9007199254740992'],
    ] as const) {
      expect(Number(one)).toBe(Number(other));
      const first = await dose(one, key);
      expectNullBody(first, 201);
      expect(await dose(one, key)).toEqual(first);
      expectError(await dose(other, key), 422);
    }
    expect(await total()).toBe(2);
  });

  test('From TypeScript, a body that is nested too deeply to be compared under a key is an `InvalidRequest`', async () => {
    const nested = JSON.parse(`${'{"a":'.repeat(30_000)}0${'}'.repeat(30_000)}`);
    const create = (options: IdempotencyOptions) =>
      outcomeOf(
        clinic().records.immunizations.create(statement({ contained: [nested] }), {
          ...{ by: 'Practitioner/ada', ...options },
        }),
      );
    expect(await create({})).toMatchObject({ _tag: 'Right' });
    const issues = [{ rule: 'many', expression: 'Immunization' }];
    expect(await create({ idempotencyKey: 'k-1' })).toMatchObject({
      left: { _tag: 'InvalidRequest', issues },
    });
    expect(await total()).toBe(1);
  });

  test('A key belongs to its caller: the same key from another caller is another key', async () => {
    const other = createSenderAs(clinic(), { subject: 'Practitioner/bob', scopes: ['user/*.*'] });
    const sent = { body: statement(), headers: headers('k-1') };
    const answers = [await post('k-1'), await other('POST', '/Immunization', sent)];
    expect(new Set(answers.map((answer) => answer.headers.location)).size).toBe(2);
    expect(await total()).toBe(2);
  });

  test('A refused request uses up no key', async () => {
    const encounter = { reference: 'Encounter/late' };
    const before = await clinic().feed();
    expectError(await post('k-1', { encounter }), 422, 'Immunization.encounter');
    expectError(await post('k-1', { status: 'not-done' }), 422, 'Immunization.status');
    expectError(await post('k-1', { status: 'gone' }), 400, 'Immunization.status');
    expect(await clinic().feed()).toEqual(before);
    await clinic().records.directory.put('Encounter', { id: 'late', patientId: 'amy' });
    expect((await post('k-1', { encounter })).status).toBe(201);
  });

  describe('A key that is empty, longer than 255 characters, or not of visible ASCII characters is a 400', () => {
    test.each(['', ' ', 'a b', 'a, b', 'k\u00e9y', '\u0000', 'x'.repeat(256)])('%j', async (key) => {
      expectError(await post(key), 400);
      expect(await total()).toBe(0);
    });
    test.each(['x', '"quoted"', 'x'.repeat(255)])('while %j is valid', async (key) => {
      expect((await post(key)).status).toBe(201);
    });
  });

  test('no other request uses it', async () => {
    const sent = { headers: headers('a b') };
    expect((await clinic().get('/Immunization', sent)).status).toBe(200);
    expect((await clinic().put('/CareTeam/amy', { id: 'amy' }, sent)).status).toBe(200);
  });

  test('a key and its response are in no search, no feed and no text', async () => {
    await post('my-secret-key');
    for await (const change of clinic().records.changes()) {
      expect(['CareTeam', 'Immunization']).toContain(change.resourceType);
    }
    const [record] = (await clinic().feed()).filter(({ type }) => type === 'IdempotencyKey');
    expect(record).toMatchObject({ patientId: 'amy', by: 'Practitioner/ada', resource: null });
    expect(JSON.stringify(record)).not.toContain('my-secret-key');
  });

  test('from TypeScript, `idempotencyKey` does the same', async () => {
    const { create } = clinic().records.immunizations;
    const first = await create(statement(), { idempotencyKey: 'k-1' });
    expect(await create(statement(), { idempotencyKey: 'k-1' })).toEqual(first);
    expect((await create(statement(), { idempotencyKey: 'k-1', by: 'Practitioner/x' })).id).not.toBe(
      first.id,
    );
    expect(await outcomeOf(create(statement(), { idempotencyKey: 7 as never }))).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule: 'idempotency-key-form' }] },
    });
  });
});
