import { openSqliteStore } from '@clinical-records/store-sqlite';
import { beforeAll, expect, test } from 'vitest';
import { hasDemoClinic, putDemoClinic } from '../../demo/demo-clinic.ts';
import { createServerRecords } from '../../open/use-records.ts';

const store = openSqliteStore({ filename: ':memory:' });
const records = createServerRecords(store);

beforeAll(async () => {
  expect(await hasDemoClinic(records)).toBe(false);
  await putDemoClinic(records);
  expect(await hasDemoClinic(records)).toBe(true);
});

test('the demo clinic has a lead, and participants of every status', async () => {
  const { entry = [] } = await records.careTeams.search({ _count: 100 });
  expect(new Set(entry.map(({ resource }) => resource.status))).toEqual(
    new Set(['proposed', 'active', 'suspended', 'inactive', 'entered-in-error']),
  );
  const leads = entry
    .flatMap(({ resource }) => resource.participant ?? [])
    .filter(({ extension }) => extension?.[0]?.valueBoolean);
  expect(leads).toHaveLength(4);
});

test('the demo clinic has goals in every state, with notes', async () => {
  const { entry = [] } = await records.goals.search({ _count: 100 });
  expect(entry.map(({ resource }) => [resource.id, resource.lifecycleStatus])).toEqual([
    ['demo-goal-1', 'active'],
    ['demo-goal-2', 'completed'],
    ['demo-goal-3', 'entered-in-error'],
    ['demo-goal-4', 'active'],
    ['demo-goal-6', 'active'],
    ['demo-goal-7', 'active'],
  ]);
  expect(entry[0]?.resource.note).toHaveLength(2);
  expect(entry[3]?.resource.target).toBeUndefined();
});

test.each(['363679005', '108252007', '386053000'] as const)(
  'the demo clinic has orders of category %s in each state',
  async (category) => {
    const { entry = [] } = await records.serviceRequests.search({ category, _count: 100 });
    expect(entry.map(({ resource }) => resource.status)).toEqual([
      'draft',
      'active',
      'completed',
      'entered-in-error',
    ]);
  },
);

test('the demo clinic has immunizations of each status, given here and elsewhere', async () => {
  const { entry = [] } = await records.immunizations.search({ _count: 100 });
  expect(entry.map(({ resource }) => [resource.status, resource.primarySource])).toEqual([
    ['completed', true],
    ['not-done', true],
    ['completed', false],
    ['entered-in-error', false],
    ['completed', false],
    ['not-done', true],
    ['completed', false],
    ['completed', false],
    ['completed', false],
  ]);
});
