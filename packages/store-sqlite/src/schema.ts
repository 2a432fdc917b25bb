import type { Generated } from 'kysely';

/**
 * The longest date, in milliseconds, that no index finds by its end: a day of 25 hours, on which summer time ends. It is a
 * part of an index, so it cannot change without a migration.
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
  /** The distinct contents of index entries: a code in a system, an id of a type, or that there is a date. */
  terms: {
    readonly term: Generated<number>;
    readonly type: string;
    readonly kind: 'token' | 'reference' | 'date';
    readonly parameter: string;
    readonly system: string;
    readonly code: string;
  };
  /** The records with a resource that a token or a reference leads to. */
  entries: { readonly term: number; readonly record: number };
  /** The interval of each date of a record with a resource. */
  dates: {
    readonly term: number;
    readonly record: number;
    readonly from: number;
    readonly until: number;
  };
  /** The index version, in one row; none while it is 1. */
  index_version: { readonly version: number };
  migrations: { readonly version: number };
};

export const tableNames: readonly (keyof Tables)[] = [
  'records',
  'superseded',
  'counts',
  'terms',
  'entries',
  'dates',
  'index_version',
  'migrations',
];

/** The tables, and SQLite's own list of the database's contents. */
export type Schema = Tables & { sqlite_schema: { readonly type: string; readonly name: string } };
