import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ada, bob, team } from '../../builders.ts';
import { type Clinic, openClinic, useClinic } from '../../clinic.ts';
import { membersOf } from '../../response-helpers.ts';

/** An entry of the index `records_by_name`, in which the type of a record follows its id. A row has them the other way round. */
const indexEntry = 'amy.entered-in-errorCareTeam';

/** A clinic in whose file one bit is flipped: the index has the record `amy.entered-in-error` under `amy/entered-in-error`. */
const openDamaged = async (): Promise<Clinic> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const filename = join(folder, 'clinic.db');
  const { store, records } = await openClinic(openSqliteStore({ filename }));
  await records.careTeams.update('amy', team(ada, bob));
  await records.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'entered-in-error');
  await store.close();
  const bytes = readFileSync(filename);
  const at = bytes.indexOf(indexEntry) + 'amy'.length;
  expect(bytes.indexOf(indexEntry, at)).toBe(-1);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(filename, bytes);
  const damaged = openSqliteStore({ filename });
  onTestFinished(async () => {
    await damaged.close();
    rmSync(folder, { recursive: true });
  });
  return useClinic(damaged);
};

const unavailable = { status: 503, json: { issue: [{ details: { coding: [{ code: 'damaged-store' }] } }] } };

test('a search that does not need the damaged index finds the record', async () => {
  const { get } = await openDamaged();
  const { json } = await get('/CareTeam?patient=amy');
  const found = json.entry.map(({ resource }: { resource: object }) => membersOf(resource));
  expect(found).toEqual([['Practitioner/ada'], ['Practitioner/bob']]);
});

test.each(['/CareTeam/amy.entered-in-error', '/CareTeam?patient=amy&_sort=-_lastUpdated'])(
  'GET %s, which needs the damaged index, fails',
  async (path) => {
    const { get } = await openDamaged();
    expect(await get(path)).toMatchObject(unavailable);
  },
);

test('a change of the team fails, and so does a new name of a member who cannot be found', async () => {
  const { put, records, feed } = await openDamaged();
  const before = await feed();
  expect(await put('/CareTeam/amy', team(bob))).toMatchObject(unavailable);
  const rename = async () =>
    records.directory.put('Practitioner', { id: 'bob', lastName: 'Grey', firstName: 'Bob' });
  await expect(rename()).rejects.toMatchObject({ tag: 'StoreFailure', issues: [{ rule: 'damaged-store' }] });
  expect(await feed()).toEqual(before);
});

test('verify finds the record that cannot be read under its id', async () => {
  const { records } = await openDamaged();
  const { discrepancies } = await records.verify();
  expect(discrepancies).toEqual([
    { type: 'CareTeam', id: 'amy.entered-in-error', version: 1, what: 'lookup' },
  ]);
});
