import { createClinicalRecords } from '@clinical-records/core';
import type { Commit, RecordChange } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, test } from 'vitest';
import { updateIndex } from '../../open/update-index.ts';
import { careTeamRoles, extensionBase } from '../../settings.ts';

test('the search index of records of an older version is updated with progress, and once', async () => {
  const store = openSqliteStore({ filename: ':memory:' });
  const withoutIndex = (change: RecordChange) => ({ ...change, index: [] });
  const older = {
    ...store,
    commit: ({ changes, versionChecks }: Commit) =>
      store.commit({ changes: changes.map(withoutIndex), versionChecks }),
  };
  const { directory } = createClinicalRecords({ store: older, extensionBase, careTeamRoles });
  await directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const printed: string[] = [];
  await updateIndex(records, (text) => printed.push(text));
  expect(printed).toEqual([
    'Updating the search index: 2 records\n',
    'Updated the search index: 2 of 2 records\n',
  ]);
  expect((await records.careTeams.search({ status: 'active' })).total).toBe(1);
  expect((await records.directory.search('Patient', { name: 'shaw' })).total).toBe(1);
  await updateIndex(records, (text) => printed.push(text));
  expect(printed).toHaveLength(2);
  await store.close();
});
