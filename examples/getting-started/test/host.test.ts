import type { ClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

// The backend opens its file when it is loaded.
vi.stubEnv('FILE', ':memory:');
afterAll(() => {
  vi.unstubAllEnvs();
});
const {
  activeGoals,
  fillDirectory,
  goalOrNull,
  isSound,
  openRecords,
  recordOnce,
  brokenRules,
  renamePractitioner,
  listHistory,
  moveTo,
  updateIndex,
} = await import('../host.ts');

let database: Database.Database;
let records: ClinicalRecords;

beforeEach(() => {
  database = new Database(':memory:');
  records = openRecords(openSqliteStore({ database, prefix: 'clinical_' }));
});

afterEach(() => {
  database.close();
});

const addGoal = async () => {
  const command = { kind: 'goal', patientId: '7', description: 'Walk 5 km a day' } as const;
  const goal = await records.chart.record(command, { by: 'Practitioner/12' });
  await records.chart.record({ kind: 'closeGoal', goalId: goal.resourceId }, { by: 'Practitioner/12' });
  return goal.resourceId;
};

test('the host is asked for a person who is mentioned for the first time, but not again if it does not know the person', async () => {
  expect((await records.careTeams.read('7')).name).toBe('Care Team for Shaw, Amy');
  await expect(async () => records.careTeams.read('8')).rejects.toMatchObject({ tag: 'NotFound' });
  await expect(async () =>
    records.directory.put('Note', { id: 'n', patientId: '7', encounterId: 'none' }),
  ).rejects.toMatchObject({
    issues: [{ rule: 'unknown-encounter' }],
  });
});

test('the history says who did what, newest first', async () => {
  expect(await listHistory(records, await addGoal())).toEqual([
    '2: completed, at 2026-03-01T09:30:00.000+00:00 by Practitioner/12',
    '1: active, at 2026-03-01T09:30:00.000+00:00 by Practitioner/12',
  ]);
});

test('closed goals are read with the others, and can be left out', async () => {
  await addGoal();
  await records.chart.record(
    { kind: 'goal', patientId: '7', description: 'Swim' },
    { by: 'Practitioner/12' },
  );
  expect(await activeGoals(records, '7')).toEqual(['Swim']);
});

test('a change that was made behind the back of the library is found and reported', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const goal = await addGoal();
  expect(await isSound(records)).toBe(true);
  database.exec("UPDATE clinical_records SET resource = '{}' WHERE type = 'Goal'");
  expect(await isSound(records)).toBe(false);
  expect(error.mock.calls).toEqual([
    [`Goal/${goal}, version 2: digest`],
    [`Goal/${goal}, version 2: resource`],
  ]);
  error.mockRestore();
});

test('the records move to another store with their history', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const goal = await addGoal();
  const other = openSqliteStore({ filename: ':memory:' });
  expect(await moveTo(records, other)).toBe(true);
  expect(await listHistory(openRecords(other), goal)).toEqual(await listHistory(records, goal));
  await other.close();
  log.mockRestore();
});

test('the people of the host are found by their names, and putting them again writes nothing', async () => {
  await fillDirectory(records);
  const found = await records.directory.search('Patient', { name: 'amy' });
  expect(found.entry?.map(({ resource }) => resource.id)).toEqual(['7']);
  const { versions } = await records.verify();
  await fillDirectory(records);
  expect((await records.verify()).versions).toBe(versions);
});

test('a new name shows in care teams', async () => {
  await records.careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', {
    role: { system: 'http://snomed.info/sct', code: '17561000' },
  });
  await renamePractitioner(records);
  const { participant } = await records.careTeams.read('7');
  expect(participant?.[0]?.member.display).toBe('Ada Lovelace');
});

test('the search index of a new store is up to date', async () => {
  expect(await updateIndex(records)).toBe(0);
});

test('an immunization that is sent again with its key is recorded once', async () => {
  const body = {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: 'Patient/7' },
    occurrenceDateTime: '2024-10-02',
    primarySource: false,
  };
  const key = '3f1c0b52-5a4e-4d0e-8b39-0d4f6d1c7c11';
  const id = await recordOnce(records, body, key);
  expect(await recordOnce(records, body, key)).toBe(id);
  expect((await records.immunizations.search({ patient: '7' })).total).toBe(1);
});

test('thrown errors are distinguished by their tags', async () => {
  expect(await goalOrNull(records, await addGoal())).toMatchObject({ resourceType: 'Goal' });
  expect(await goalOrNull(records, 'no-such-goal')).toBeNull();
  database.close();
  await expect(goalOrNull(records, 'no-such-goal')).rejects.toMatchObject({ tag: 'StoreFailure' });
});

test('errors are distinguished by their tags', async () => {
  expect(await brokenRules(records)).toEqual(['there is none']);
  database.exec('DROP TABLE clinical_entries; DROP TABLE clinical_records');
  expect(await brokenRules(records)).toEqual(['try again later']);
});

test.each(['records', 'store_versions', 'terms'])(
  'without a prefix, a table %s of the host stops the store from opening, and is not changed',
  (name) => {
    const own = new Database(':memory:');
    own.exec(`CREATE TABLE ${name} (name TEXT)`);
    expect(() => openSqliteStore({ database: own })).toThrow(
      name === 'store_versions' ? 'no such column: "schema_version"' : `table "${name}" already exists`,
    );
    const tables = own.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck();
    expect(tables.all()).toEqual([name]);
    own.close();
  },
);
