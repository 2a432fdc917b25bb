import { type Compilable, sql } from 'kysely';
import type { SqliteDatabase } from '../database.ts';
import { longestShortDate, type QueryBuilder } from '../schema.ts';

/** The statements of a step. `nameIndex` adds the prefix to the name of an index. */
export type MigrationStatements = (
  db: QueryBuilder,
  nameIndex: (index: string) => string,
) => readonly Compilable[];

/**
 * A step that changes many rows in batches, each in a transaction of its own. If the process ends, the next one continues after the
 * last batch. Other versions of the library are kept out from the first transaction on.
 */
export type BatchedMigration = {
  /** The statements of the first transaction, before any batch. */
  readonly first: MigrationStatements;
  /**
   * Changes the next rows after a place, which is 0 for the first batch. Returns a larger place, after which the next batch
   * begins; null when it has found no more rows.
   */
  readonly changeBatch: (database: SqliteDatabase, db: QueryBuilder, after: number) => number | null;
};

/** One step of the schema: statements in one transaction, such as for an index that a newer version needs, or batches. */
export type Migration = MigrationStatements | BatchedMigration;

export const isBatched = (step: Migration): step is BatchedMigration => 'changeBatch' in step;

const createRecordTables: MigrationStatements = ({ schema }, nameIndex) => [
  schema
    .createTable('records')
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('committed', 'integer')
    .addColumn('readable', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('patient_id', 'text')
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('by', 'text')
    // Before the long texts, so that SQLite can read it without following their overflow pages.
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('resource', 'text')
    .addCheckConstraint(
      nameIndex('records_readable'),
      sql`${sql.ref('readable')} = (${sql.ref('resource')} is not null)`,
    ),
  schema.createIndex(nameIndex('records_by_name')).on('records').columns(['id', 'type']).unique(),
  schema
    .createIndex(nameIndex('records_by_commit'))
    .on('records')
    .column('committed')
    .unique()
    .where(sql.ref('committed'), 'is not', null),
  // The position is the rowid, and so the last column of every index.
  schema
    .createIndex(nameIndex('records_to_find'))
    .on('records')
    .column('type')
    .where(sql.ref('readable'), '=', sql.lit(1)),
  schema
    .createIndex(nameIndex('records_by_time'))
    .on('records')
    .columns(['type', 'at'])
    .where(sql.ref('readable'), '=', sql.lit(1)),
  schema
    .createIndex(nameIndex('records_by_patient'))
    .on('records')
    .columns(['patient_id', 'type'])
    .where(sql.ref('readable'), '=', sql.lit(1)),
  schema
    .createTable('counts')
    .addColumn('type', 'text', (column) => column.primaryKey())
    .addColumn('readable', 'integer', (column) => column.notNull())
    .addColumn('counted', 'integer', (column) => column.notNull())
    .modifyEnd(sql`without rowid`),
  schema
    .createTable('superseded')
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('record', 'integer', (column) => column.notNull().references('records.position'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('patient_id', 'text')
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('by', 'text')
    // Before the long texts, so that SQLite can read it without following their overflow pages.
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('resource', 'text'),
  schema
    .createIndex(nameIndex('superseded_by_record'))
    .on('superseded')
    .columns(['record', 'version'])
    .unique(),
];

const createIndexTables: MigrationStatements = ({ schema }, nameIndex) => [
  schema
    .createTable('terms')
    .addColumn('term', 'integer', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('parameter', 'text', (column) => column.notNull())
    .addColumn('system', 'text', (column) => column.notNull())
    .addColumn('code', 'text', (column) => column.notNull()),
  schema
    .createIndex(nameIndex('terms_by_code'))
    .on('terms')
    .columns(['code', 'parameter', 'type', 'kind', 'system'])
    .unique(),
  schema
    .createIndex(nameIndex('terms_by_system'))
    .on('terms')
    .columns(['parameter', 'type', 'system'])
    .where(sql.ref('kind'), '=', sql.lit('token')),
  schema
    .createIndex(nameIndex('terms_by_word'))
    .on('terms')
    .columns(['parameter', 'type', 'code'])
    .where(sql.ref('kind'), '=', sql.lit('string')),
  schema
    .createTable('entries')
    .addColumn('term', 'integer', (column) => column.notNull().references('terms.term'))
    .addColumn('from', 'integer', (column) => column.notNull())
    .addColumn('until', 'integer', (column) => column.notNull())
    .addColumn('record', 'integer', (column) => column.notNull().references('records.position'))
    .addPrimaryKeyConstraint(nameIndex('entries_key'), ['term', 'from', 'until', 'record'])
    .modifyEnd(sql`without rowid`),
  // The rest of the key is a part of every index.
  schema.createIndex(nameIndex('entries_by_record')).on('entries').column('record'),
  // Few dates are long, and the others are found by the key, which has their beginnings. An index of all ends would change one
  // more page for nearly each record with a date of its own.
  schema
    .createIndex(nameIndex('long_dates_by_until'))
    .on('entries')
    .columns(['term', 'until', 'from'])
    .where(sql<boolean>`${sql.ref('until')} - ${sql.ref('from')} > ${sql.lit(longestShortDate)}`),
];

const createVersionTable: MigrationStatements = (db) => [
  db.schema
    .createTable('store_versions')
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('indexed_parameters', 'text', (column) => column.notNull()),
  db.insertInto('store_versions').values({ schema_version: firstVersion, indexed_parameters: '{}' }),
];

/**
 * The version of the schema that the first step makes. Until the first release, that step is edited in place, and its version
 * raised, so that a file of an older build is refused.
 */
export const firstVersion = 4;

/** Every step, oldest first. A released step is never edited: each change is a new step. */
export const migrations: readonly Migration[] = [
  (db, nameIndex) =>
    [createRecordTables, createIndexTables, createVersionTable].flatMap((create) => create(db, nameIndex)),
];
