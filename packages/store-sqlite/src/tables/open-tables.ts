import type { Compilable } from 'kysely';
import { prepareStatement } from '../statement.ts';
import { backUp } from './back-up.ts';
import { firstVersion, isBatched, type Migration, migrations } from './migrations.ts';
import { hasTable, lastVersionOf, requireSchemaVersion, type TablesContext } from './schema-version.ts';

/** Throws if the tables are those of another application. */
const requireTables = ({ database, db }: TablesContext): void => {
  const columns = db.selectFrom('records').select(['committed', 'readable', 'digest']);
  prepareStatement(database, () => columns.limit(1)).first(null);
};

const run = ({ database }: TablesContext, statements: readonly Compilable[]): void => {
  for (const statement of statements) prepareStatement(database, () => statement).run(null);
};

/** The first transaction of a step. Returns whether the step is complete. */
const beginStep = (context: TablesContext, step: Migration, target: number): boolean => {
  const { db, prefix } = context;
  const statements = isBatched(step) ? step.first : step;
  run(context, [
    ...statements(db, (index) => prefix + index),
    db.updateTable('store_versions').set({ schema_version: target }),
  ]);
  if (!isBatched(step)) return true;
  run(context, [
    db.schema.createTable('migration_place').addColumn('after', 'integer', (column) => column.notNull()),
    db.insertInto('migration_place').values({ after: 0 }),
  ]);
  return false;
};

/** A later transaction of a step. Returns whether the step is complete. */
const continueStep = (context: TablesContext, step: Migration): boolean => {
  const { database, db } = context;
  if (!isBatched(step) || !hasTable(context, 'migration_place')) return true;
  const { after = 0 } =
    prepareStatement(database, () => db.selectFrom('migration_place').select('after')).first(null) ?? {};
  const next = step.changeBatch(database, db, after);
  if (next !== null && next <= after) throw new Error('A batch of the migration has changed nothing.');
  run(context, [
    next === null
      ? db.schema.dropTable('migration_place')
      : db.updateTable('migration_place').set({ after: next }),
  ]);
  return next === null;
};

type MigrateOptions = {
  /** The file to which the database is copied before existing tables are changed. */
  readonly backupTo?: string | undefined;
  readonly steps?: readonly Migration[];
};

/**
 * Creates the tables in a database that has none, and migrates older ones to the schema of this version of the library. Each
 * transaction of a step reads how far the tables are, because another process may have been faster.
 *
 * Throws, and does not change the file, if its tables are from another version of the library that this one cannot migrate, or if
 * the migration would be part of an open transaction of the host.
 */
export const openTables = (
  context: TablesContext,
  { backupTo, steps = migrations }: MigrateOptions = {},
): void => {
  const { database, db } = context;
  const existing = requireSchemaVersion(context, steps);
  if (existing !== null) requireTables(context);
  if (existing === lastVersionOf(steps) && !hasTable(context, 'migration_place')) return;
  if (database.inTransaction) {
    throw new Error(
      'A transaction is open on this connection. Open the store before beginning one, or the tables would be rolled back with it.',
    );
  }
  let isBackedUp = false;
  for (const [index, step] of steps.entries()) {
    const target = firstVersion + index;
    const transact = database.transaction((): boolean => {
      const version = requireSchemaVersion(context, steps);
      if (version !== null && version > target) return true;
      if (version === target) return continueStep(context, step);
      if (version !== null && !isBackedUp && backupTo !== undefined) backUp(database, db, backupTo);
      isBackedUp = true;
      return beginStep(context, step, target);
    });
    while (!transact.immediate(null));
  }
};
