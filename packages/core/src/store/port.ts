import type { Either } from 'fp-ts/lib/Either.js';
import type { CallContext } from './call-context.ts';
import type { IndexEntry, IndexedParameters } from './index-entry.ts';
import type { OrderedQuery, SearchQuery } from './query.ts';
import type { StoreError } from './store-error.ts';
import type { ExpectedVersion } from './versions.ts';

/**
 * The place of an entry in the feed or in the scan of a store, as a text that JSON can carry. Only the store knows its
 * meaning and its order.
 */
export type Position = string & {
  /** Only for the compiler. */
  readonly '~brand': 'Position';
};

/** The name of a record, which is unique in a store. */
export type RecordRef = {
  /** The type of the record, such as `Goal`. */
  readonly type: string;
  /** The id, which no other record of the type has. */
  readonly id: string;
};

/** The name of a version of a record. */
export type VersionRef = RecordRef & {
  /** Counts from 1. */
  readonly version: number;
};

/**
 * One version of a record. Versions of a record count 1, 2, 3 … without a gap. Every character of a well-formed text is
 * stored unchanged, and texts are equal only if all of their characters are.
 */
export type StoredRecord = VersionRef & {
  /** The patient whose chart the record belongs to; null if it belongs to none, such as a practitioner. */
  readonly patientId: string | null;
  /** When the version was written, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** The author, as a text that the store does not interpret; null if nobody was named. */
  readonly by: string | null;
  /** The state that the rules decide on, as JSON text. */
  readonly state: string;
  /** The resource that is read and searched, as JSON text; null while there is none. */
  readonly resource: string | null;
};

/** The part of a record that readers get if it has a resource. It does not include the state. */
export type StoredResource = Pick<StoredRecord, 'patientId' | 'version' | 'at'> & {
  /** The resource as JSON text. */
  readonly resource: string;
};

/** A version in a history: who wrote it and when, but not what. It includes neither the state nor the resource. */
export type StoredVersion = Pick<StoredRecord, 'patientId' | 'version' | 'at' | 'by'> & {
  /** The bytes of the resource in UTF-8, or more, but at most twice as many; null if there is no resource. */
  readonly bytes: number | null;
};

/** A part of the history of a record. */
export type HistoryRange = RecordRef & {
  /** The history begins below this version, or with the current version if it is left out. */
  readonly before?: number | undefined;
  /** The largest number of versions. */
  readonly limit: number;
};

/** A new version of a record, and what it expects of the version before. */
export type RecordChange = Omit<StoredRecord, 'version'> & {
  /**
   * The index entries by which searches find the record from now on, instead of those of the version before. A repeated
   * entry counts once.
   */
  readonly index: readonly IndexEntry[];
  /** The version that the record must have before the commit. */
  readonly expects: ExpectedVersion;
  /**
   * Only for an erasure. The new states of all versions before, oldest first: the commit replaces their states with these,
   * and their resources with null. The change then expects an exact version.
   */
  readonly priorStates?: readonly string[];
};

/** A record that a decision has read and that must not have changed since. The commit does not write it. */
export type VersionCheck = RecordRef & {
  /** The version that the record must have before the commit. */
  readonly expects: ExpectedVersion;
};

/** New index entries of a current version, in place of the present ones. */
export type ReindexedRecord = VersionCheck & {
  /** The index entries. A repeated entry counts once. */
  readonly index: readonly IndexEntry[];
};

/** A change of index entries, after which nothing else is different: neither a version nor the feed. */
export type Reindexing = {
  /** The records that get other index entries, each once. They keep their versions. */
  readonly records: readonly ReindexedRecord[];
  /** If given, the texts that parameters get. Those of the others stay. */
  readonly parameters?: IndexedParameters;
};

/** Changes and version checks that are applied together, or not at all. */
export type Commit = {
  /** The new versions, of one record each. */
  readonly changes: readonly RecordChange[];
  /** The records that must not have changed, and are not written. */
  readonly versionChecks: readonly VersionCheck[];
  /** A commit that has this has neither changes nor version checks. */
  readonly reindexing?: Reindexing;
};

