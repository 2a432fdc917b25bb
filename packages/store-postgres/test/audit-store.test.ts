import { createAuditLog } from '@clinical-records/core';
import type { AuditStore } from '@clinical-records/core/store';
import { describeAuditStore } from '@clinical-records/store-contract';
import { describe, expect, test } from 'vitest';
import {
  createTenant,
  listRemovedTenants,
  openPostgresAuditStore,
  openPostgresStore,
  openRemovedAuditStore,
  removeTenant,
} from '../src/index.ts';
import { change, ref, resultOf, write } from './store-helpers.ts';
import { newPool, newUser } from './tenants/databases.ts';
import { openRemovedLogs } from './tenants/removed-audit.ts';

const pool = await newPool({ pipeline: true, max: 10 });
const schema = `The clinic's "log"`;
let tenants = 0;
const openAgain = () => openPostgresAuditStore({ pool, schema, tenant: `clinic-${tenants}` });

describeAuditStore({
  name: 'PostgreSQL, each log beside those of the tests before',
  open: async () => {
    tenants += 1;
    await createTenant({ pool, schema, tenant: `clinic-${tenants}` });
    return openAgain();
  },
  openAgain,
});

const entry = { at: 1, by: 'Practitioner/ada', patientId: 'amy', access: '{}' };

test.each([
  'update beside.audit_events set by = null where position = 2',
  'delete from beside.audit_events where position = 3',
  'truncate beside.audit_events',
  "insert into beside.audit_events values (0, 2, 1, null, null, '', '{}') on conflict (tenant, position) do update set at = 2",
  "insert into beside.audit_events values (0, 0, 1, null, null, '', '{}')",
  "insert into beside.audit_events values (0, -1, 1, null, null, '', '{}'), (0, 0, 1, null, null, '', '{}')",
  "insert into beside.audit_events values (0, 99, 1, null, null, '', '{}')",
  "insert into beside.audit_events values (9, 2, 1, null, null, '', '{}')",
  "insert into beside.audit_events values (9, 1, 1, null, null, '', '{}'), (0, 99, 1, null, null, '', '{}')",
])('the log is beside the records, and its table refuses %s', async (sql) => {
  const records = openPostgresStore({ pool, schema: 'beside' });
  await write(records, change());
  const store = openPostgresAuditStore({ pool, schema: 'beside' });
  await resultOf(store.append([entry, entry, entry]));
  await expect(pool.query(sql)).rejects.toThrow(/audit log is/);
  expect(await createAuditLog({ store }).verify()).toMatchObject({ discrepancies: [] });
  expect(await resultOf(records.read(ref))).toMatchObject({ id: 'a' });
});

test.each([
  'delete from begun.audit_events where position = 3',
  'truncate begun.audit_start',
  "insert into begun.audit_start values (0, 4, 'another digest')",
  'insert into begun.audit_start select 9, 4, digest from begun.audit_events where position = 4',
  'insert into begun.audit_start select tenant, 9, digest from begun.audit_events where position = 4',
  'update begun.audit_start set position = 4',
  'delete from begun.audit_start',
])('a log whose oldest entries were removed refuses %s', async (sql) => {
  const store = openPostgresAuditStore({ pool, schema: 'begun' });
  const { position } = await resultOf(store.start());
  if (position === 0) {
    await resultOf(store.append([entry, entry, entry, entry]));
    await resultOf(store.removeUntil(2));
  }
  await expect(pool.query(sql)).rejects.toThrow(/audit log/i);
  expect(await resultOf(store.start())).toMatchObject({ position: 2 });
  expect(await resultOf(store.scan({ after: 0, limit: 9 }))).toHaveLength(2);
});

test('somebody who removes the trigger and changes a row is found by `verify`', async () => {
  const store = openPostgresAuditStore({ pool, schema: 'changed' });
  await resultOf(store.append([entry, entry, entry]));
  await pool.query(
    "drop trigger append_only on changed.audit_events; update changed.audit_events set by = 'Practitioner/bob' where position = 2",
  );
  expect(await createAuditLog({ store }).verify()).toMatchObject({
    discrepancies: [{ position: 2, problem: 'digest' }],
  });
});

test('a name that is not one of a schema is refused', () => {
  expect(() => openPostgresAuditStore({ pool, schema: '' })).toThrow(/schema/);
});

