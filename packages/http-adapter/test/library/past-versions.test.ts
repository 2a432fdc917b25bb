import { anyVersion, type ClinicalStore, type RecordChange } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { ada, bob, team } from '../builders.ts';
import { createRecords, openClinic } from '../clinic.ts';

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

test('a search finds a team of another status again if the team changes while its version is read', async () => {
  const inner = createMemoryStore();
  const { records } = await openClinic(inner);
  await records.careTeams.update('amy', team(ada, bob));
  await records.careTeams.update('amy', team(ada));
  let changes = 0;
  const store: ClinicalStore = {
    ...inner,
    readResource: async (ref) => {
      const read = await inner.readResource(ref);
      if (ref.id === 'amy' && changes === 0) {
        changes += 1;
        await records.careTeams.update('amy', team(bob));
      }
      return read;
    },
  };
  const { entry } = await createRecords(store).careTeams.search({ patient: 'amy', status: 'inactive' });
  expect(changes).toBe(1);
  expect(entry?.map(({ resource }) => resource)).toEqual([await records.careTeams.read('amy.inactive')]);
  expect(entry?.[0]?.resource.participant?.map(({ member }) => member.reference)).toEqual([
    'Practitioner/ada',
  ]);
});
