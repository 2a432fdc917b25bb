import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type ClinicalStore, noVersion, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goal, immunize, labOrder } from '../../builders.ts';
import { type Clinic, createRecords, openClinic } from '../../clinic.ts';
import { careTeam } from '../../fuzz/valid-bodies.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

/** Puts something into each kind of record. */
const fill = async ({ record, stage, records: { careTeams } }: Clinic): Promise<void> => {
  await Promise.all([goal(), labOrder(), immunize()].map((command) => record(command)));
  await stage(goal({ id: 'staged' }));
  await careTeams.asJson.update('amy', careTeam);
  await careTeams.asJson.update('amy', { ...careTeam, participant: careTeam.participant.slice(0, 1) });
};

/** A store in which others do something after the first page of a scan was read. */
const afterFirstPage = (store: ClinicalStore, happen: () => Promise<void>): ClinicalStore => {
  let isFirst = true;
  return {
    ...store,
    scan: async (since) => {
      const page = await store.scan(since);
      if (isFirst) {
        isFirst = false;
        await happen();
      }
      return page;
    },
  };
};

onEveryStore('records: verify', (clinic) => {
  test('verify finds no discrepancy in written data, and reports the number of records', async () => {
    await fill(clinic());
    const { records, discrepancies } = await clinic().records.verify();
    expect(discrepancies).toEqual([]);
    const scanned = await clinic().store.scan({ limit: 1000 });
    expect(scanned).toMatchObject({ right: { length: records } });
  });
});

test('verify raises no alarm if others remove a resource behind it and add another before it', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  await fill(clinic);
  let hasHappened = false;
  const watched = afterFirstPage(store, async () => {
    const { careTeams, directory } = clinic.records;
    await careTeams.asJson.update('amy', careTeam);
    await directory.put('Patient', { id: 'yan', lastName: 'Li', firstName: 'Yan' });
    hasHappened = true;
  });
  const before = await clinic.get('/CareTeam?_count=0');
  const { records } = await openClinic(watched);
  expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  expect(hasHappened).toBe(true);
  expect((await clinic.get('/CareTeam?_count=0')).json.total).toBe(before.json.total);
});

test('verify raises no alarm if a chart is erased after its team was read', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  await fill(clinic);
  const watched = afterFirstPage(store, async () => {
    const why = { by: 'Practitioner/cyd', reason: 'The patient asked for it.' } as const;
    await clinic.records.corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...why });
  });
  expect(await createRecords(watched).verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  expect(await clinic.store.read({ type: 'Patient', id: 'amy' })).toMatchObject({
    right: { resource: null },
  });
});

test('verify raises no alarm if others add a resource whenever it has reached the end', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  await fill(clinic);
  let ends = 0;
  const watched: ClinicalStore = {
    ...store,
    scan: async (since) => {
      const page = await store.scan(since);
      if ('right' in page && page.right.length < 500) {
        ends += 1;
        const patient = { id: `end${ends}`, lastName: 'Li', firstName: '' };
        await clinic.records.directory.put('Patient', patient);
      }
      return page;
    },
  };
  expect(await createRecords(watched).verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  expect(ends).toBeGreaterThan(0);
});

test('verify raises no alarm if members keep changing their status in a care team', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  await fill(clinic);
  let isWriting = true;
  const { careTeams } = clinic.records;
  const writing = (async () => {
    for (let times = 0; isWriting; times += 1) {
      const participant = careTeam.participant.slice(times % 2);
      await careTeams.asJson.update('amy', { ...careTeam, participant });
      await setImmediate();
    }
  })();
  for (let times = 0; times < 10; times += 1) {
    expect(await clinic.records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  }
  isWriting = false;
  await writing;
});

test('verify and changes keep only a few long texts of the feed and of the records in memory at a time', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  const description = 'n'.repeat(250_000);
  for (let count = 0; count < 20; count += 1) {
    await clinic.records.chart.stage({ kind: 'goal', patientId: 'amy', description });
  }
  const sizes: number[] = [];
  const weigh = (entries: readonly { readonly state: string; readonly resource: string | null }[]) =>
    sizes.push(entries.reduce((sum, { state, resource }) => sum + state.length + (resource?.length ?? 0), 0));
  const weighed: ClinicalStore = {
    ...store,
    changesSince: async (since) => {
      const page = await store.changesSince(since);
      if ('right' in page) weigh(page.right);
      return page;
    },
    scan: async (since) => {
      const page = await store.scan(since);
      if ('right' in page) weigh(page.right);
      return page;
    },
  };
  const records = createRecords(weighed);
  await records.verify();
  for await (const _ of records.changes());
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(3 * 20 * description.length);
  expect(Math.max(...sizes)).toBeLessThan(1.5 * 1024 * 1024);
});

