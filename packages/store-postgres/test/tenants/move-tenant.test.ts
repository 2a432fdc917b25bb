import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore, FeedEntry } from '@clinical-records/core/store';
import type pg from 'pg';
import { expect, test } from 'vitest';
import {
  listTenants,
  moveTenant,
  openPostgresStore,
  type PostgresStore,
  setTenantReadOnly,
  type TenantMove,
} from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import { newPool } from './databases.ts';

const openRecords = (store: ClinicalStore): ClinicalRecords =>
  createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });

const tenantOn = (pool: pg.Pool) => ({ pool, tenant: 'default' });

/** A clinic on a server of its own, and an empty server. */
const openServers = async () => {
  const [pool, newServer] = [await newPool({ pipeline: true }), await newPool({ pipeline: true })];
  const from = tenantOn(pool);
  const to = { pool: newServer, tenant: 'north' };
  const store = openPostgresStore(from);
  await store.migrate();
  const target = openPostgresStore(to);
  return { store, records: openRecords(store), from, to, target, newRecords: openRecords(target) };
};

const feedOf = async (store: PostgresStore): Promise<readonly FeedEntry[]> =>
  resultOf(store.changesSince({ limit: 100_000 }));

const put = (records: ClinicalRecords, id: string) =>
  records.directory.put('Organization', { id, name: `The ${id}` });

const isReadOnly = async (tenant: TenantMove['from']): Promise<boolean | undefined> =>
  (await listTenants({ pool: tenant.pool })).find(({ name }) => name === tenant.tenant)?.isReadOnly;

const readOnlyError = { issues: [{ rule: 'store-not-writable' }] };

/** Writes until it is over, each write again while the clinic is read-only, on the server that the clinic has then. */
const writeUntil = async (
  name: string,
  recordsNow: () => ClinicalRecords,
  isOver: () => boolean,
): Promise<readonly string[]> => {
  const written: string[] = [];
  while (!isOver()) {
    const id = `${name}-${written.length}`;
    const refusal = await put(recordsNow(), id).then(
      () => null,
      (cause: unknown) => cause,
    );
    if (refusal === null) written.push(id);
    else expect(refusal).toMatchObject(readOnlyError);
  }
  return written;
};

