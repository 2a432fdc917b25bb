import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Tables } from './schema.ts';

/** Builds SQL without running it. The store runs it on the host's clients, where several queries share a round trip. */
export type QueryBuilder = {
  readonly db: Kysely<Tables>;
  readonly schema: string;
  /** The full name of a table, for SQL that is written out. */
  readonly table: (name: keyof Tables) => RawBuilder<unknown>;
  /** Whether statements may be prepared under names, which connections remember. */
  readonly preparedStatements: boolean;
};

export const createQueryBuilder = (
  schema: string,
  { preparedStatements = true }: { readonly preparedStatements?: boolean } = {},
): QueryBuilder => ({
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema(schema),
  schema,
  table: (name) => sql.id(schema, name),
  preparedStatements,
});
