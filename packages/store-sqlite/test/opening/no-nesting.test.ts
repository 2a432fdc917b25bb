import { createClinicalRecords } from '@clinical-records/core';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fromSqlite, openSqliteStore, type SqliteHandle } from '../../src/index.ts';
import { newFile } from '../files.ts';

/** A handle that cannot begin a transaction within another, such as libsql's. */
const openWithoutNesting = () => {
  const database = new Database(newFile());
  const refuseNested = <Run extends (argument: never) => unknown>(run: Run) =>
    ((argument: never) => {
      if (database.inTransaction) throw new Error('cannot start a transaction within a transaction');
      return run(argument);
    }) as Run;
  const handle: SqliteHandle = {
    get inTransaction() {
      return database.inTransaction;
    },
    prepare: (sql) => database.prepare(sql),
    transaction: (work) => {
      const begin = database.transaction(work);
      return Object.assign(refuseNested(begin), { immediate: refuseNested(begin.immediate) });
    },
  };
  const store = openSqliteStore({ database: handle });
  const records = createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [] });
  return { database, handle, records };
};

const patient = (id: string) => ({ id, lastName: 'Shaw' });

test('a handle that cannot nest transactions reads everything that is requested in one turn', async () => {
  const { database, records } = openWithoutNesting();
  await records.directory.put('Patient', patient('7'));
  await new Promise((resolve) => setImmediate(resolve));
  const later = async () => {
    await null;
    await new Promise((resolve) => process.nextTick(resolve));
    return records.careTeams.search({ patient: '7' });
  };
  const [first, second, verified] = await Promise.all([
    records.careTeams.search({ patient: '7' }),
    later(),
    new Promise((resolve) => process.nextTick(resolve)).then(() => records.verify()),
  ]);
  expect([first.total, second.total, verified.discrepancies]).toEqual([1, 1, []]);
  database.close();
});

test('it joins a transaction of the host, whose other writes stay when one is refused', async () => {
  const { database, handle, records } = openWithoutNesting();
  const inside = records.in(fromSqlite(handle));
  database.exec('BEGIN');
  await inside.directory.put('Patient', patient('7'));
  expect((await inside.careTeams.search({ patient: '7' })).total).toBe(1);
  await Promise.all(['8', '9'].map((id) => inside.directory.put('Patient', patient(id))));
  await expect(inside.directory.put('Patient', patient('a/b'))).rejects.toMatchObject({
    tag: 'InvalidRequest',
  });
  database.exec('COMMIT');
  expect((await records.careTeams.search({ patient: '7' })).total).toBe(1);
  expect((await records.verify()).discrepancies).toEqual([]);
  database.close();
});
