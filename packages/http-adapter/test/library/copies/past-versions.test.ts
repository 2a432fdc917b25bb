import { anyVersion, type RecordChange } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createRecords } from '../../clinic.ts';

test('a record that was in another chart shows nothing of that time to a reader of its chart', async () => {
  const store = createMemoryStore();
  const version = (patientId: string): RecordChange => ({
    ...{ type: 'Goal', id: 'moved', patientId, at: 0, by: null, state: '{}', index: [], expects: anyVersion },
    resource: `{"resourceType":"Goal","id":"moved","subject":{"reference":"Patient/${patientId}"}}`,
  });
  for (const patientId of ['ben', 'amy']) {
    await store.commit({ changes: [version(patientId)], versionChecks: [] });
  }
  const { goals } = createRecords(store);
  const within = { within: 'amy' };
  const versions = await goals.history('moved', within);
  expect(versions.map(({ version: number }) => number)).toEqual([2]);
  expect(await goals.readVersion('moved', 2, within)).toMatchObject({
    subject: { reference: 'Patient/amy' },
  });
  await expect(async () => goals.readVersion('moved', 1, within)).rejects.toMatchObject({ tag: 'NotFound' });
  expect(await goals.asJson.historyBundle('moved', [], within)).not.toContain('ben');
  expect(await goals.history('moved')).toHaveLength(2);
});
