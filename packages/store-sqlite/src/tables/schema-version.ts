import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../schema.ts';
import { prepareStatement } from '../statement.ts';
import { firstVersion, type Migration } from './migrations.ts';

export type TablesContext = {
  readonly database: SqliteDatabase;
  readonly db: QueryBuilder;
  readonly prefix: string;
};

export const hasTable = ({ database, db, prefix }: TablesContext, table: string): boolean =>
  prepareStatement(database, () =>
    db
      .selectFrom('sqlite_schema')
      .select('name')
      .where('type', '=', 'table')
      .where('name', '=', prefix + table),
  ).first(null) !== null;

/** A statement that reads the version of the schema. */
export const prepareSchemaVersion = (database: SqliteDatabase, db: QueryBuilder) =>
  prepareStatement(database, () => db.selectFrom('store_versions').select('schema_version'));

export const lastVersionOf = (steps: readonly Migration[]): number => firstVersion + steps.length - 1;

/**
 * The version of the schema; null if there are no tables. It is not in `user_version`, which belongs to the host. Before
 * 1, another table had it.
 */
const readSchemaVersion = (context: TablesContext): number | null => {
  if (!hasTable(context, 'store_versions')) {
    return hasTable(context, 'migrations') && hasTable(context, 'superseded') ? 0 : null;
  }
  return prepareSchemaVersion(context.database, context.db).first(null)?.schema_version ?? null;
};

/**
 * The version of the schema; null if there are no tables. Throws if a version of the library with these steps cannot use or migrate
 * them.
 */
export const requireSchemaVersion = (context: TablesContext, steps: readonly Migration[]): number | null => {
  const version = readSchemaVersion(context);
  if (version === null) return null;
  if (version < firstVersion) {
    throw new Error(
      'The tables are from an older version of @clinical-records/store-sqlite, which this version cannot read. ' +
        'Export the records with the version that wrote them (--export), and import them into a new file with this one (--import).',
    );
  }
  if (version > lastVersionOf(steps)) {
    throw new Error(
      `The tables have schema ${version}, but this version of @clinical-records/store-sqlite supports schemas up to ${lastVersionOf(steps)}. ` +
        'Use the version that wrote them, or a newer one.',
    );
  }
  return version;
};
