import type { ClinicalStore, IndexEntry } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { right } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { ada, bob, goal, immunize, labOrder, team } from '../builders.ts';
import { createHandler, createRecords, createSender, openClinic } from '../clinic.ts';
import { expectError, idsOf } from '../response-helpers.ts';
import { openSqlite } from './open-sqlite.ts';

/** The parameters of index version 1. */
const oldParameters: Readonly<Record<string, readonly string[]>> = {
  ServiceRequest: ['status', 'category', 'code', 'authored'],
  CareTeam: ['status', 'participant'],
};

const oldIndex = (type: string, index: readonly IndexEntry[]): readonly IndexEntry[] =>
  index.filter(({ parameter }) => oldParameters[type]?.includes(parameter));

/** The store as the library of index version 1 writes to it. */
const withOldIndex = (store: ClinicalStore): ClinicalStore => ({
  ...store,
  commit: async (commit) =>
    commit.reindexing === undefined
      ? store.commit({
          ...commit,
          changes: commit.changes.map((one) => ({ ...one, index: oldIndex(one.type, one.index) })),
        })
      : right([]),
});

const fill = async (store: ClinicalStore): Promise<void> => {
  const { record, records } = await openClinic(withOldIndex(store));
  await record(goal({ dueDate: '2026-05-01' }));
  await record(labOrder({ id: 'order' }));
  await record(immunize());
  await records.careTeams.update('amy', team(ada, bob));
};

const searcher = (store: ClinicalStore) => {
  const send = createSender(createHandler(createRecords(store)));
  return (path: string) => send('GET', path);
};

const newSearches = [
  ['/Goal?lifecycle-status=active', 'walk'],
  ['/Goal?patient=amy&target-date=2026', 'walk'],
  ['/Goal?description=Walk%20a%20mile', 'walk'],
  ['/Immunization?date=2025&status=completed', 'shot'],
  ['/CareTeam?role=224535009', 'amy'],
  ['/ServiceRequest?requester=ada', 'order'],
  ['/Goal?_profile=http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal', 'walk'],
] as const;

const oldSearches = [
  ['/Goal?subject=amy', 'walk'],
  ['/ServiceRequest?code=718-7&status=active,on-hold', 'order'],
  ['/CareTeam?participant=Practitioner/bob', 'amy'],
] as const;

describe.each([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('records whose index entries are of an older version, in %s', (_, open) => {
  test('are not found by new parameters, which are a 503, until they are reindexed', async () => {
    const store = open();
    await fill(store);
    const get = searcher(store);
    for (const [path, id] of oldSearches) expect(idsOf(await get(path))).toEqual([id]);
    for (const [path] of newSearches) expectError(await get(path), 503);
    const before = await createRecords(store).verify();
    expect(before).toMatchObject({ discrepancies: [], isIndexOutdated: true });
    const progress: unknown[] = [];
    const reindexed = await createRecords(store).reindex({ onProgress: (one) => progress.push(one) });
    expect(reindexed).toEqual({ records: before.records, reindexed: 16 });
    expect(progress).toEqual([reindexed]);
    for (const [path, id] of [...oldSearches, ...newSearches]) expect(idsOf(await get(path))).toEqual([id]);
    expect(await createRecords(store).verify()).toEqual({ ...before, isIndexOutdated: false });
    expect(await createRecords(store).reindex()).toEqual({ records: 0, reindexed: 0 });
  });

  test('are reindexed while others write, and by several at a time', async () => {
    const store = open();
    await fill(store);
    const { chart } = createRecords(store);
    // The new version comes between a look at the record and its new index entries.
    let isFirst = true;
    const racing: ClinicalStore = {
      ...store,
      commit: async (commit) => {
        if (commit.reindexing !== undefined && isFirst) {
          isFirst = false;
          await chart.record({ kind: 'closeGoal', goalId: 'walk' }, { by: 'Practitioner/ada' });
        }
        return store.commit(commit);
      },
    };
    await Promise.all([createRecords(racing).reindex(), createRecords(store).reindex()]);
    const get = searcher(store);
    expect(idsOf(await get('/Goal?lifecycle-status=completed'))).toEqual(['walk']);
    expect(idsOf(await get('/Immunization?status=completed'))).toEqual(['shot']);
    expect(await createRecords(store).verify()).toMatchObject({ discrepancies: [], isIndexOutdated: false });
  });

  test('are reindexed to the end after an interruption, and until then not said to be', async () => {
    const store = open();
    await fill(store);
    const records = createRecords(store);
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(async () => records.reindex({ onProgress: stop })).rejects.toThrow('stopped');
    expectError(await searcher(store)('/Goal?lifecycle-status=active'), 503);
    expect(await records.reindex()).toMatchObject({ reindexed: 0 });
    expect(idsOf(await searcher(store)('/Goal?lifecycle-status=active'))).toEqual(['walk']);
  });

  test('can be copied, and the copy needs no reindexing', async () => {
    const [source, target] = [open(), createMemoryStore()];
    await fill(source);
    await createRecords(source).copyTo(target);
    for (const [path, id] of newSearches) expect(idsOf(await searcher(target)(path))).toEqual([id]);
    expect(await createRecords(target).reindex()).toEqual({ records: 0, reindexed: 0 });
  });

  test('a new store needs no reindexing, whoever opens it later', async () => {
    const store = open();
    await (await openClinic(store)).record(goal());
    expect(idsOf(await searcher(store)('/Goal?lifecycle-status=active'))).toEqual(['walk']);
    expect(await createRecords(store).reindex()).toEqual({ records: 0, reindexed: 0 });
  });

  test('a new store without records is up to date: a new parameter finds nothing', async () => {
    const store = open();
    for (const [path] of newSearches) expect(idsOf(await searcher(store)(path))).toEqual([]);
    expect(await createRecords(store).verify()).toMatchObject({ isIndexOutdated: false });
    expect(await createRecords(store).reindex()).toEqual({ records: 0, reindexed: 0 });
    await (await openClinic(store)).record(goal());
    expect(idsOf(await searcher(store)('/Goal?lifecycle-status=active'))).toEqual(['walk']);
  });
});
