import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ExpectedVersion } from './expected-version.ts';
import type { IndexEntry, SearchQuery } from './query.ts';

declare const brand: unique symbol;

/**
 * The place of an entry in the feed or in the scan of a store, as a text that JSON can carry. Only the store knows what it says
 * and which of two comes first.
 */
export type Position = string & { readonly [brand]: 'Position' };

/** The name of a record: unique in a store. */
export type RecordRef = { readonly type: string; readonly id: string };

/**
 * One version of a record. Versions of a record count 1, 2, 3 … without a gap. Well-formed texts come back character by
 * character as they were written, and are told apart by every character.
 */
export type StoredRecord = RecordRef & {
  /** The patient whose chart it belongs to; null for what belongs to none, a practitioner say. */
  readonly patientId: string | null;
  readonly version: number;
  /** When it was written, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** Who wrote it, where that is known. */
  readonly by: string | null;
  /** What the rules decide on, as JSON text. */
  readonly state: string;
  /** What is read and found, as JSON text; null while there is nothing to be read. */
  readonly resource: string | null;
};

/** What readers are told of a record that has a resource; of what rules decide on, nothing. */
export type StoredResource = Pick<StoredRecord, 'patientId' | 'version' | 'at'> & {
  readonly resource: string;
};

/** A new version of a record, and what it demands of the one before. */
export type RecordChange = Omit<StoredRecord, 'version'> & {
  /**
   * What the record is found by from now on, and no longer by what the version before had. An entry said twice is as good
   * as once.
   */
  readonly index: readonly IndexEntry[];
  readonly expects: ExpectedVersion;
};

/** A record that was read to decide, and must not have moved on. It is not written. */
export type VersionCheck = RecordRef & { readonly expects: ExpectedVersion };

/** What is written together, or not at all. */
export type Commit = {
  readonly changes: readonly RecordChange[];
  readonly versionChecks: readonly VersionCheck[];
};

/** A record in a search. */
export type SearchMatch = { readonly id: string; readonly resource: string };

/** The answer to a query. */
export type SearchPage = {
  readonly matches: readonly SearchMatch[];
  /** Whether more matches follow those of the page. */
  readonly hasMore: boolean;
  /** How many records match in all, on this page or not; null where that was not asked for. */
  readonly total: number | null;
};

/**
 * A version in the feed. It has a `position` of its own, which it keeps for good. `digest` is what `computeDigest` makes of the version
 * and of the digest before it in the feed.
 */
export type FeedEntry = StoredRecord & { readonly position: Position; readonly digest: string };

/** A part of the feed or of a scan. */
export type EntryRange = {
  /**
   * It begins after the entry that has this position; with the first, if it is left out. Where no entry has it, the answer is
   * `UnknownPosition`.
   */
  readonly position?: Position | undefined;
  /** The largest number of entries. */
  readonly limit: number;
  /** With `bytes`, it ends with the entry by which states and resources together have as many characters. */
  readonly bytes?: number | undefined;
};

/** A part of the feed. */
export type FeedRange = EntryRange & {
  /**
   * With `digest`, the answer is `UnknownPosition`, too, where the version at `position` has another digest. So a place in the
   * feed of another store, or in one that a restored copy has lost, is not taken for one in this feed.
   */
  readonly digest?: string | undefined;
};

/**
 * A record as it stands, and what it is found by: nothing, while it has no resource. It has a `position` of its own in the scan,
 * which it keeps for good.
 */
export type IndexedRecord = StoredRecord & {
  readonly position: Position;
  readonly index: readonly IndexEntry[];
};

/**
 * What goes wrong in a store: a record has moved on, a search asks for too much, the store cannot do its work, or cannot say
 * whether it did.
 */
export type StoreError =
  | {
      readonly _tag: 'Conflict';
      /** The record that was not as expected. */
      readonly ref: RecordRef;
      /** The version at which it stands; null where there is none. */
      readonly actual: number | null;
    }
  /** A search takes more steps than it may. */
  | { readonly _tag: 'TooCostly' }
  /** So many costly searches are running that the store does not begin another one. */
  | { readonly _tag: 'Busy' }
  /** The feed or the scan has no entry at the position after which it is to begin. */
  | { readonly _tag: 'UnknownPosition' }
  | { readonly _tag: 'Unavailable'; readonly message: string; readonly cause: unknown }
  | { readonly _tag: 'OutcomeUnknown'; readonly message: string; readonly cause: unknown };

