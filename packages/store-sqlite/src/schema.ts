import {
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
  /** Where the next batch of a migration begins, in one row. The table exists only while such a step is not complete. */
  migration_place: { readonly after: number };
};

export const tableNames: readonly (keyof Tables)[] = [
  'records',
  'superseded',
  'counts',
  'terms',
  'entries',
  'store_versions',
  'migration_place',
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