test('a clinic moves under writers: nothing is lost or written twice, and readers go on where they were', async () => {
  const { store, target, newRecords, ...servers } = await openServers();
  let { records } = servers;
  let isOver = false;
  const writers = ['a', 'b', 'c'].map((name) =>
    writeUntil(
      name,
      () => records,
      () => isOver,
    ),
  );
  const lengthOf = async (asked: PostgresStore) => (await feedOf(asked)).length;
  await expect.poll(() => lengthOf(store)).toBeGreaterThan(30);
  const seen = (await feedOf(store)).at(-1);
  const search = async (on: ClinicalRecords, query: string) =>
    JSON.parse(await on.directory.asJson.search('Practitioner', [...new URLSearchParams(query)]));
  for (const id of ['x', 'y', 'z']) await records.directory.put('Practitioner', { id, lastName: 'Of us' });
  const page = await search(records, 'name=of&_count=2');
  const next: string = page.link.find(({ relation }: { relation: string }) => relation === 'next').url;

  const counts: number[] = [];
  await moveTenant({
    records: servers.records,
    from: servers.from,
    to: servers.to,
    onProgress: (count) => counts.push(count),
    switchOver: async () => {
      records = newRecords;
    },
  });
  const moved = await lengthOf(store);
  expect(counts.at(-1)).toBe(moved);
  await expect.poll(() => lengthOf(target)).toBeGreaterThan(moved + 30);
  isOver = true;
  const written = (await Promise.all(writers)).flat();

  expect(await lengthOf(store)).toBe(moved);
  const feed = await feedOf(target);
  const created = feed.filter(({ type, version }) => type === 'Organization' && version === 1);
  expect(created.map(({ id }) => id).toSorted()).toEqual(written.toSorted());
  if (seen === undefined) throw new Error('Nothing was written.');
  const { position, digest } = seen;
  const rest = await resultOf(target.changesSince({ position, digest, limit: 100_000 }));
  expect(rest).toEqual(feed.filter((version) => BigInt(version.position) > BigInt(position)));
  const lastPage = await search(newRecords, next.slice(next.indexOf('?')));
  expect(
    [page, lastPage].flatMap(({ entry }) =>
      entry.map(({ resource }: { resource: { id: string } }) => resource.id),
    ),
  ).toEqual(['x', 'y', 'z']);
  expect(await newRecords.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
});

test('a move whose copy fails leaves the clinic as it was, and continues when it is called again', async () => {
  const { store, records, from, to, target, newRecords } = await openServers();
  for (let at = 0; at < 1_100; at += 100)
    await records.transaction(async (tx) => {
      for (let n = at; n < at + 100; n += 1)
        await tx.directory.put('Organization', { id: `o${n}`, name: 'O' });
    });
  const switched: string[] = [];
  const move = (onProgress: (count: number) => void) =>
    moveTenant({ records, from, to, onProgress, switchOver: async () => switched.push('new') });
  await expect(
    move(() => {
      throw new Error('interrupted');
    }),
  ).rejects.toThrow('interrupted');
  expect([switched, await isReadOnly(from)]).toEqual([[], false]);
  const copied = (await feedOf(target)).length;
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThan((await feedOf(store)).length);
  await put(records, 'ward');
  await move(() => {});
  expect(switched).toEqual(['new']);
  expect(await feedOf(target)).toEqual(await feedOf(store));
  expect(await newRecords.directory.read('Organization', 'ward')).toMatchObject({ name: 'The ward' });
  expect(await isReadOnly(from)).toBe(true);
  await expect(put(records, 'x')).rejects.toMatchObject(readOnlyError);
});

test('if it ended while the clinic was read-only, it continues, and keeps the clinic read-only if it fails', async () => {
  const { store, records, from, to, target } = await openServers();
  await put(records, 'ward');
  await setTenantReadOnly({ ...from, isReadOnly: true });
  const fail = () => Promise.reject(new Error('not reached'));
  const broken = { copyTo: () => Promise.reject(new Error('interrupted')) };
  await expect(moveTenant({ records: broken, from, to, switchOver: fail })).rejects.toThrow('interrupted');
  expect(await isReadOnly(from)).toBe(true);
  await moveTenant({ records, from, to, switchOver: async () => {} });
  expect(await feedOf(target)).toEqual(await feedOf(store));
});

test('if the switch fails, it may have happened: the clinic stays read-only, and the move is completed later', async () => {
  const { store, records, from, to, target, newRecords } = await openServers();
  await put(records, 'ward');
  const lost = () => Promise.reject(new Error('the response is lost'));
  await expect(moveTenant({ records, from, to, switchOver: lost })).rejects.toThrow('the response is lost');
  expect(await isReadOnly(from)).toBe(true);
  // It has happened, and the clinic works on its new server.
  await put(newRecords, 'later');
  let switches = 0;
  await moveTenant({ records, from, to, switchOver: async () => (switches += 1) });
  expect(switches).toBe(1);
  expect(await isReadOnly(from)).toBe(true);
  expect((await feedOf(target)).slice(0, -1)).toEqual(await feedOf(store));
});

test('a clinic without records moves, and moves once', async () => {
  const { records, from, to, newRecords } = await openServers();
  const switchOver = async () => {};
  await moveTenant({ records, from, to, switchOver });
  await put(newRecords, 'first');
  await moveTenant({ records, from, to, switchOver });
  expect(await isReadOnly(from)).toBe(true);
});

test('records of another clinic are not moved in its place, and a wrong option is named', async () => {
  const [one, other] = [await openServers(), await openServers()];
  await put(one.records, 'ward');
  await put(other.records, 'lab');
  const { from, to } = one;
  const switchOver = () => Promise.reject(new Error('not reached'));
  await expect(moveTenant({ records: other.records, from, to, switchOver })).rejects.toThrow(
    '`records` must be those of the tenant default where it is now.',
  );
  expect(await isReadOnly(from)).toBe(false);
  const misspelt = { records: one.records, from, to, switchOver, switch: switchOver };
  await expect(moveTenant(misspelt)).rejects.toThrow('moveTenant has no option switch.');
  // @ts-expect-error: as a call from JavaScript can be.
  await expect(moveTenant({ records: one.records, from, to })).rejects.toThrow(
    '`switchOver` must be a function',
  );
});
