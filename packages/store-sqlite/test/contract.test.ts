import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalStore } from '@clinical-records/core/store';
import { describeClinicalStore } from '@clinical-records/store-contract';
import Database from 'better-sqlite3';
import { afterAll, expect } from 'vitest';
import { openSqliteStore } from '../src/index.ts';
import { newFile } from './files.ts';

const openNewFile = () => openSqliteStore({ filename: newFile() });

/** Stores that stay open from one test to the next, and are emptied in between as if by another process. */
const createSharedStores = () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const opened: { readonly store: ClinicalStore; readonly other: Database.Database }[] = [];
  const idle: typeof opened = [];
  const tables = ['entries', 'superseded', 'records', 'terms', 'counts'];

  const openAnother = () => {
    const filename = join(folder, `${opened.length}.db`);
    const shared = { store: openSqliteStore({ filename }), other: new Database(filename) };
    opened.push(shared);
    return shared;
  };

  return {
    open: (): ClinicalStore => {
      const shared = idle.pop() ?? openAnother();
      shared.other.exec(`
        BEGIN;
        ${tables.map((table) => `DELETE FROM ${table};`).join(' ')}
        UPDATE store_versions SET indexed_parameters = '{}';
        COMMIT;
      `);
      return { ...shared.store, close: async () => void idle.push(shared) };
    },
    remove: async () => {
      for (const { store, other } of opened) {
        other.close();
        await store.close();
      }
      rmSync(folder, { recursive: true });
    },
  };
};

const sharedStores = createSharedStores();
afterAll(sharedStores.remove);

const closesStore = (test = ''): boolean => /closing|after close/.test(test);

describeClinicalStore({
  name: 'SQLite, a file that another process has emptied',
  // To open a new file takes ten times as long as most tests.
  open: () => (closesStore(expect.getState().currentTestName) ? openNewFile() : sharedStores.open()),
});

if (process.env.STORES === 'all') describeClinicalStore({ name: 'SQLite, a new file', open: openNewFile });
