import type { SqliteDatabase } from './database.ts';
import { createTables, type QueryBuilder, schemaVersion } from './schema.ts';
import { prepareStatement } from './statement.ts';

type TablesContext = {
  readonly database: SqliteDatabase;
  readonly db: QueryBuilder;
  readonly prefix: string;
};

const hasTable = ({ database, db, prefix }: TablesContext, table: string): boolean =>
  prepareStatement(database, () =>
    db
      .selectFrom('sqlite_schema')
      .select('name')
      .where('type', '=', 'table')
      .where('name', '=', prefix + table),
  ).first(null) !== null;

/**
 * The version of the schema; null if there are no tables. It is not in `user_version`, which belongs to the host. Before
 * 1, another table had it.
 */
const readSchemaVersion = (context: TablesContext): number | null => {
  if (!hasTable(context, 'store_versions')) {
    return hasTable(context, 'migrations') && hasTable(context, 'superseded') ? 0 : null;
  }
  const { database, db } = context;
  const version = prepareStatement(database, () => db.selectFrom('store_versions').select('schema_version'));
  return version.first(null)?.schema_version ?? null;
};

/** Throws if the tables are those of another application. */
const requireTables = ({ database, db }: TablesContext): void => {
  const columns = db.selectFrom('records').select(['committed', 'readable', 'digest']);
  prepareStatement(database, () => columns.limit(1)).first(null);
};

const requireVersion = (version: number): void => {
  if (version < schemaVersion) {
    throw new Error(
      'The tables are from an older version of @clinical-records/store-sqlite, which this version cannot read. ' +
        'Export the records with the version that wrote them (--export), and import them into a new file with this one (--import).',
    );
  }
  if (version > schemaVersion) {
    throw new Error(
      `The tables have schema ${version}, but this version of @clinical-records/store-sqlite supports only schema ${schemaVersion}. ` +
        'Use the version that wrote them, or a newer one.',
    );
  }
};

/**
 * Creates the tables in a database that has none.
 *
 * Throws, and does not change the file, if its tables are from another version of the library, or new tables would be part
 * of an open transaction of the host.
 */
export const openTables = (context: TablesContext): void => {
  const { database, db, prefix } = context;
  const version = readSchemaVersion(context);
  if (version !== null) {
    requireVersion(version);
    requireTables(context);
    return;
  }
  if (database.inTransaction) {
    throw new Error(
      'A transaction is open on this connection. Open the store before beginning one, or the tables would be rolled back with it.',
    );
  }
  const create = database.transaction(() => {
    // Another process may have been faster, also one with another version of the library.
    const created = readSchemaVersion(context);
    if (created !== null) {
      requireVersion(created);
      return;
    }
    for (const statement of createTables(db, (index) => prefix + index)) {
      prepareStatement(database, () => statement).run(null);
    }
  });
  create.immediate(null);
};
