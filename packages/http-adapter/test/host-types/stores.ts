import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openPostgresStore } from '../../../store-postgres/src/index.ts';
import { newPool } from '../../../store-postgres/test/tenants/databases.ts';
import { openSqlite } from '../library/stores/open-sqlite.ts';
import { selectStores } from '../stores.ts';

/** Opens an empty store, which ends with the test. */
export type OpenStore = () => Promise<ClinicalStore>;

/** The stores on which each promise about types of a host is tested. */
export const stores = selectStores<readonly [name: string, open: OpenStore]>(
  ['memory', async () => createMemoryStore()],
  ['SQLite', async () => openSqlite()],
  ['PostgreSQL', async () => openPostgresStore({ pool: await newPool({ max: 4 }) })],
);
