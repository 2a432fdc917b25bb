import { createAuditLog } from '@clinical-records/core';
import { describeAuditStore } from '@clinical-records/store-contract';
import { expect, test } from 'vitest';
import { openPostgresAuditStore, openPostgresStore } from '../src/index.ts';
import { newPool } from './databases.ts';
import { change, ref, resultOf, write } from './store-helpers.ts';

const pool = await newPool({ pipeline: true, max: 10 });
const schema = `The clinic's "log"`;
let tenants = 0;
const openAgain = () => openPostgresAuditStore({ pool, schema, tenant: `clinic-${tenants}` });

describeAuditStore({
  name: 'PostgreSQL, each log beside those of the tests before',
  open: () => {
    tenants += 1;
    return openAgain();
  },
  openAgain,
});

const entry = { at: 1, by: 'Practitioner/ada', patientId: 'amy', access: '{}' };

test.each([
  'update beside.audit_events set by = null where position = 2',
  'delete from beside.audit_events where position = 3',
  'truncate beside.audit_events',
  "insert into beside.audit_events values ('default', 2, 1, null, null, '', '{}') on conflict (tenant, position) do update set at = 2",
  "insert into beside.audit_events values ('default', 0, 1, null, null, '', '{}')",
  "insert into beside.audit_events values ('default', -1, 1, null, null, '', '{}'), ('default', 0, 1, null, null, '', '{}')",
  "insert into beside.audit_events values ('default', 99, 1, null, null, '', '{}')",
  "insert into beside.audit_events values ('other', 2, 1, null, null, '', '{}')",
  "insert into beside.audit_events values ('other', 1, 1, null, null, '', '{}'), ('default', 99, 1, null, null, '', '{}')",
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
  "insert into begun.audit_start values ('default', 4, 'another digest')",
  "insert into begun.audit_start select 'other', 4, digest from begun.audit_events where position = 4",
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
