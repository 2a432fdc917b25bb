import { hash } from 'node:crypto';
import type { Term } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from './statement.ts';

/**
 * The longest date, in milliseconds, that no index finds by its end: a day of 25 hours, on which summer time ends. It is a
 * part of an index, so it cannot change without a migration.
 */
export const longestShortDate = 25 * 60 * 60 * 1000;

/** A row of a tenant. Each key begins with its number, which no other tenant ever has. */
type Row = { readonly tenant: number };

/**
 * The row of the end of the feed. A transaction that is in doubt fails if the `fence` has been raised since. An erasure
 * raises it, too, so that no other store relies on a term that is gone.
 */
export type FeedHead = { readonly position: number; readonly digest: string; readonly fence: number };

type VersionColumns = Row & {
  readonly type: string;
  readonly id: string;
  /** The patient of the chart, or '' if the record belongs to none: it is part of a key, which cannot be null. */
  readonly patient_id: string;
  readonly version: number;
  /** When it was committed. Reads show it as `at`, in milliseconds since 1970. */
  readonly committed: string;
  readonly by: string | null;
  readonly state: string;
  readonly resource: string | null;
};

/** The tables of a store, in a schema of PostgreSQL that has nothing else. */
export type Tables = {
  /** The clinics that share the tables. */
  tenants: Row & { readonly name: string; readonly removed: string | null };
  /** The end of the feed of each tenant. The transaction that has locked it assigns the next positions. */
  head: Row & FeedHead & { readonly read_only: boolean };
  /**
   * Every record, by its name. Its `position` is that of its first version, and so its place in the order of creation.
   * `current` is the position of the current version.
   */
  records: Row & {
    readonly type: string;
    readonly id: string;
    readonly patient_id: string;
    readonly position: number;
    readonly current: number;
    readonly version: number;
  };
  /**
   * Every version as it was committed: the feed, and the history of each record. The `record` is the position
   * of the first version. `digest` is the link to all versions before: see `computeDigest` of the core.
   */
  versions: VersionColumns & {
    readonly position: number;
    readonly record: number;
    readonly digest: string;
  };
  /**
   * Every record with a resource, by its chart: the current resource, which reads and searches return, and the terms
   * and the dates by which searches find it.
   */
  searchable: Row & {
    readonly patient_id: string;
    readonly type: string;
    readonly record: number;
    readonly id: string;
    readonly current: number;
    readonly version: number;
    readonly committed: string;
    readonly resource: string;
    readonly terms: readonly string[];
    readonly date_terms: readonly string[];
    readonly date_from: readonly number[];
    readonly date_until: readonly number[];
  };
  /** The same tokens, references and words, by their terms, for searches that name no patient. */
  entries: Row & { readonly term: string; readonly record: number; readonly patient_id: string };
  /** The same dates, by time. */
  dates: Row & {
    readonly term: string;
    readonly from: number;
    readonly until: number;
    readonly record: number;
    readonly patient_id: string;
  };
  /** The meaning of each term. A term is a hash of its content, so it is known before it is stored. */
  terms: Row & {
    readonly row_id: string;
    readonly term: string;
    readonly type: string;
    readonly kind: 'token' | 'reference' | 'string' | 'date';
    readonly parameter: string;
    readonly system: string;
    readonly code: string;
  };
  /** The number of records of each type with a resource. */
  counts: Row & { readonly type: string; readonly readable: number };
  /** How search parameters are indexed, as a JSON object. Each change of it has another version. */
  indexed_parameters: Row & { readonly version: number; readonly texts: string };
  /**
   * The transactions of hosts that have written for a tenant, each until its end, when the trigger of the table places what they
   * wrote. `first` is their first provisional position.
   */
  host_transactions: Row & { readonly transaction: string; readonly stage: number; readonly first: number };
  migrations: { readonly version: number };
};

/** Ids of terms, by what is hashed. Most terms are of few codes, and a lookup costs much less than a hash. */
const knownIds = new Map<string, string>();

const maxKnownIds = 4096;

const bounds = [0, 8, 12, 16, 20, 32];

/**
 * The id of a term: half of its SHA-256, as a UUID. So an id is known without asking the database. The lengths show where
 * each text ends.
 */
export const termId = ({ kind, type, parameter, system, code }: Term): string => {
  const text = `${kind} ${type.length} ${parameter.length} ${system.length} ${type}${parameter}${system}${code}`;
  const known = knownIds.get(text);
  if (known !== undefined) return known;
  const digits = hash('sha256', text);
  const id = bounds
    .slice(1)
    .map((end, part) => digits.slice(bounds[part], end))
    .join('-');
  if (knownIds.size >= maxKnownIds) knownIds.clear();
  knownIds.set(text, id);
  return id;
};

/** A time of a table, from milliseconds since 1970. */
export const toTime = (milliseconds: RawBuilder<unknown>): RawBuilder<string> =>
  sql`timestamptz 'epoch' + ${milliseconds} * interval '1 millisecond'`;

/** The rows of these tables have a time. */
const timed: readonly (keyof Tables)[] = ['versions', 'searchable'];

/** The columns of a table, as they are read. `date_part` is exact to a millisecond, and `extract` computes a `numeric` for longer. */
export const columnsOf = (name: keyof Tables): RawBuilder<unknown> =>
  timed.includes(name) ? sql`*, (date_part('epoch', committed) * 1000)::bigint as at` : sql`*`;

/**
 * From here on, positions are provisional. A version that a transaction of the host has written has one until the
 * transaction ends, so that it takes no place in the feed before.
 */
const firstProvisional = 2 ** 52;

export const firstProvisionalPosition: RawBuilder<number> = sql.lit(firstProvisional);

/** A name in quotation marks, for SQL. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The full name of a relation, as a text of SQL. */
export const relationName = ({ schema }: Pick<QueryBuilder, 'schema'>, name: string): RawBuilder<string> =>
  sql.lit(`${quoteName(schema)}.${name}`);

/** A provisional position that no other version ever has. */
export const nextProvisionalPosition = (builder: QueryBuilder): RawBuilder<number> =>
  sql`nextval(${relationName(builder, 'provisional_positions')}::regclass)`;
