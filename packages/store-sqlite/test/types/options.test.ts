import { createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import type Database from 'better-sqlite3';
import { expectTypeOf, test } from 'vitest';
import { openSqliteStore, type SqliteDatabase, type SqliteStoreOptions } from '../../src/index.ts';

test('opening returns a store, whose connection is the handle', () => {
  const onFile = () => openSqliteStore({ filename: 'clinic.db' });
  expectTypeOf(onFile).returns.toEqualTypeOf<ClinicalStore<SqliteDatabase>>();
  const onHandle = (database: Database.Database) => openSqliteStore({ database });
  expectTypeOf(onHandle).returns.toEqualTypeOf<ClinicalStore<Database.Database>>();
  const write = (database: Database.Database) =>
    createClinicalRecords({
      store: openSqliteStore({ database }),
      extensionBase: '',
      careTeamRoles: [],
    }).transaction(async (tx) => {
      tx.write((connection) => expectTypeOf(connection).toEqualTypeOf<Database.Database>());
      return 7;
    });
  expectTypeOf(write).returns.resolves.toBeNumber();
});

test('a handle of better-sqlite3 is a SqliteDatabase', () => {
  expectTypeOf<Database.Database>().toExtend<SqliteDatabase>();
});

test('a store is opened on a file or on a handle, and on nothing else', () => {
  expectTypeOf<{ filename: string }>().toExtend<SqliteStoreOptions>();
  expectTypeOf<{ database: Database.Database; prefix: string }>().toExtend<SqliteStoreOptions>();
  expectTypeOf<{ prefix: string }>().not.toExtend<SqliteStoreOptions>();
  expectTypeOf<{ filename: number }>().not.toExtend<SqliteStoreOptions>();
});
