import type { SqliteDatabase } from './database.ts';
import { migrations, type QueryBuilder } from './schema.ts';
import { prepareStatement } from './statement.ts';

type MigrationContext = {
  readonly database: SqliteDatabase;
  readonly db: QueryBuilder;
  readonly prefix: string;
};

/**
 * The schema version of a database; 0 before the first migration. It is not in `user_version`, which belongs to the
 * host.
 */
const readSchemaVersion = ({ database, db, prefix }: MigrationContext): number => {
  const table = prepareStatement(database, () =>
    db
      .selectFrom('sqlite_schema')
      .select('name')
      .where('type', '=', 'table')
      .where('name', '=', `${prefix}migrations`),
  );
  if (table.first(null) === null) return 0;
  const latest = prepareStatement(database, () =>
    db.selectFrom('migrations').select(({ fn }) => fn.max('version').as('version')),
  );
  return latest.first(null)?.version ?? 0;
};

/** Reads the version again inside the transaction, because another process may have been faster. */
const applyMigration = (context: MigrationContext, target: number): void => {
  const { database, db, prefix } = context;
  const migration = migrations[target - 1];
  if (migration === undefined || readSchemaVersion(context) >= target) return;
  for (const statement of migration(db, (index) => prefix + index)) {
    prepareStatement(database, () => statement).run(null);
  }
  prepareStatement(database, () => db.insertInto('migrations').values({ version: target })).run(null);
};

/** Throws if the tables are those of another application, before anything is written. */
const requireTables = ({ database, db }: MigrationContext): void => {
  const columns = db.selectFrom('records').select(['committed', 'readable', 'digest']);
  prepareStatement(database, () => columns.limit(1)).first(null);
};

const isReadOnly = (database: SqliteDatabase): boolean => {
  const { query_only } = database.prepare('PRAGMA query_only').get() as { query_only: number | bigint };
  return Boolean(query_only) || database.readonly === true;
};

/**
 * Migrates the tables to the schema of this version of the library, each step in a transaction of its own.
 *
 * Throws, and does not change the file, if its schema is from a newer version of the library, or from an older one and the
 * handle only reads. It does the same if new tables would be part of an open transaction of the host.
 */
export const migrate = (context: MigrationContext): void => {
  const version = readSchemaVersion(context);
  if (version > migrations.length) {
    throw new Error(
      `The tables have schema ${version}, but this version of @clinical-records/store-sqlite supports schemas up to ${migrations.length}. ` +
        'Use the version that wrote them, or a newer one.',
    );
  }
  if (version < migrations.length && context.database.inTransaction) {
    throw new Error(
      'A transaction is open on this connection. Open the store before beginning one, or the tables would be rolled back with it.',
    );
  }
  if (version > 0) requireTables(context);
  if (version > 0 && version < migrations.length && isReadOnly(context.database)) {
    throw new Error(
      `The tables have schema ${version}, and this version of @clinical-records/store-sqlite needs ${migrations.length}. Open the file once for writing: that migrates its tables.`,
    );
  }
  const step = context.database.transaction((target: number) => applyMigration(context, target));
  for (let target = version + 1; target <= migrations.length; target += 1) step.immediate(target);
};
