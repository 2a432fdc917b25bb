import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { createDatabase, openPool } from '@clinical-records/testing-postgres';
import { inject } from 'vitest';

type OpenedStore = { readonly store: ClinicalStore; readonly remove: () => Promise<void> };

const createOnSqlite = async (): Promise<OpenedStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  return {
    store: openSqliteStore({ filename: join(folder, 'clinic.db') }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
};

const createOnPostgres = async (): Promise<OpenedStore> => {
  const database = await createDatabase(inject('postgresUrl'));
  const pool = openPool(database.url);
  return {
    store: openPostgresStore({ pool }),
    remove: async () => {
      await pool.end();
      await database.drop();
    },
  };
};

/** Each store with a function that creates an empty one. */
export const stores: readonly (readonly [name: string, create: () => Promise<OpenedStore>])[] = [
  ['memory', async () => ({ store: createMemoryStore(), remove: async () => {} })],
  ['SQLite', createOnSqlite],
  ['PostgreSQL', createOnPostgres],
];
