import { createClinicalRecords } from '@clinical-records/core';
import { retired } from '@clinical-records/core/define-resource';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { createHandler, createSender, extensionBase } from '../clinic.ts';
import { idsOf } from '../response-helpers.ts';
import { by, createRecords, nuts, openClinic, sourceCondition } from './clinic.ts';
import { stores } from './stores.ts';

const why = { by: 'Practitioner/ada', reason: 'Registered twice.' } as const;

const merge = { patientId: 'amy', toPatientId: 'ben', ...why };

/** A store in which Amy has a condition, with a version before, and Ben another one. */
const fill = async (store: ClinicalStore) => {
  const { records } = await openClinic(store);
  const at = (lastUpdated: string) => ({ meta: { lastUpdated } });
  await records.importer.load([
    sourceCondition('a', 'amy', { ...at('2026-01-01T08:00:00Z'), recorder: { reference: 'Patient/amy' } }),
    sourceCondition('b', 'ben'),
  ]);
  await records.importer.load([
    sourceCondition('a', 'amy', {
      ...at('2026-01-02T08:00:00Z'),
      recorder: { reference: 'Patient/amy' },
      category: [],
    }),
  ]);
  await records.allergies.create(nuts(), { by });
  return store;
};

const withRetired = (store: ClinicalStore, timeZone = 'UTC') =>
  createClinicalRecords({
    ...{ store, extensionBase, careTeamRoles: [], types: [retired('Condition'), allergy], timeZone },
  });

const withoutConditions = (store: ClinicalStore) =>
  createClinicalRecords({ store, extensionBase, careTeamRoles: [], types: [allergy] });

const expectSound = async (records: Pick<ReturnType<typeof withRetired>, 'verify' | 'undefinedTypes'>) => {
  const { discrepancies, miscounted, undefinedTypes } = await records.verify();
  expect([discrepancies, miscounted, undefinedTypes]).toEqual([[], [], {}]);
  expect(await records.undefinedTypes()).toEqual([]);
};

describe.each(stores)('a type that is taken out (%s)', (_, openStore) => {
  test('is named, and its charts are neither merged nor copied', async () => {
    const records = withoutConditions(await fill(await openStore()));
    expect(await records.undefinedTypes()).toEqual(['Condition']);
    expect(await records.verify()).toMatchObject({ undefinedTypes: { Condition: 2 }, discrepancies: [] });
    await expect(records.corrections.mergePatients(merge)).rejects.toMatchObject({
      issues: [{ rule: 'undefined-type' }],
    });
    await expect(records.copyTo(createMemoryStore())).rejects.toMatchObject({
      issues: [{ rule: 'undefined-types' }],
    });
    expect(await records.allergies.search({ patient: 'amy' })).toMatchObject({ total: 1 });
  });

  test('is not served once it is retired, and nothing is wrong', async () => {
    const records = withRetired(await fill(await openStore()));
    const get = (path: string) => createSender(createHandler(records))('GET', path);
    expect(records).not.toHaveProperty('conditions');
    expect((await get('/Condition/a')).status).toBe(404);
    expect(idsOf(await get('/Patient/amy/$everything?_type=AllergyIntolerance'))).toHaveLength(1);
    expect((await get('/metadata')).text).not.toContain('"Condition"');
    const changes: string[] = [];
    for await (const { resourceType } of records.changes()) changes.push(resourceType);
    expect(changes).not.toContain('Condition');
    expect((await records.importer.load([sourceCondition('c', 'amy')])).unsupported).toEqual({
      Condition: 1,
    });
    await expectSound(records);
  });

  test('is merged with its chart, and found there once it is defined again', async () => {
    const store = await fill(await openStore());
    const records = withRetired(store);
    await records.corrections.mergePatients(merge);
    await expectSound(records);
    const again = createRecords(store);
    await expectSound(again);
    const found = async (parameters: Parameters<typeof again.conditions.search>[0]) =>
      (await again.conditions.search(parameters)).entry?.map(({ resource }) => resource.id);
    expect(await found({ patient: 'ben' })).toEqual(['a', 'b']);
    expect(await found({ patient: 'ben', code: '38341003', 'clinical-status': 'active' })).toEqual([
      'a',
      'b',
    ]);
    const { subject, recorder } = await again.conditions.read('a');
    expect([subject.reference, recorder?.reference]).toEqual(['Patient/ben', 'Patient/ben']);
    expect((await again.conditions.history('a')).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  test('is erased with its chart', async () => {
    const store = await fill(await openStore());
    const records = withRetired(store);
    await records.corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...why });
    await expectSound(records);
    await expect(createRecords(store).conditions.read('a')).rejects.toMatchObject({ tag: 'NotFound' });
  });

  test.each(stores)(
    'is copied to a store in %s, and searched there once it is indexed',
    async (_, openTarget) => {
      const target = await openTarget();
      await withRetired(await fill(await openStore())).copyTo(target);
      await expectSound(withRetired(target));
      const again = createRecords(target);
      const search = () => again.conditions.search({ code: '38341003' });
      await expect(search()).rejects.toMatchObject({ tag: 'StoreFailure' });
      await again.reindex();
      expect((await search()).total).toBe(2);
      expect((await again.conditions.history('a')).map(({ version }) => version)).toEqual([2, 1]);
      await expectSound(again);
    },
  );

  test('keeps its index entries when all others are indexed again', async () => {
    const store = await fill(await openStore());
    expect((await withRetired(store, 'America/New_York').reindex()).records).toBeGreaterThan(0);
    expect((await createRecords(store).conditions.search({ code: '38341003' })).total).toBe(2);
  });
});

test('refused: the name of a type of the library, and a name that no type can have', () => {
  for (const type of ['Goal', 'Patient', 'condition', ''])
    expect(() => retired(type)).toThrow(new TypeError(`retired: ${type} cannot be a type of yours.`));
});

test('refused: a type that is both defined and retired', () => {
  const options = { store: createMemoryStore(), extensionBase, careTeamRoles: [] };
  expect(() =>
    createClinicalRecords({ ...options, types: [allergy, retired('AllergyIntolerance')] }),
  ).toThrow('each type and each name once');
});
