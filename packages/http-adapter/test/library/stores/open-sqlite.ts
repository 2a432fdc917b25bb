import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalStore } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { onTestFinished } from 'vitest';

/** Opens a store on a new file. Both end with the test. */
export const openSqlite = (): ClinicalStore => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const store = openSqliteStore({ filename: join(folder, 'clinic.db') });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
};
