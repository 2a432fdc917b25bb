import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { goal } from '../builders.ts';
import { createRecords, openClinic } from '../clinic.ts';
import { copyIntoFreshFile, eraseAmy, eraseUnchangedSince, mergeAmy, moveGoal } from './corrections.ts';

test('the page of corrections moves a goal to the chart of another patient', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  const correction = await moveGoal(records);
  expect((await records.goals.read('walk')).subject.reference).toBe('Patient/ben');
  expect(await records.corrections.of({ resourceType: 'Patient', resourceId: 'amy' })).toEqual([correction]);
});

test('the page of corrections merges a patient into another one', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  const correction = await mergeAmy(records);
  expect(correction.records).toContainEqual({ type: 'Goal', id: 'walk', version: 2 });
  expect((await records.goals.read('walk')).subject.reference).toBe('Patient/ben');
});

test('the page of corrections erases a patient', async () => {
  const { record, records } = await openClinic(createMemoryStore());
  await record(goal());
  expect((await eraseAmy(records)).records).toContainEqual({ type: 'Goal', id: 'walk', version: 2 });
  await expect(async () => records.goals.read('walk')).rejects.toMatchObject({ tag: 'NotFound' });
});

test('the page of corrections copies what was not erased into a file that has no byte of the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = openSqliteStore({ filename: join(folder, 'clinic.db') });
  const { record, records } = await openClinic(store);
  await record(goal({ description: 'Secret goal' }));
  await record(goal({ id: 'swim', patientId: 'ben', description: 'Swim' }));
  await eraseAmy(records);
  const stop = new AbortController();
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const copied = copyIntoFreshFile(records, join(folder, 'fresh.db'), stop.signal);
  await record(goal({ id: 'run', patientId: 'ben', description: 'Run' }));
  stop.abort();
  await copied;
  await store.close();
  const textOf = (name: string) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(name))
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join();
  expect(textOf('clinic.db')).toContain('Secret goal');
  expect(textOf('fresh.db')).not.toContain('Secret goal');
  const fresh = openSqliteStore({ filename: join(folder, 'fresh.db') });
  for (const [id, text] of [
    ['swim', 'Swim'],
    ['run', 'Run'],
  ] as const) {
    expect(await createRecords(fresh).goals.read(id)).toMatchObject({ description: { text } });
  }
  expect(await createRecords(fresh).verify()).toMatchObject({ discrepancies: [] });
  await fresh.close();
});

test('the page of corrections erases the patients whose chart was last changed before a time', async () => {
  const { record, records, clock } = await openClinic(createMemoryStore());
  clock.at('2030-01-01T00:00:00Z');
  await record(goal({ patientId: 'ben' }));
  expect(await eraseUnchangedSince(records, '2029-01-01T00:00:00.000Z')).toEqual(['amy']);
  expect(await eraseUnchangedSince(records, '2029-01-01T00:00:00.000Z')).toEqual([]);
  expect(await records.directory.read('Patient', 'amy')).toBe(null);
  expect(await records.goals.read('walk')).toMatchObject({ subject: { reference: 'Patient/ben' } });
});
