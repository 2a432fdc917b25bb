import type { ClinicalStore } from '@clinical-records/core/store';
import type Database from 'better-sqlite3';
import { expectTypeOf, test } from 'vitest';
import type { openSqliteStore, SqliteDatabase, SqliteStoreOptions } from '../../src/index.ts';

test('opening returns a store', () => {
  expectTypeOf<typeof openSqliteStore>().returns.toEqualTypeOf<ClinicalStore>();
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
