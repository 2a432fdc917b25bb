import { createClinicalRecords } from '@clinical-records/core';
import { toEithers, toTaskEithers } from '@clinical-records/core/fp-ts';
import { createTestRecords } from '@clinical-records/core/testing';
import { createMemoryStore } from '@clinical-records/store-memory';
import { inTransaction, openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { condition } from '../../../../examples/conditions/condition.ts';
import { goal } from '../builders.ts';
import { extensionBase } from '../clinic.ts';
import { idsOf } from '../response-helpers.ts';
import { by, createRecords, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';
import { type OpenStore, stores } from './stores.ts';

const listOf = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const list: A[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const why = { by: 'Practitioner/ada', reason: 'Entered in the wrong chart.' } as const;

const open = async (openStore: OpenStore) => {
  const store = await openStore();
  const clinic = await openClinic(store);
  const { records } = clinic;
  await records.chart.record(goal({ id: 'walk', patientId: 'amy' }), { by });
  await records.importer.load([sourceCondition('a', 'amy'), sourceCondition('b', 'ben')]);
  const { id } = await records.allergies.create(nuts(), { by });
  const verify = async () => {
    const { discrepancies, miscounted, undefinedTypes } = await records.verify();
    expect([discrepancies, miscounted, undefinedTypes]).toEqual([[], [], {}]);
  };
  return { ...clinic, store, id, verify };
};

describe.each(stores)("a host's type in the whole store (%s)", (_, openStore) => {
  test('is in the feed of changes', async () => {
    const { records, id } = await open(openStore);
    await records.allergies.update(id, { id, ...nuts({ criticality: 'low' }) }, { by });
    const changes = (await listOf(records.changes())).filter(
      ({ resourceType }) => resourceType === 'Condition' || resourceType === 'AllergyIntolerance',
    );
    expect(
      changes.map((change) => [change.resourceType, change.id, change.version, change.patientId]),
    ).toEqual([
      ['Condition', 'a', 1, 'amy'],
      ['Condition', 'b', 1, 'ben'],
      ['AllergyIntolerance', id, 1, 'amy'],
      ['AllergyIntolerance', id, 2, 'amy'],
    ]);
    const [, , , last] = changes;
    expect(last).toMatchObject({ by, resource: { id, criticality: 'low' } });
  });

  test('is exported, with its Provenances, by charts and by searches', async () => {
    const { records, id } = await open(openStore);
    const exported = async (options: Parameters<typeof records.exporter.begin>[0]) =>
      (await listOf((await records.exporter.begin(options)).resources)).map((one) => `${one.type}/${one.id}`);
    expect(await exported({ types: ['Condition'] })).toEqual(['Condition/a', 'Condition/b']);
    expect(await exported({ types: ['Condition'], patientIds: ['amy'] })).toEqual(['Condition/a']);
    expect(await exported({ types: ['AllergyIntolerance'], provenanceOf: ['AllergyIntolerance'] })).toEqual([
      `AllergyIntolerance/${id}`,
      `Provenance/AllergyIntolerance-${id}-1`,
    ]);
    const matching = { Condition: [[['code', 'other'] as const]] };
    expect(await exported({ types: ['Condition'], matching })).toEqual([]);
  });

  test('is moved to another chart, without what belongs to the first', async () => {
    const { records, get, verify } = await open(openStore);
    await records.corrections.moveToPatient({
      resourceType: 'Condition',
      resourceId: 'a',
      toPatientId: 'ben',
      ...why,
    });
    const { subject, encounter, code } = (await get('/Condition/a')).json;
    expect([subject.reference, encounter, code]).toEqual([
      'Patient/ben',
      undefined,
      sourceCondition('a', 'amy').code,
    ]);
    expect(idsOf(await get('/Condition?patient=amy'))).toEqual([]);
    expect(idsOf(await get('/Condition?patient=ben'))).toEqual(['a', 'b']);
    expect(await records.corrections.of({ resourceType: 'Condition', resourceId: 'a' })).toHaveLength(1);
    await verify();
  });

  test('is merged with the chart', async () => {
    const { records, get, verify, id } = await open(openStore);
    await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
    expect(idsOf(await get('/Condition?patient=ben'))).toEqual(['a', 'b']);
    expect(await records.allergies.read(id)).toMatchObject({
      patient: { reference: 'Patient/ben' },
      criticality: 'high',
    });
    const refused = records.allergies.create(nuts(), { by });
    await expect(refused).rejects.toMatchObject({ issues: [{ rule: 'replaced-patient' }] });
    await verify();
  });

  test('is erased, by itself and with its chart', async () => {
    const { records, get, verify, id } = await open(openStore);
    await records.corrections.erase({ resourceType: 'AllergyIntolerance', resourceId: id, ...why });
    await records.corrections.erase({ resourceType: 'Patient', resourceId: 'ben', ...why });
    for (const path of [`/AllergyIntolerance/${id}`, '/Condition/b'])
      expect((await get(path)).status).toBe(404);
    const history = await records.allergies.history(id).catch(({ tag }) => tag);
    expect(history === 'NotFound' || JSON.stringify(history)).not.toContain('peanuts');
    expect((await get('/Condition/a')).status).toBe(200);
    await verify();
  });

  test.each(stores)('is copied to a store in %s, with its history and its index', async (_, openTarget) => {
    const { records, id } = await open(openStore);
    await records.allergies.update(id, { id, ...nuts({ criticality: 'low' }) }, { by });
    const target = await openTarget();
    await records.copyTo(target);
    const copy = createRecords(target);
    expect(await copy.allergies.search({ criticality: 'low' })).toMatchObject({ total: 1 });
    expect((await copy.allergies.history(id)).map(({ version }) => version)).toEqual([2, 1]);
    expect((await copy.verify()).discrepancies).toEqual([]);
  });

  test('is written and read in a transaction, all or nothing, and tried in a dry run', async () => {
    const { records, verify } = await open(openStore);
    const create = (tx: Pick<typeof records, 'allergies'>) =>
      tx.allergies.create(nuts({ criticality: 'low' }), { by });
    const total = async ({ allergies }: Pick<typeof records, 'allergies'> = records) =>
      (await allergies.search({ criticality: 'low' })).total;
    expect(
      await records.transaction(async (tx) => [(await create(tx)).criticality, await total(tx)]),
    ).toEqual(['low', 1]);
    await expect(
      records.transaction(async (tx) => {
        await create(tx);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await records.dryRun(create);
    expect(await total()).toBe(1);
    await verify();
  });

  test('is judged by the rules of the host, which read it', async () => {
    const store = await openStore();
    await openClinic(store);
    const warned: unknown[] = [];
    const records = createClinicalRecords({
      ...{ store, extensionBase, careTeamRoles: [], types: [condition, allergy] },
      rules: {
        AllergyIntolerance: async ({ after, cause, chart }) => {
          const known = await chart.all('AllergyIntolerance');
          const problems = await chart.all('Condition');
          const isKnown = known.some(({ id, code }) => id !== after.id && code.text === after.code.text);
          return [
            ...(isKnown
              ? [{ rule: 'acme-known', message: 'It is known.', expression: 'AllergyIntolerance.code' }]
              : []),
            ...(problems.length > 0
              ? [{ rule: 'acme-problem', message: `By ${cause}.`, severity: 'warning' as const }]
              : []),
          ];
        },
      },
    });
    const body = nuts({ code: { text: 'Nuts' } });
    const { id } = await records.allergies.create(body, { by });
    await expect(records.allergies.create(body, { by })).rejects.toMatchObject({
      tag: 'RuleViolation',
      issues: [{ rule: 'acme-known', system: `${extensionBase}/rules` }],
    });
    const { issuesByRule } = await records.importer.load([{ ...body, id: 'i' }, sourceCondition('a', 'amy')]);
    expect(issuesByRule).toEqual({ 'acme-known': 1 });
    const inError = { id, ...body, verificationStatus: verificationStatus('entered-in-error') };
    await records.allergies.update(id, inError, { by, onWarnings: (issues) => warned.push(...issues) });
    expect(warned).toMatchObject([{ rule: 'acme-problem', message: 'By retraction.' }]);
    // Of two at once, one sees the other.
    const other = nuts({ code: { text: 'Milk' } });
    const both = await Promise.allSettled([1, 2].map(() => records.allergies.create(other, { by })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('returns an Either or a task to a host with fp-ts', async () => {
    const { records, id } = await open(openStore);
    expect(await toEithers(records).allergies.read(id)).toMatchObject(E.right({ id }));
    expect(
      await toTaskEithers(records).allergies.create({ ...nuts(), criticality: 'none' as 'low' })(),
    ).toMatchObject(E.left({ _tag: 'InvalidRequest' }));
  });

  test('is verified, and has nothing to reindex', async () => {
    const { records, verify } = await open(openStore);
    await verify();
    expect(await records.reindex()).toEqual({ records: 0, reindexed: 0 });
  });
});

test.each<[string, (records: ReturnType<typeof createRecords>) => Promise<unknown>]>([
  ['a create', ({ allergies }) => allergies.create(nuts(), { by }).catch(({ issues }) => issues)],
  ['an import', async ({ importer }) => (await importer.load([sourceCondition('a', 'amy')])).issues],
])('%s while its patient is merged into another one is decided again', async (_, write) => {
  const store = createMemoryStore();
  const { records } = await openClinic(store);
  let merge: Promise<unknown> | null = null;
  const racing = createRecords({
    ...store,
    commit: async (commit) => {
      merge ??= records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
      await merge;
      return store.commit(commit);
    },
    commitAll: async (...commits) => store.commitAll(...commits),
  });
  expect(await write(racing)).toMatchObject([{ rule: 'replaced-patient' }]);
  expect(await records.allergies.search({ patient: 'amy' })).toMatchObject({ total: 0 });
  expect(await records.conditions.search({ patient: 'amy' })).toMatchObject({ total: 0 });
});

test('an unknown patient is looked up by the host, and its answer is written with the resource', async () => {
  const resolve = async (type: string, id: string) => (type === 'Patient' ? { id, lastName: 'Lane' } : null);
  const { records } = await openClinic(createMemoryStore(), { resolve });
  const { id } = await records.allergies.create(nuts({ patient: { reference: 'Patient/zoe' } }), { by });
  expect((await records.allergies.search({ patient: 'zoe' })).entry?.[0]?.resource.id).toBe(id);
  expect((await records.directory.read('Patient', 'zoe'))?.lastName).toBe('Lane');
});

test('it is a part of a transaction of the host', async () => {
  const database = new Database(':memory:');
  const store = openSqliteStore({ database });
  onTestFinished(() => store.close());
  const { records } = await openClinic(store);
  const write = (fails: boolean) =>
    inTransaction(database, async (tx) => {
      await records.in(tx).allergies.create(nuts(), { by });
      if (fails) throw new Error('no');
    });
  await write(false);
  await expect(write(true)).rejects.toThrow('no');
  expect((await records.allergies.search({ patient: 'amy' })).total).toBe(1);
});

test('records with a clock and ids of a test have it, too', () => {
  expect(createTestRecords({ store: createMemoryStore(), types: [allergy] }).records.allergies).toBeDefined();
});
