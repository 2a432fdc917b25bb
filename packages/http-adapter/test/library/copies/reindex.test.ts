import {
  type AnyClinicalRecords,
  type ClinicalRecordsOptions,
  createClinicalRecords,
} from '@clinical-records/core';
import {
  anyConcept,
  dateTime,
  defineResource,
  list,
  reference,
} from '@clinical-records/core/define-resource';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { inTransaction, openSqliteStore } from '@clinical-records/store-sqlite';
import { left, right } from 'fp-ts/lib/Either.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ada, bob, goal, immunize, labOrder, team } from '../../builders.ts';
import { createHandler, createRecords, createSender, extensionBase, openClinic } from '../../clinic.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { openSqlite } from '../stores/open-sqlite.ts';

// Two versions of the library, in which conditions are searched by other parameters.

/** Conditions that are searched by some parameters. */
const defineCondition = (search: Readonly<Record<string, Parameter>>) =>
  defineResource({
    ...{ type: 'Condition', name: 'conditions', patient: 'subject' },
    profile: 'http://hl7.org/fhir/StructureDefinition/Condition',
    elements: {
      clinicalStatus: anyConcept,
      category: list(anyConcept),
      code: anyConcept,
      subject: reference('Patient'),
      recordedDate: dateTime,
    },
    search,
    ...{
      choices: [],
      identity: null,
      references: {},
      people: [],
      mandatory: [],
      summary: [],
      otherVersions: [],
      writes: [],
    },
    inError: 'clinicalStatus.coding.code',
    isEnd: () => false,
  });

type Parameter =
  | { readonly kind: 'token'; readonly at: 'clinicalStatus' | 'category' | 'code' }
  | { readonly kind: 'date'; readonly at: 'recordedDate' };

const olderParameters = {
  'clinical-status': { kind: 'token', at: 'clinicalStatus' },
  code: { kind: 'token', at: 'code' },
} as const;

/** Does not know one of the parameters, and indexes by another in its own way. */
const older = defineCondition({ ...olderParameters, 'clinical-status': { kind: 'token', at: 'category' } });

const newer = defineCondition({ ...olderParameters, 'recorded-date': { kind: 'date', at: 'recordedDate' } });

type Definition = typeof newer;

const create = (
  store: ClinicalStore,
  definition: Definition,
  options: Partial<Omit<ClinicalRecordsOptions, 'types' | 'rules'>> = {},
) => createClinicalRecords({ store, extensionBase, careTeamRoles: [], types: [definition], ...options });

const codings = (code: string) => ({ coding: [{ code }] });

const sourceCondition = (id: string, rest: object = {}) => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: codings('active'),
  category: [codings('problem')],
  code: codings('38341003'),
  subject: { reference: 'Patient/amy' },
  recordedDate: '2024-05-02',
  meta: { lastUpdated: '2024-05-02T08:00:00Z' },
  ...rest,
});

const amy = { id: 'amy', lastName: 'Shaw', firstName: 'Amy' };

/** Records of a version, which has written a patient, a goal and some conditions. */
const fill = async (store: ClinicalStore, definition: Definition, ...ids: readonly string[]) => {
  const records = create(store, definition);
  await records.directory.put('Patient', amy);
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  await records.chart.record(goal({ id: 'walk' }), { by: 'Practitioner/ada' });
  await load(records, ...ids);
  return records;
};

const load = async (records: ReturnType<typeof create>, ...ids: readonly string[]) => {
  const { imported } = await records.importer.load(ids.map((id) => sourceCondition(id)));
  expect(imported).toEqual({ Condition: ids.length });
};

const searcher = (store: ClinicalStore, definition: Definition) => searcherOf(create(store, definition));

const searcherOf = (records: AnyClinicalRecords) => {
  const send = createSender(createHandler(records));
  return (query: string) => send('GET', query.startsWith('/') ? query : `/Condition?${query}`);
};

const newParameters = ['Condition.clinical-status', 'Condition.recorded-date'];

const newSearches = [
  'clinical-status=active',
  'patient=amy&recorded-date=2024',
  'recorded-date:missing=false',
  'clinical-status:not=resolved',
] as const;

/** Searches by parameters that have not changed, and an order that looks at no index entry. */
const oldSearches = ['code=38341003', 'patient=amy', '_sort=recorded-date', '_lastUpdated=ge2020'] as const;

