import { DatabaseSync } from 'node:sqlite';
import { createTestRecords } from '@clinical-records/core/testing';
import { describeClinicalStore } from '@clinical-records/store-contract';
import { expect, test } from 'vitest';
import { fromSqlite, fromTypeOrm, inTransaction, openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';

describeClinicalStore({
  name: 'SQLite, a file that SQLite of Node opens',
  open: () => openSqliteStore({ filename: newFile(), driver: 'node:sqlite' }),
});

test('a write is a part of a transaction on a handle of node:sqlite, or undone with it', async () => {
  const database = new DatabaseSync(newFile());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE visits (id TEXT)');
  const { records } = createTestRecords({ store: openSqliteStore({ database }) });
  const visit = (id: string, work: () => Promise<void>) =>
    inTransaction(database, async (tx) => {
      database.prepare('INSERT INTO visits VALUES (?)').run(id);
      await records.in(tx).directory.put('Patient', { id, lastName: 'Shaw' });
      await work();
    });
  await visit('kept', async () => {});
  const undone = visit('undone', () => Promise.reject(new Error('No.')));
  await expect(undone).rejects.toThrow('No.');
  expect(database.prepare('SELECT id FROM visits').all()).toEqual([{ id: 'kept' }]);
  expect((await records.careTeams.read('kept')).name).toBe('Care Team for Shaw');
  await expect(records.careTeams.read('undone')).rejects.toThrow('NotFound');
  expect((await records.verify()).discrepancies).toEqual([]);
  database.close();
});

test('a transaction of one turn gets the handle of node:sqlite, and one that the host began is joined', async () => {
  const database = new DatabaseSync(newFile());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE visits (id TEXT)');
  const store = openSqliteStore({ database });
  const { records } = createTestRecords({ store });
  await records.transaction(async (tx) => {
    const { id } = await tx.directory.put('Organization', { id: 'lab', name: 'Lab' });
    tx.write(() => database.prepare('INSERT INTO visits VALUES (?)').run(id));
  });
  const written = await store.commitAll([], [(connection) => expect(connection).toBe(database)]);
  expect(written).toMatchObject({ _tag: 'Right' });
  database.exec('BEGIN');
  await records.in(fromSqlite(database)).directory.put('Organization', { id: 'undone', name: 'Lab' });
  const query = async (text: string) => database.prepare(text).all();
  await records.in(fromTypeOrm({ query })).directory.put('Organization', { id: 'undone-too', name: 'Lab' });
  database.exec('ROLLBACK');
  expect(database.prepare('SELECT id FROM visits').all()).toEqual([{ id: 'lab' }]);
  expect(await records.directory.read('Organization', 'undone')).toBeNull();
  expect((await records.verify()).discrepancies).toEqual([]);
  database.close();
});

test('a driver that is not one of both is refused', () => {
  const open = () => openSqliteStore({ filename: newFile(), driver: 'sqlite3' as never });
  expect(open).toThrow('driver must be better-sqlite3 or node:sqlite.');
});