/** A record that a search found: its id, and its current version with the resource. */
export type SearchMatch = Pick<StoredRecord, 'id' | 'version' | 'at'> & Pick<StoredResource, 'resource'>;

/** The result of a search. */
export type SearchPage = {
  /** The matches of the page, oldest record first. */
  readonly matches: readonly SearchMatch[];
  /** Whether more matches follow the page. */
  readonly hasMore: boolean;
  /** The number of all matches, on this page or not; null if it was not asked for. */
  readonly total: number | null;
};

/** A version in the feed. */
export type FeedEntry = StoredRecord & {
  /** The place of the version in the feed, which never changes and no other version has. */
  readonly position: Position;
  /** The result of `computeDigest` for the version and the digest before it in the feed. */
  readonly digest: string;
};

/** The end of the feed. */
export type FeedEnd = Pick<FeedEntry, 'position' | 'digest'>;

/** A part of the feed or of a scan. */
export type EntryRange = {
  /**
   * The range begins after the entry at this position, or with the first entry if it is left out. If no entry has the
   * position, the result is `UnknownPosition`.
   */
  readonly position?: Position | undefined;
  /** The largest number of entries. */
  readonly limit: number;
  /**
   * With `bytes`, the range ends with the entry at which all states and resources together reach so many characters.
   */
  readonly bytes?: number | undefined;
};

/** A part of the feed. */
export type FeedRange = EntryRange & {
  /**
   * With `digest`, the result is also `UnknownPosition` if the version at `position` has another digest. So a position
   * in the feed of another store, or one that a restored copy has lost, is not mistaken for one in this feed.
   */
  readonly digest?: string | undefined;
};

/** The current version of a record, and its index entries. */
export type IndexedRecord = StoredRecord & {
  /** The place of the record in the scan, which never changes and no other record has. */
  readonly position: Position;
  /** Empty while the record has no resource. */
  readonly index: readonly IndexEntry[];
};

/** The outcome of a function of a store. */
export type StoreOutcome<A> = Promise<Either<StoreError, A>>;

/** Statements of the host in a transaction of the database, on the connection of the transaction. */
export type HostWrite<Connection> = (connection: Connection) => unknown;

/**
 * Keeps records in versions, finds them by index entries, and writes them only if they have the expected versions. It
 * does not depend on any rule or resource. `Connection` is that of its database, for statements of the host.
 *
 * A function begins when it is called. Only `close` rejects, and `commitAll` if the host fails: every other error is a
 * `StoreError`, and returned.
 *
 * Each result shows the store at one moment, shows all of a commit or nothing of it, and does not change after it is
 * returned.
 */
