import { defineExtension, extensionOf, withExtension } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { by, createRecords, nuts, openClinic, sourceCondition } from './clinic.ts';
import { stores } from './stores.ts';

const carer = defineExtension({
  url: 'https://acme.example/carer',
  on: 'AllergyIntolerance',
  value: 'boolean',
});
const stage = defineExtension({ url: 'https://acme.example/stage', on: 'Condition.code', value: 'code' });
const extensions = { [carer.url]: carer, [stage.url]: stage };

describe.each(stores)("the fields of a host's type (%s)", (_, openStore) => {
  test('are created, kept by an update without them, and replaced by one with them', async () => {
    const { records } = await openClinic(await openStore(), { extensions });
    const created = await records.allergies.create(withExtension(nuts(), carer, true), { by });
    expect(extensionOf(created, carer)).toBe(true);
    const { id } = created;
    const update = (body: object) => records.allergies.update(id, { ...body, id } as never, { by });
    expect(extensionOf(await update(nuts({ criticality: 'low' })), carer)).toBe(true);
    expect(extensionOf(await update(withExtension(nuts(), carer, false)), carer)).toBe(false);
  });

  test('are imported at an element, and one that is not valid is left out alone', async () => {
    const { records } = await openClinic(await openStore(), { extensions });
    const { code } = sourceCondition('a', 'amy');
    const { warnings, imported } = await records.importer.load([
      withExtension(sourceCondition('a', 'amy'), stage, 'II'),
      sourceCondition('b', 'amy', { code: { ...code, extension: [{ url: stage.url, valueCode: 7 }] } }),
    ]);
    expect(imported).toEqual({ Condition: 2 });
    expect(warnings.map(({ id, expression }) => [id, expression])).toEqual([
      ['b', 'Condition.code.extension[0]'],
    ]);
    expect(extensionOf(await records.conditions.read('a'), stage)).toBe('II');
    expect(extensionOf(await records.conditions.read('b'), stage)).toBeUndefined();
  });

  test('are searched by their parameters', async () => {
    const declared = { ...carer, search: 'acme-carer' };
    const { records, get } = await openClinic(await openStore(), { extensions: { [carer.url]: declared } });
    await records.allergies.create(withExtension(nuts(), carer, true), { by });
    await records.allergies.create(withExtension(nuts(), carer, false), { by });
    const { json } = await get('/AllergyIntolerance?patient=amy&acme-carer=true');
    expect([json.total, extensionOf(json.entry[0].resource, carer)]).toEqual([1, true]);
    expect((await get('/AllergyIntolerance?acme-other=true')).status).toBe(400);
  });
});

test('a field cannot be on an element that occurs several times', () => {
  const onReaction = { on: 'AllergyIntolerance.reaction', value: 'code' } as const;
  expect(() => createRecords(createMemoryStore(), { extensions: { 'urn:x': onReaction } })).toThrow(
    'extensions: urn:x cannot be on AllergyIntolerance.reaction.',
  );
});