test('verify of a store that returns the same page again and again ends, and reports that', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  const stuck: ClinicalStore = {
    ...store,
    changesSince: ({ position: _, ...range }) => store.changesSince({ ...range, limit: 1 }),
    scan: ({ position: _, ...range }) => store.scan(range),
  };
  const [first] = await clinic.feed();
  const { discrepancies } = await createRecords(stuck).verify();
  expect(discrepancies).toContainEqual({ type: first?.type, id: first?.id, version: 1, what: 'position' });
});

test('verify reports the head of the feed, and whether a saved one is still in it', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  const empty = await createRecords(createMemoryStore()).verify();
  expect(empty).toMatchObject({ records: 0, versions: 0, head: ':', isHeadMissing: false });
  const kept = await clinic.records.verify({ head: empty.head });
  const feed = await clinic.feed();
  const last = feed.at(-1);
  expect(kept).toMatchObject({ versions: feed.length, head: `${last?.position}:${last?.digest}` });
  expect(kept.isHeadMissing).toBe(false);
  await fill(clinic);
  const later = await clinic.records.verify({ head: kept.head });
  expect([later.isHeadMissing, later.head === kept.head]).toEqual([false, false]);
  const other = await openClinic(createMemoryStore());
  await other.records.directory.put('Organization', { id: 'x', name: 'X' });
  expect(await other.records.verify({ head: later.head })).toMatchObject({ isHeadMissing: true });
});

describe('verify of a store that others have written to', () => {
  const stamp = { patientId: null, at: 0, by: null, expects: noVersion };
  const device = { ...stamp, type: 'Device', id: 'd', state: '{}', resource: null, index: [] };

  test('reports records that were derived with other options', async () => {
    const store = createMemoryStore();
    await fill(await openClinic(store));
    const records = createRecords(store, { extensionBase: 'https://other.example' });
    const { discrepancies } = await records.verify();
    expect(discrepancies).toContainEqual({ type: 'Immunization', id: 'shot', version: 1, what: 'resource' });
  });

  test('counts the records of types that are not defined', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    expect((await records.verify()).undefinedTypes).toEqual({});
    await store.commit({ changes: [device, { ...device, id: 'e' }], versionChecks: [] });
    const { discrepancies, undefinedTypes } = await records.verify();
    expect([discrepancies, undefinedTypes]).toEqual([[], { Device: 2 }]);
  });

  test('reports a record that refers to a missing one', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    const state = JSON.stringify({ id: 'lost', patientId: 'nobody', noteId: null });
    const encounter = { ...stamp, type: 'Encounter', id: 'lost', patientId: 'nobody', state };
    await store.commit({ changes: [{ ...encounter, resource: null, index: [] }], versionChecks: [] });
    const { discrepancies } = await records.verify();
    expect(discrepancies).toEqual([{ type: 'Encounter', id: 'lost', version: 1, what: 'reference' }]);
  });

  /** The state of a part of Amy's team, with somebody in it. */
  const part = async (store: ClinicalStore, status: string, member: object): Promise<string> => {
    const read = await orThrow(store.read({ type: 'CareTeam', id: 'amy' }));
    const { patient } = JSON.parse(read?.state ?? '{}');
    const participant = { member, role: null, lead: false, status, changedAt: 0 };
    return JSON.stringify({ status, patient, participants: [participant] });
  };

  test('reports a part of a care team with a member who is also in another part, and one without a member', async () => {
    const store = createMemoryStore();
    const clinic = await openClinic(store);
    await fill(clinic);
    const twice = await part(store, 'suspended', { type: 'Practitioner', id: 'ada', display: 'Ada' });
    const unknown = await part(store, 'proposed', { type: 'Practitioner', id: 'eve', display: 'Eve' });
    const changes = [
      { ...stamp, type: 'CareTeam', id: 'amy.suspended', patientId: 'amy', state: twice },
      { ...stamp, type: 'CareTeam', id: 'amy.proposed', patientId: 'amy', state: unknown },
    ];
    await store.commit({
      changes: changes.map((change) => ({ ...change, resource: null, index: [] })),
      versionChecks: [],
    });
    const { discrepancies } = await clinic.records.verify();
    const [suspended, proposed] = ['amy.suspended', 'amy.proposed'].map((id) => ({
      ...{ type: 'CareTeam', id, version: 1 },
    }));
    expect(discrepancies).toContainEqual({ ...suspended, what: 'team' });
    expect(discrepancies).toContainEqual({ ...proposed, what: 'reference' });
    expect(discrepancies).not.toContainEqual({ ...suspended, what: 'reference' });
  });

  test('reports the last of very many records, too', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    for (let at = 0; at < 600; at += 1) {
      await records.directory.put('Patient', { id: `p${at}`, lastName: 'Li', firstName: '' });
    }
    const lost = JSON.stringify({ id: 'last', patientId: 'nobody', noteId: null });
    const last = { ...device, type: 'Encounter', id: 'last', patientId: 'nobody', state: lost };
    await store.commit({ changes: [last], versionChecks: [] });
    const scanned = await orThrow(store.scan({ limit: 10_000 }));
    expect(await records.verify()).toMatchObject({
      records: scanned.length,
      discrepancies: [{ type: 'Encounter', id: 'last', what: 'reference' }],
    });
  });

  test('is a StoreFailure if the store is closed', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    await store.close();
    expect(await outcomeOf(records.verify())).toMatchObject({ left: { _tag: 'StoreFailure' } });
  });
});

