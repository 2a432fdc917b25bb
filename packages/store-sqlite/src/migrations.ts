import { type Compilable, sql } from 'kysely';
import type { QueryBuilder } from './query-builder.ts';
import { longestShortDate } from './schema.ts';

/** One step of the schema. `nameIndex` adds the prefix to the name of an index. */
type Migration = (db: QueryBuilder, nameIndex: (index: string) => string) => readonly Compilable[];

const createRecordTables: Migration = ({ schema }, nameIndex) => [
  schema.createTable('migrations').addColumn('version', 'integer', (column) => column.primaryKey()),
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

const createIndexTables: Migration = ({ schema }, nameIndex) => [
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
    .createTable('entries')
    .addColumn('term', 'integer', (column) => column.notNull().references('terms.term'))
    .addColumn('record', 'integer', (column) => column.notNull().references('records.position'))
    .addPrimaryKeyConstraint(nameIndex('entries_key'), ['term', 'record'])
    .modifyEnd(sql`without rowid`),
  schema.createIndex(nameIndex('entries_by_record')).on('entries').column('record'),
  schema
    .createTable('dates')
    .addColumn('term', 'integer', (column) => column.notNull().references('terms.term'))
    .addColumn('record', 'integer', (column) => column.notNull().references('records.position'))
    .addColumn('from', 'integer', (column) => column.notNull())
    .addColumn('until', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint(nameIndex('dates_key'), ['record', 'term', 'from', 'until'])
    .modifyEnd(sql`without rowid`),
  schema.createIndex(nameIndex('dates_by_from')).on('dates').columns(['term', 'from', 'until']),
  schema.createIndex(nameIndex('dates_by_until')).on('dates').columns(['term', 'until', 'from']),
];

const createIndexVersionTable: Migration = ({ schema }) => [
  schema.createTable('index_version').addColumn('version', 'integer', (column) => column.primaryKey()),
];

/**
 * Few dates are long, and the others are found by the index of their beginnings. An index of all ends would change one
 * more page for nearly each record with a date of its own.
 */
const indexOnlyLongDatesByEnd: Migration = ({ schema }, nameIndex) => [
  schema.dropIndex(nameIndex('dates_by_until')),
  schema
    .createIndex(nameIndex('long_dates_by_until'))
    .on('dates')
    .columns(['term', 'until', 'from'])
    .where(sql<boolean>`${sql.ref('until')} - ${sql.ref('from')} > ${sql.lit(longestShortDate)}`),
];

/** Every step, oldest first. A released step is never edited: each change is a new step. */
export const migrations: readonly Migration[] = [
  (db, nameIndex) => [...createRecordTables(db, nameIndex), ...createIndexTables(db, nameIndex)],
  createIndexVersionTable,
  indexOnlyLongDatesByEnd,
];
