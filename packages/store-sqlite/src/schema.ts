import {
  type Compilable,
  DummyDriver,
  type Generated,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type RawBuilder,
  type SchemableIdentifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';

/**
 * The longest date, in milliseconds, that no index finds by its end: a day of 25 hours, on which summer time ends. It is a
 * part of an index, so it cannot change without another schema.
 */
export const longestShortDate = 25 * 60 * 60 * 1000;

/** The columns of each version, in `records` and in `superseded`. */
type VersionColumns = {
  readonly version: number;
  readonly patient_id: string | null;
  readonly at: number;
  readonly by: string | null;
  readonly state: string;
  readonly resource: string | null;
  /** The link to everything that was committed before it: see `computeDigest` of the core. */
  readonly digest: string;
};

/**
 * The tables, by their names without the prefix.
 *
 * The current version of a record is in `records` itself, so that a read or a search needs one table. A new version
 * moves the version before to `superseded`. The latest commit always has the current version of some record.
 */
export type Tables = {
  /**
   * The `position` is the place of the first version in the order of all commits, and so of the record in the order of
   * creation. The column `committed` has the place of the current version, or null while that is the first.
   */
  records: VersionColumns & {
    readonly position: number;
    readonly type: string;
    readonly id: string;
    readonly committed: number | null;
    /** Whether there is a resource: 0 or 1. To check `resource` itself, SQLite would have to read every row. */
    readonly readable: number;
  };
  /** `position` is the place of the version in the order of all commits. */
  superseded: VersionColumns & { readonly position: number; readonly record: number };
  /** The number of records of each type with a resource, up to the largest `counted` position of any row. */
  counts: { readonly type: string; readonly readable: number; readonly counted: number };
  /** The distinct contents of index entries: a code in a system, an id of a type, a word, or that there is a date. */
  terms: {
    readonly term: Generated<number>;
    readonly type: string;
    readonly kind: 'token' | 'reference' | 'string' | 'date';
    readonly parameter: string;
    readonly system: string;
    readonly code: string;
  };
  /**
   * The index entries of the records with a resource: by which term one is found. For a date, `from` and `until` are its
   * interval; for all others 0.
   */
  entries: {
    readonly term: number;
    readonly from: number;
    readonly until: number;
    readonly record: number;
  };
  /** The version of the schema, and how search parameters are indexed, as a JSON object, in one row. */
  store_versions: { readonly schema_version: number; readonly indexed_parameters: string };
};

export const tableNames: readonly (keyof Tables)[] = [
  'records',
  'superseded',
  'counts',
  'terms',
  'entries',
  'store_versions',
];

type ColumnName = {
  [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}`;
}[keyof Tables];

/**
 * A column in the SQL of a search. Its statements are put together from parts that occur in several of them, with operators
 * and hints for SQLite's planner that Kysely's builder lacks. All other statements are built with it.
 */
export const column = (name: ColumnName): RawBuilder<unknown> => sql.ref(name);

/** The tables, and SQLite's own list of the database's contents. */
export type Schema = Tables & { sqlite_schema: { readonly type: string; readonly name: string } };

/** The columns of each version, in `records` and in `superseded`. */
export const versionColumns = ['version', 'patient_id', 'at', 'by', 'state', 'resource', 'digest'] as const;

/** The columns of a version, from the table that has it; `superseded` is joined to its record. */
const columnsOf = <Table extends 'records' | 'superseded'>(table: Table) =>
  [
    'records.type',
    'records.id',
    `${table}.patient_id as patientId`,
    `${table}.version`,
    `${table}.at`,
    `${table}.by`,
    `${table}.resource`,
    `${table}.state`,
  ] as const;

/** The columns of a version in a history, but the length of its resource. */
export const historyColumns = <Table extends 'records' | 'superseded'>(table: Table) =>
  [`${table}.patient_id as patientId`, `${table}.version`, `${table}.at`, `${table}.by`] as const;

export const recordColumns = columnsOf('records');
export const supersededColumns = columnsOf('superseded');

/** The same columns with the digest that each version has in the feed. */
export const recordFeedColumns = [...recordColumns, 'records.digest'] as const;
export const supersededFeedColumns = [...supersededColumns, 'superseded.digest'] as const;

/** Adds the prefix to the names of the library's tables. Aliases and other tables keep their names. */
class PrefixTransformer extends OperationNodeTransformer {
  readonly #prefix: string;

  constructor(prefix: string) {
    super();
    this.#prefix = prefix;
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { name } = node.identifier;
    return tableNames.some((ours) => ours === name)
      ? { ...node, identifier: { ...node.identifier, name: this.#prefix + name } }
      : node;
  }
}

const createTablePrefixPlugin = (prefix: string): KyselyPlugin => {
  const transformer = new PrefixTransformer(prefix);
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
};

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

/** Creates a part of the tables. `nameIndex` adds the prefix to the name of an index. */
type CreateTables = (db: QueryBuilder, nameIndex: (index: string) => string) => readonly Compilable[];

const createRecordTables: CreateTables = ({ schema }, nameIndex) => [
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

const createIndexTables: CreateTables = ({ schema }, nameIndex) => [
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

/** The number of the schema. Each change of the tables needs another one, so that a file of an older build is refused. */
export const schemaVersion = 4;

const createVersionTable: CreateTables = (db) => [
  db.schema
    .createTable('store_versions')
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('indexed_parameters', 'text', (column) => column.notNull()),
  db.insertInto('store_versions').values({ schema_version: schemaVersion, indexed_parameters: '{}' }),
];

/** The statements that create all tables, in their order. */
export const createTables: CreateTables = (db, nameIndex) =>
  [createRecordTables, createIndexTables, createVersionTable].flatMap((create) => create(db, nameIndex));