describe('verify of a file that was changed behind the back of the library', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The report of verify on a filled file after such SQL was run on it. */
  const verifiedAfter = async (sql: string) => {
    const filename = join(folder, 'clinic.db');
    const store = openSqliteStore({ filename });
    const clinic = await openClinic(store);
    await fill(clinic);
    const database = new Database(filename);
    database.pragma('ignore_check_constraints = ON');
    expect(database.prepare(sql).run().changes).toBeGreaterThan(0);
    database.close();
    const verification = await clinic.records.verify();
    await store.close();
    return verification;
  };

  const order = "(SELECT position FROM records WHERE type = 'ServiceRequest')";

  test.each([
    ['state', `UPDATE records SET state = '{"id":' WHERE position = ${order}`],
    ['state', `UPDATE records SET state = '{}' WHERE position = ${order}`],
    ['patientId', `UPDATE records SET patient_id = 'ben' WHERE position = ${order}`],
    [
      'resource',
      `UPDATE records SET resource = replace(resource, 'active', 'draft') WHERE position = ${order}`,
    ],
    ['resource', `UPDATE records SET resource = NULL WHERE position = ${order}`],
    ['resource', `UPDATE records SET readable = 0 WHERE position = ${order}`],
    ['id', `UPDATE records SET id = 'other' WHERE position = ${order}`],
    ['index', `DELETE FROM entries WHERE record = ${order}`],
    [
      'index',
      `INSERT INTO entries SELECT term, "from", until, ${order} FROM entries WHERE record <> ${order} LIMIT 1`,
    ],
    [
      'index',
      `UPDATE terms SET type = 'Goal' WHERE term IN (SELECT term FROM entries WHERE record = ${order})`,
    ],
    ['index', `UPDATE entries SET until = until + 1 WHERE record = ${order} AND until > 0`],
    ['index', `UPDATE entries SET until = until + 1 WHERE record = ${order} AND until = 0`],
  ] as const)('reports the record and the discrepancy: %s, by %s', async (what, sql) => {
    const { discrepancies } = await verifiedAfter(sql);
    expect(discrepancies).toContainEqual({
      type: 'ServiceRequest',
      id: expect.any(String),
      version: 1,
      what,
    });
    // The list of commands refers to the order.
    const others =
      what === 'id' ? [{ type: 'Command', id: expect.any(String), version: 1, what: 'reference' }] : [];
    expect(discrepancies.filter(({ type }) => type !== 'ServiceRequest')).toEqual(others);
  });

  test.each(['CareTeam', 'Practitioner', 'Goal', 'Note'])('reports a %s with another id', async (type) => {
    const latest = `(SELECT max(position) FROM records WHERE type = '${type}')`;
    const { discrepancies } = await verifiedAfter(
      `UPDATE records SET id = 'other' WHERE position = ${latest}`,
    );
    const named = { type, id: 'other', version: expect.any(Number) };
    expect(discrepancies).toContainEqual({ ...named, what: 'digest' });
    expect(discrepancies).toContainEqual({ ...named, what: 'id' });
  });

  test('reports a record with another type, as that type', async () => {
    const { discrepancies } = await verifiedAfter(
      `UPDATE records SET type = 'Immunization' WHERE position = ${order}`,
    );
    const named = { type: 'Immunization', id: expect.any(String), version: 1, what: 'state' };
    expect(discrepancies).toContainEqual(named);
  });

  test('reports the type of which a search has a wrong total', async () => {
    const { discrepancies, miscounted } = await verifiedAfter(
      "INSERT INTO counts (type, readable, counted) VALUES ('Goal', 1, 0), ('ServiceRequest', -1, 0)",
    );
    expect([discrepancies, miscounted.toSorted()]).toEqual([[], ['Goal', 'ServiceRequest']]);
  });
});