/**
 * Where records are kept: versioned, found by index entries, and swapped atomically if they have not moved on.
 * It knows no rule and no resource.
 *
 * No function throws or rejects: what goes wrong is a `StoreError`. A task does nothing before it is run, and may be run
 * more than once.
 *
 * Each answer is of one moment, tells all of a commit or nothing of it, and stays as it was once it is given.
 */
export type ClinicalStore = {
  /** The current version of one record, or null. */
  readonly read: (ref: RecordRef) => TaskEither<StoreError, StoredRecord | null>;

  /** What is to be read of one record as it stands, or null where there is nothing. */
  readonly readResource: (ref: RecordRef) => TaskEither<StoreError, StoredResource | null>;

  /**
   * One page of the records that have a resource and that `matches(query)`, oldest record first, and how many there are.
   * A record keeps its place in that order, whatever versions it goes through. A record that is created later
   * stands behind all that have been answered. A condition can have a thousand criteria.
   *
   * A page ends where it has `count` matches, or before the match with which it had more than `maxBytes`; if there is a match,
   * it has one at least, unless `count` is 0. Nothing comes after a record that is not there.
   */
  readonly search: (query: SearchQuery) => TaskEither<StoreError, SearchPage>;

  /**
   * Writes all of the changes, or none. Once it answers, they are durable, and every function tells what was written.
   * A commit can have a thousand changes and a thousand premises, and a change a thousand index entries.
   *
   * The expectations of changes and premises are checked against what is there before the commit, as part of the write:
   * of several commits that expect the same version exactly one succeeds. The first that was not as expected, of the
   * changes and then of the premises, is named in the `Conflict`. One commit that conflicts harms none that runs at the
   * same time. Two that name the same records in opposite orders both land, if what they expect holds. A commit that names
   * a record twice among its changes is `Unavailable`. The new versions are answered in the order of the changes. What was
   * written stays as it was, whatever becomes of the parts of the commit once it is answered.
   *
   * `Unavailable` says that nothing of the commit is written, nor will be, and that it can be tried again. A store that
   * loses its database's answer finds out what became of the commit before it answers. Where it cannot, it answers
   * `OutcomeUnknown`: all of the commit may be written, now or after a crash, or nothing. No other function answers that.
   */
  readonly commit: (commit: Commit) => TaskEither<StoreError, readonly number[]>;

  /** Every version of one record, newest first; empty where there is no such record. */
  readonly history: (ref: RecordRef) => TaskEither<StoreError, readonly StoredRecord[]>;

  /**
   * At most `limit` versions that were committed after the one at `position`, in the order of their commits.
   * Changes of one commit stand together, in their order. An entry that has been answered never changes, and none
   * appears before it later.
   */
  readonly changesSince: (options: FeedRange) => TaskEither<StoreError, readonly FeedEntry[]>;

  /**
   * At most `limit` records as they stand, with a resource or without, that were created after the one at `position`, in
   * the order of their creation. A record that is created later stands behind all that have been answered.
   * Each comes with its index entries, every one once, in any order.
   */
  readonly scan: (options: EntryRange) => TaskEither<StoreError, readonly IndexedRecord[]>;

  /**
   * Finishes what was begun and lets go of what the store itself opened. Afterwards everything is `Unavailable`; a search that
   * would take long may be given up, and is `Unavailable`, too.
   */
  readonly close: () => TaskEither<StoreError, void>;

  /**
   * Only for a store on whose database the host can have a transaction open that ends before anything asynchronous runs. It
   * is run where a function that may write is called, and where its task is run, and is `Unavailable` inside such a transaction.
   */
  readonly begin?: TaskEither<StoreError, void>;
};

/** A transaction of the host on the database of a store, as `inTransaction` of `@clinical-records/store-sqlite` begins one. */
export type Transaction = {
  /**
   * The store as a part of the transaction: what it reads and writes is undone with it. Once the transaction is over,
   * everything is `Unavailable`. Throws for a store that is not on the same database.
   */
  readonly join: (store: ClinicalStore) => ClinicalStore;
};
