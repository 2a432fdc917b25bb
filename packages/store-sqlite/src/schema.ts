import type { Generated } from 'kysely';

/** What is kept of each version, in `records` as in `superseded`. */
type VersionColumns = {
  readonly version: number;
  readonly patient_id: string | null;
  readonly at: number;
  readonly by: string | null;
  readonly state: string;
  readonly resource: string | null;
  /** What ties it to all that was committed before it: see `computeDigest` of the core. */
  readonly digest: string;
};

/**
 * The tables, by their names without the prefix.
 *
 * The current version of a record stands in `records` itself, so that a read or a search looks in one place; a new
 * version moves the one before to `superseded`. The latest commit always holds some record's current version.
 */
export type Tables = {
  /**
   * `position` is the place of the first version in the order of all commits, and so of the record in that of creation;
   * `committed` is the place of the version that stands here, or null while that is the first.
   */
  records: VersionColumns & {
    readonly position: number;
    readonly type: string;
    readonly id: string;
    readonly committed: number | null;
    /** Whether there is a resource: 0 or 1. For `resource` itself, SQLite would have to look into every row. */
    readonly readable: number;
  };
  /** `position` is the place of the version in the order of all commits. */
  superseded: VersionColumns & { readonly position: number; readonly record: number };
  /** How many records of each type have a resource, of those up to the largest position that any row has `counted`. */
  counts: { readonly type: string; readonly readable: number; readonly counted: number };
  /** What index entries say, each said once: a code in a system, the id of a type, or only that there is a date. */
  terms: {
    readonly term: Generated<number>;
    readonly type: string;
    readonly kind: 'token' | 'reference' | 'date';
    readonly parameter: string;
    readonly system: string;
    readonly code: string;
  };
  /** Which records with a resource a token or a reference leads to. */
  entries: { readonly term: number; readonly record: number };
  /** Which stretch of time a date of a record with a resource names. */
  dates: {
    readonly term: number;
    readonly record: number;
    readonly from: number;
    readonly until: number;
  };
  migrations: { readonly version: number };
};

export const tableNames: readonly (keyof Tables)[] = [
  'records',
  'superseded',
  'counts',
  'terms',
  'entries',
  'dates',
  'migrations',
];

/** The tables, and SQLite's own list of what a database holds. */
export type Schema = Tables & { sqlite_schema: { readonly type: string; readonly name: string } };
