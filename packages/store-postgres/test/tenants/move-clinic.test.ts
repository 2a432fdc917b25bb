import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { createTenant, openPostgresStore, type PostgresStore } from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import { newPool } from './databases.ts';
import { moveClinic } from './move-clinic.ts';

const openRecords = (store: ClinicalStore): ClinicalRecords =>
  createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });

/** A clinic on a server of its own. */
const openClinic = async () => {
  const pool = await newPool({ pipeline: true });
  const tenant = { pool, tenant: 'north' };
  await createTenant(tenant);
  const store = openPostgresStore(tenant);
  return { store, records: openRecords(store), tenant };
};

const feedOf = async (store: PostgresStore) => resultOf(store.changesSince({ limit: 100_000 }));

/** Writes until it is over, each write again while the clinic is read-only, on the server that the clinic has then. */
const writeUntil = async (
  name: string,
  recordsNow: () => ClinicalRecords,
  isOver: () => boolean,
): Promise<readonly string[]> => {
  const written: string[] = [];
  while (!isOver()) {
    const id = `${name}-${written.length}`;
    const refusal = await recordsNow()
      .directory.put('Organization', { id, name })
      .then(
        () => null,
        (cause: unknown) => cause,
      );
    if (refusal === null) written.push(id);
    else expect(refusal).toMatchObject({ issues: [{ rule: 'store-not-writable' }] });
  }
  return written;
};

test('a clinic moves under writers: nothing is lost or written twice, and a reader of the feed goes on', async () => {
  const [from, to] = [await openClinic(), await openClinic()];
  let records = from.records;
  let isOver = false;
  const writers = ['a', 'b', 'c'].map((name) =>
    writeUntil(
      name,
      () => records,
      () => isOver,
    ),
  );
  const lengthOf = async (store: PostgresStore) => (await feedOf(store)).length;
  await expect.poll(() => lengthOf(from.store), { timeout: 30_000 }).toBeGreaterThan(30);
  const seen = (await feedOf(from.store)).at(-1);

  await moveClinic(from, to.store, async () => {
    records = to.records;
  });
  const moved = await lengthOf(from.store);
  await expect.poll(() => lengthOf(to.store), { timeout: 30_000 }).toBeGreaterThan(moved + 30);
  isOver = true;
  const written = (await Promise.all(writers)).flat();

  expect(await lengthOf(from.store)).toBe(moved);
  const feed = await feedOf(to.store);
  const versions = feed.filter(({ type, version }) => type === 'Organization' && version === 1);
  expect(versions.map(({ id }) => id).toSorted()).toEqual(written.toSorted());
  if (seen === undefined) throw new Error('Nothing was written.');
  const { position, digest } = seen;
  const rest = await resultOf(to.store.changesSince({ position, digest, limit: 100_000 }));
  expect(rest).toEqual(feed.filter((version) => BigInt(version.position) > BigInt(position)));
  expect(await to.records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
});

test('a move that fails leaves the clinic where it was, and can be done again', async () => {
  const [from, to] = [await openClinic(), await openClinic()];
  await from.records.directory.put('Organization', { id: 'lab', name: 'Lab' });
  const failed = moveClinic(from, to.store, () => Promise.reject(new Error('no table of clinics')));
  await expect(failed).rejects.toThrow('no table of clinics');
  await from.records.directory.put('Organization', { id: 'ward', name: 'Ward' });
  await moveClinic(from, to.store, async () => {});
  expect(await to.records.directory.read('Organization', 'ward')).toMatchObject({ name: 'Ward' });
  await expect(from.records.directory.put('Organization', { id: 'x', name: 'X' })).rejects.toMatchObject({
    issues: [{ rule: 'store-not-writable' }],
  });
});