describe.each([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('records that an older version has written, in %s', (_, open) => {
  test('are not found by new parameters, which are a 503, until they are reindexed', async () => {
    const store = open();
    await fill(store, older, 'a');
    const get = searcher(store, newer);
    for (const query of oldSearches) expect(idsOf(await get(query))).toEqual(['a']);
    for (const query of newSearches) expectError(await get(query), 503);
    expect(idsOf(await get('/Goal?lifecycle-status=active'))).toEqual(['walk']);
    const records = create(store, newer);
    const before = await records.verify();
    expect(before).toMatchObject({ discrepancies: [], outdatedParameters: newParameters });
    const progress: unknown[] = [];
    const reindexed = await records.reindex({ onProgress: (one) => progress.push(one) });
    expect(reindexed).toEqual({ records: before.records, reindexed: 1 });
    expect(progress).toEqual([reindexed]);
    for (const query of [...oldSearches, ...newSearches]) expect(idsOf(await get(query))).toEqual(['a']);
    expect(await records.verify()).toEqual({ ...before, outdatedParameters: [] });
    expect(await records.reindex()).toEqual({ records: 0, reindexed: 0 });
  });

  test('are a 503 where a limit looks at a new parameter, and an issue says so', async () => {
    const store = open();
    await fill(store, older, 'a');
    const records = create(store, newer);
    const matching = [new URLSearchParams('clinical-status=active')];
    await expect(async () =>
      records.conditions.search({ patient: 'amy' }, { matching }),
    ).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'outdated-index' }],
      cause: { message: expect.stringContaining('by Condition.clinical-status as this version') },
    });
  });

  test('are reindexed while others write, and by several at a time', async () => {
    const store = open();
    await fill(store, older, 'a', 'b');
    const writer = create(store, newer);
    // The new version comes between a look at the record and its new index entries.
    let isFirst = true;
    const racing: ClinicalStore = {
      ...store,
      commit: async (commit) => {
        if ((commit.reindexing?.records.length ?? 0) > 0 && isFirst) {
          isFirst = false;
          await writer.importer.load([
            sourceCondition('a', {
              clinicalStatus: codings('resolved'),
              meta: { lastUpdated: '2024-05-03T08:00:00Z' },
            }),
          ]);
        }
        return store.commit(commit);
      },
    };
    await Promise.all([create(racing, newer).reindex(), create(store, newer).reindex()]);
    const get = searcher(store, newer);
    expect(idsOf(await get('clinical-status=resolved'))).toEqual(['a']);
    expect(idsOf(await get('clinical-status=active'))).toEqual(['b']);
    expect(await create(store, newer).verify()).toMatchObject({ discrepancies: [], outdatedParameters: [] });
  });

  test('are reindexed to the end after an interruption, and until then not said to be', async () => {
    const store = open();
    await fill(store, older, 'a');
    const records = create(store, newer);
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(async () => records.reindex({ onProgress: stop })).rejects.toThrow('stopped');
    expectError(await searcher(store, newer)('clinical-status=active'), 503);
    expect(await records.reindex()).toMatchObject({ reindexed: 0 });
    expect(idsOf(await searcher(store, newer)('clinical-status=active'))).toEqual(['a']);
  });

  test('are a 503 if it did not say how it has indexed them, even after the next write', async () => {
    const store = open();
    const silent: ClinicalStore = {
      ...store,
      commit: async (commit) => (commit.reindexing === undefined ? store.commit(commit) : right([])),
    };
    await fill(silent, newer, 'a');
    await load(create(store, newer), 'b');
    const get = searcher(store, newer);
    for (const query of ['code=38341003', '/Goal?lifecycle-status=active'])
      expectError(await get(query), 503);
    expect(idsOf(await get('patient=amy'))).toEqual(['a', 'b']);
    expect(await create(store, newer).reindex()).toMatchObject({ reindexed: 0 });
    expect(idsOf(await get('code=38341003'))).toEqual(['a', 'b']);
  });

  test('can be copied, and the copy needs no reindexing', async () => {
    const [source, target] = [open(), createMemoryStore()];
    await fill(source, older, 'a');
    await create(source, newer).copyTo(target);
    for (const query of newSearches) expect(idsOf(await searcher(target, newer)(query))).toEqual(['a']);
    expect(await create(target, newer).reindex()).toEqual({ records: 0, reindexed: 0 });
    expectError(await searcher(target, older)('clinical-status=problem'), 503);
  });

  test('can be copied further than the older version has done, and then the copy is reindexed', async () => {
    const [source, target] = [open(), createMemoryStore()];
    const records = await fill(source, older, 'a');
    await records.copyTo(target);
    await load(records, 'b');
    await create(source, newer).copyTo(target);
    const get = searcher(target, newer);
    expect(idsOf(await get('code=38341003'))).toEqual(['a', 'b']);
    expectError(await get('recorded-date=2024'), 503);
    expectError(await searcher(target, older)('clinical-status=problem'), 503);
    await create(target, newer).reindex();
    for (const query of newSearches) expect(idsOf(await get(query))).toEqual(['a', 'b']);
  });
});

