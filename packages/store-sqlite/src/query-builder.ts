import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Schema } from './schema.ts';
import { createTablePrefixPlugin } from './table-prefix-plugin.ts';

/** Builds SQL without running it. better-sqlite3 runs it, in statements that are prepared once. */
export type QueryBuilder = Kysely<Schema>;

export const createQueryBuilder = (prefix: string): QueryBuilder =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [createTablePrefixPlugin(prefix)],
  });