export type ClinicalStore<Connection = unknown> = {
  /** The current version of one record, or null. */
  readonly read: (ref: RecordRef) => StoreOutcome<StoredRecord | null>;

  /** The resource of the current version of one record, or null if there is none. */
  readonly readResource: (ref: RecordRef) => StoreOutcome<StoredResource | null>;

  /**
   * One page of the records that have a resource and that `matches(query)`, oldest record first, and their number. A
   * record keeps its place in that order in all of its versions. A record that is created later comes after all records
   * that have been returned. A condition can have a thousand criteria.
   *
   * A page ends when it has `count` matches, or before the match that would make it larger than `maxBytes`. If there is
   * a match, the page has at least one, unless `count` is 0. Nothing comes after a record that does not exist.
   */
  readonly search: (query: SearchQuery) => StoreOutcome<SearchPage>;

  /**
   * If there is one, it returns what `search` does, with the matches in another order: by time, then those without a time, and where
   * two are equal in the order of creation. A condition is on patients. It costs less than to read all matches page by page,
   * as is done in its place on a store without it.
   */
  readonly searchInOrder?: (query: OrderedQuery) => StoreOutcome<SearchPage>;

  /**
   * Writes all of the changes, or none. Once it returns, they are durable, and every function shows what was written. A
   * commit can have a thousand changes and a thousand version checks, and a change a thousand index entries.
   *
   * The expected versions of changes and version checks are compared with the records before the commit, as part of the
   * write. Of several commits that expect the same version, exactly one succeeds. The `Conflict` names the first record
   * that did not have the expected version, of the changes and then of the version checks. A commit that conflicts does
   * not affect others that run at the same time. Two commits that name the same records in opposite orders both
   * succeed, if their expectations hold. A commit that names a record twice among its changes is `Unavailable`. The new
   * versions are returned in the order of the changes. The written records do not change if parts of the commit are
   * modified afterwards.
   *
   * A commit whose changes have `priorStates` replaces the states of earlier versions. Afterwards, no function returns
   * the replaced texts, and no search finds a record by them. The earlier versions keep everything else, their digests, too.
   * The replaced texts are also deleted from the database, and so are index entries that no record has any more.
   *
   * A commit with a `reindexing` replaces the index entries of its records, and the texts of its parameters, or conflicts. A
   * record without a resource keeps none.
   *
   * `Unavailable` means that nothing of the commit is or will be written, and that it can be tried again. A store that
   * loses its database's response finds out what happened to the commit before it returns. If it cannot, it returns
   * `OutcomeUnknown`: all of the commit may be written, now or after a crash, or nothing. No other function returns
   * `OutcomeUnknown`.
   */
  readonly commit: (commit: Commit) => StoreOutcome<readonly number[]>;

  /**
   * Writes several commits in one transaction of the database, then calls the writes of the host in it, one after the other.
   * All of it is written, or nothing. Each commit is compared with the records after those before it, and its changes are
   * together in the feed. None has `priorStates` or a `reindexing`. Returns what each commit would return.
   *
   * If a write of the host throws or rejects, nothing is written, and the function rejects with the same reason. A store
   * without a connection refuses writes of the host as a `Misuse`.
   */
  readonly commitAll: (
    commits: readonly Commit[],
    writes: readonly HostWrite<Connection>[],
  ) => StoreOutcome<readonly (readonly number[])[]>;

  /** One version of a record, the current one or an earlier one, or null if there is no such version. */
  readonly readVersion: (ref: VersionRef) => StoreOutcome<StoredRecord | null>;

  /**
   * At most `limit` versions of one record, newest first and without a gap; empty if there are none. It costs as much as
   * these versions, however many the record has and however long their texts are.
   */
  readonly history: (range: HistoryRange) => StoreOutcome<readonly StoredVersion[]>;

  /**
   * At most `limit` versions that were committed after the one at `position`, in the order of their commits. The
   * changes of one commit are together, in their order. An entry that has been returned never changes, unless it is
   * erased, and no entry appears before it later.
   */
  readonly changesSince: (options: FeedRange) => StoreOutcome<readonly FeedEntry[]>;

  /**
   * The place of the last version in the feed; null if the feed is empty. Every version that is committed later comes
   * after it. It is as fast as a read of one record, however long the feed is.
   */
  readonly feedEnd: () => StoreOutcome<FeedEnd | null>;

  /**
   * At most `limit` current records, with a resource or without, that were created after the one at `position`, in the
   * order of their creation. A record that is created later comes after all records that have been returned. Each
   * record has its index entries, without repeats and in any order.
   */
  readonly scan: (options: EntryRange) => StoreOutcome<readonly IndexedRecord[]>;

  /** The texts that commits with a `reindexing` have given to parameters; none at first. */
  readonly indexedParameters: () => StoreOutcome<IndexedParameters>;

  /**
   * Finishes what was begun and releases what the store itself opened. Afterwards every function is `Closed`. A search that
   * would take long may be cancelled and is then `Closed`, too. Rejects with a `ClinicalRecordsError` if something cannot be
   * released.
   */
  readonly close: () => Promise<void>;

  /**
   * Only for a store on whose database the host can have a synchronous transaction open: inside of one it is
   * `Unavailable`. Null if no transaction is open. It is called when a function that may write is called.
   */
  readonly begin?: () => StoreOutcome<void> | null;

  /** If there is one, writes that the callback of `records.transaction` makes without its `tx` are refused. */
  readonly callContext?: CallContext;
};