describe.each([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('two versions on the same records, in %s', (_, open) => {
  test('write side by side, and each finds by what both index in the same way', async () => {
    const store = open();
    const before = await fill(store, older, 'a');
    const after = create(store, newer);
    await load(after, 'b');
    await load(before, 'c');
    for (const records of [before, after]) {
      const get = searcherOf(records);
      expect(idsOf(await get('code=38341003'))).toEqual(['a', 'b', 'c']);
      expect(idsOf(await get('/Goal?lifecycle-status=active'))).toEqual(['walk']);
    }
    expectError(await searcherOf(after)('recorded-date=2024'), 503);
  });

  test('do not reindex in turn: the older one has nothing to do after the newer one', async () => {
    const store = open();
    const sameButOne = defineCondition(olderParameters);
    const before = await fill(store, sameButOne, 'a');
    const after = create(store, newer);
    await after.reindex();
    const indexed = await store.indexedParameters();
    expect(await before.reindex()).toEqual({ records: 0, reindexed: 0 });
    expect(await create(store, sameButOne).reindex()).toEqual({ records: 0, reindexed: 0 });
    await load(before, 'b');
    await load(after, 'c');
    expect(await store.indexedParameters()).toEqual(indexed);
    expect(await before.verify()).toMatchObject({ discrepancies: [], outdatedParameters: [] });
  });

  test('do not hide what the older one writes after a return to it', async () => {
    const store = open();
    await fill(store, older, 'a');
    await create(store, newer).reindex();
    await load(create(store, older), 'b');
    const get = searcher(store, newer);
    expect(idsOf(await get('code=38341003'))).toEqual(['a', 'b']);
    for (const query of newSearches) expectError(await get(query), 503);
    await create(store, newer).reindex();
    for (const query of newSearches) expect(idsOf(await get(query))).toEqual(['a', 'b']);
  });

  test('leave a type alone that one of them does not have, and the other indexes it from its first record on', async () => {
    const store = open();
    const { record, records } = await openClinic(store);
    await record(goal({ id: 'run' }));
    const withConditions = create(store, newer);
    for (const query of newSearches) expect(idsOf(await searcherOf(withConditions)(query))).toEqual([]);
    expect(await withConditions.verify()).toMatchObject({ outdatedParameters: [] });
    await load(withConditions, 'a');
    await createRecords(store).directory.put('Patient', { ...amy, firstName: 'Amelia' });
    for (const query of newSearches) expect(idsOf(await searcher(store, newer)(query))).toEqual(['a']);
    expect(await records.reindex()).toEqual({ records: 0, reindexed: 0 });
  });

  test('may both write the first records of a type: only what both index in the same way is found', async () => {
    const store = open();
    await (await openClinic(store)).record(goal({ id: 'run' }));
    const [before, after] = [create(store, older), create(store, newer)];
    await before.directory.put('Patient', { ...amy, firstName: 'Amelia' });
    await after.directory.put('Patient', { ...amy, firstName: 'Amy' });
    await load(before, 'a');
    await load(after, 'b');
    expect(idsOf(await searcherOf(after)('code=38341003'))).toEqual(['a', 'b']);
    for (const query of newSearches) expectError(await searcherOf(after)(query), 503);
  });

  test('need nothing of a type without records, which is reindexed at once', async () => {
    const store = open();
    const { record } = await openClinic(store);
    await record(goal({ id: 'run' }));
    const before = create(store, older);
    await before.directory.put('Patient', { ...amy, firstName: 'Amelia' });
    expect(await create(store, newer).reindex()).toEqual({ records: 0, reindexed: 0 });
    await load(create(store, newer), 'a');
    for (const query of newSearches) expect(idsOf(await searcher(store, newer)(query))).toEqual(['a']);
  });
});

describe.each([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('a new store, in %s', (_, open) => {
  test('needs no reindexing, whoever opens it later', async () => {
    const store = open();
    const { record, records } = await openClinic(store);
    await record(goal({ id: 'walk', dueDate: '2026-05-01' }));
    await record(labOrder({ id: 'order' }));
    await record(immunize());
    await records.careTeams.update('amy', team(ada, bob));
    const get = searcherOf(createRecords(store));
    for (const [query, id] of [
      ['/Goal?lifecycle-status=active', 'walk'],
      ['/Goal?patient=amy&target-date=2026', 'walk'],
      ['/Goal?description=Walk%20a%20mile', 'walk'],
      ['/Immunization?date=2025&status=completed', 'shot'],
      ['/CareTeam?role=224535009', 'amy'],
      ['/ServiceRequest?requester=ada', 'order'],
      ['/Goal?_profile=http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal', 'walk'],
    ] as const)
      expect(idsOf(await get(query))).toEqual([id]);
    expect(await createRecords(store).reindex()).toEqual({ records: 0, reindexed: 0 });
    expect(await createRecords(store).verify()).toMatchObject({ discrepancies: [], outdatedParameters: [] });
  });

  test('finds nothing while it has no records, and what is written afterwards', async () => {
    const store = open();
    for (const query of newSearches) expect(idsOf(await searcher(store, newer)(query))).toEqual([]);
    expect(await create(store, newer).verify()).toMatchObject({ outdatedParameters: [] });
    expect(await create(store, newer).reindex()).toEqual({ records: 0, reindexed: 0 });
    await fill(store, newer, 'a');
    for (const query of newSearches) expect(idsOf(await searcher(store, newer)(query))).toEqual(['a']);
  });

  test('finds within its first transaction, and after it', async () => {
    const store = open();
    const records = createRecords(store);
    await records.transaction(async (tx) => {
      await tx.directory.put('Patient', amy);
      await tx.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
      await tx.chart.record(goal({ id: 'walk' }), { by: 'Practitioner/ada' });
      expect((await tx.goals.search({ 'lifecycle-status': 'active' })).total).toBe(1);
    });
    expect((await createRecords(store).goals.search({ 'lifecycle-status': 'active' })).total).toBe(1);
  });
});

test('another time zone makes dates of before outdated, and nothing else', async () => {
  const store = createMemoryStore();
  await fill(store, newer, 'a');
  const there = create(store, newer, { timeZone: 'Pacific/Auckland' });
  const get = searcherOf(there);
  expect(idsOf(await get('clinical-status=active'))).toEqual(['a']);
  expectError(await get('recorded-date=2024-05-02'), 503);
  const { outdatedParameters, discrepancies } = await there.verify();
  expect([discrepancies, outdatedParameters]).toEqual([
    [],
    [
      'Goal.target-date',
      'Goal.start-date',
      'Condition.recorded-date',
      'Patient.birthdate',
      'Patient.death-date',
    ],
  ]);
  expect(await there.reindex()).toMatchObject({ reindexed: 1 });
  // A day begins there at noon in UTC.
  expect(idsOf(await get('recorded-date=lt2024-05-01T18:00:00Z'))).toEqual(['a']);
});

/** A store, and how often each of its functions was called since the last look. */
const counted = (store: ClinicalStore) => {
  let calls: string[] = [];
  const counting = Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      typeof call === 'function'
        ? (...sent: readonly never[]) => {
            calls.push(name);
            return (call as (...sent: readonly never[]) => unknown)(...sent);
          }
        : call,
    ]),
  ) as unknown as ClinicalStore;
  return {
    store: counting,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
};

test('a process asks once how records are indexed, before its first search or its first write', async () => {
  const store = createMemoryStore();
  await fill(store, newer, 'a');
  const reader = counted(store);
  const { conditions } = create(reader.store, newer);
  await conditions.search({ patient: 'amy' });
  expect(reader.take()).toEqual(['search']);
  await conditions.search({ code: '38341003' });
  expect(reader.take()).toEqual(['indexedParameters', 'search']);
  await conditions.search({ 'clinical-status': 'active', 'recorded-date': '2024' });
  expect(reader.take()).toEqual(['search']);
  const writer = counted(store);
  const { directory } = create(writer.store, newer);
  await directory.put('Patient', { ...amy, firstName: 'Amelia' });
  expect(writer.take().filter((name) => name === 'indexedParameters' || name === 'commit')).toEqual([
    'indexedParameters',
    'commit',
  ]);
  await directory.put('Patient', amy);
  expect(writer.take()).not.toContain('indexedParameters');
});

test('records that cannot be written are searched all the same', async () => {
  const store = createMemoryStore();
  await fill(store, newer, 'a');
  const readOnly: ClinicalStore = {
    ...store,
    commit: async () => left({ _tag: 'NotWritable', message: 'a standby', cause: null }),
  };
  expect(idsOf(await searcher(readOnly, newer)('clinical-status=active'))).toEqual(['a']);
});

test('a first write that the host rolls back leaves nothing behind', async () => {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(':memory:');
  onTestFinished(() => {
    database.close();
  });
  const store = openSqliteStore({ database });
  const records = createRecords(store as ClinicalStore);
  const undone = inTransaction(database, async (tx) => {
    const within = records.in(tx);
    await within.directory.put('Patient', amy);
    expect((await within.directory.search('Patient', { name: 'amy' })).total).toBe(1);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await store.indexedParameters()).toEqual({ _tag: 'Right', right: {} });
  await records.directory.put('Patient', amy);
  expect((await records.directory.search('Patient', { name: 'amy' })).total).toBe(1);
});