describe('the log of a tenant that has been removed', async () => {
  const records = { pool, schema: 'removed' };
  await createTenant({ ...records, tenant: 'south' });
  const openSouth = () => openPostgresAuditStore({ ...records, tenant: 'south' });
  const former = openSouth();
  await resultOf(former.append([entry, entry]));
  await removeTenant({ ...records, tenant: 'south' });
  await createTenant({ ...records, tenant: 'south' });
  const [removed] = await listRemovedTenants(records);
  const reads = (store: AuditStore) =>
    Promise.all([
      store.search({ patientIds: ['amy'], count: 10 }),
      store.scan({ after: 0, limit: 10 }),
      store.start(),
    ]);
  const gone = { left: { _tag: 'Misuse', message: 'The schema removed has no tenant south.' } };

  test('is not that of another tenant with its name', async () => {
    const store = openSouth();
    expect(await reads(store)).toMatchObject([{ right: [] }, { right: [] }, { right: { position: 0 } }]);
    await resultOf(store.append([{ ...entry, patientId: 'ben' }]));
    expect(await resultOf(store.scan({ after: 0, limit: 10 }))).toMatchObject([
      { position: 1, patientId: 'ben' },
    ]);
    expect(await createAuditLog({ store }).verify()).toMatchObject({ discrepancies: [] });
  });

  test('is not read by a store that is open, but appended to, because a refused access is an event, too', async () => {
    expect(await reads(former)).toMatchObject([gone, gone, gone]);
    await resultOf(former.append([{ ...entry, by: 'Practitioner/bob' }]));
    expect(await reads(former)).toMatchObject([gone, gone, gone]);
  });

  test('is read, verified and expired by its number', async () => {
    expect(removed).toEqual({ number: 1, name: 'south', removed: expect.any(Number) });
    const store = openRemovedAuditStore({ ...records, number: 1 });
    expect(await resultOf(store.scan({ after: 0, limit: 10 }))).toMatchObject([
      { position: 1, patientId: 'amy' },
      { position: 2 },
      { position: 3, by: 'Practitioner/bob' },
    ]);
    const log = createAuditLog({ store });
    expect(await log.verify()).toMatchObject({ discrepancies: [] });
    expect(await log.expire({ until: 2, by: 'Device/retention' })).toMatchObject({ removed: 3 });
  });

  test.each([0, 2, 9])('is not that of the number %i', async (number) => {
    const message = `The schema removed has no removed tenant of the number ${number}.`;
    expect(await openRemovedAuditStore({ ...records, number }).start()).toMatchObject({
      left: { _tag: 'Misuse', message },
    });
  });

  test('is not read by a user who does not own the tables', async () => {
    const limited = await newUser(
      pool,
      'reader',
      (user) =>
        `grant usage on schema removed to ${user}; grant select on all tables in schema removed to ${user}`,
    );
    expect(await openRemovedAuditStore({ ...records, pool: limited, number: 1 }).start()).toMatchObject({
      left: {
        _tag: 'Misuse',
        message: 'The user of the pool does not own the tables of the schema removed.',
      },
    });
  });
});

test('the logs of all removed tenants of a name are opened by their numbers', async () => {
  const owners = await newPool();
  for (const by of ['Practitioner/ada', 'Practitioner/bob']) {
    await createTenant({ pool: owners, tenant: 'south' });
    await resultOf(openPostgresAuditStore({ pool: owners, tenant: 'south' }).append([{ ...entry, by }]));
    await removeTenant({ pool: owners, tenant: 'south' });
  }
  const logs = await openRemovedLogs(owners, 'south');
  expect(await Promise.all(logs.map((log) => log.verify()))).toMatchObject([{ entries: 1 }, { entries: 1 }]);
  expect(await openRemovedLogs(owners, 'north')).toEqual([]);
});

test('a log of a tenant that nobody has created is refused, also without tables of records', async () => {
  const message = (schema: string) =>
    `The schema ${schema} has no tenant nobody. Create it with createTenant, unless its name is misspelt.`;
  for (const name of ['beside', 'audit_alone'])
    expect(
      await openPostgresAuditStore({ pool, schema: name, tenant: 'nobody' }).append([entry]),
    ).toMatchObject({
      left: { _tag: 'Misuse', message: message(name) },
    });
  await resultOf(openPostgresAuditStore({ pool, schema: 'audit_alone' }).append([entry]));
});
