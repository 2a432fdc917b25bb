import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { unknownPositionError } from './errors.ts';
import type {
  EntryRange,
  FeedEnd,
  FeedEntry,
  FeedRange,
  HistoryRange,
  Position,
  StoredRecord,
  StoredResource,
  StoredVersion,
  VersionCheck,
} from './port.ts';
import type { StoreError } from './store-error.ts';

const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/**
 * How far a feed was read, as a text that JSON can carry. It is opaque. It holds the position of a version in the store
 * and the digest there, so that it is not mistaken for a position in another feed.
 */
export type FeedPosition = string & {
  /** Only for the compiler. */
  readonly '~brand': 'FeedPosition';
};

/** Before the first version. */
export const feedStart = ':' as FeedPosition;

export const feedPositionOf = ({ position, digest }: Pick<FeedEntry, 'position' | 'digest'>): FeedPosition =>
  `${position}:${digest}` as FeedPosition;

/** Where a store continues; null for a text that is not a `FeedPosition`. */
export const parseFeedPosition = (text: unknown): Pick<FeedRange, 'position' | 'digest'> | null => {
  if (text === feedStart) return {};
  const [, position, digest] = /^(.+):([\da-f]{64})$/s.exec(typeof text === 'string' ? text : '') ?? [];
  return position === undefined ? null : { position: position as Position, digest };
};

/** The position of the n-th entry, for a store that counts entries from 1. */
export const countedPosition = (count: number): Position => `${count}` as Position;

/** The count in a `countedPosition`; 0 for undefined, and null for any other text. */
export const countAt = (position: Position | undefined): number | null => {
  if (position === undefined) return 0;
  const count = Number(position);
  return Number.isInteger(count) && count > 0 && countedPosition(count) === position ? count : null;
};

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256 = (text: string): string =>
  // biome-ignore lint/style/noRestrictedGlobals: WebCrypto takes a promise and a job of a thread for each text.
  process.getBuiltinModule('node:crypto').hash('sha256', text);

/** The state of a version that was erased. It has the hash of the former content, so that the chain of digests holds. */
export const erasedState = (contentHash: string): string => `{"erased":"${contentHash}"}`;

/** The hash of the former content of a version that was erased; null for any other version. */
export const erasedHash = ({ state, resource }: Pick<StoredRecord, 'state' | 'resource'>): string | null => {
  if (resource !== null || typeof state !== 'string' || !state.startsWith('{"erased":"')) return null;
  return /^\{"erased":"([\da-f]{64})"\}$/.exec(state)?.[1] ?? null;
};

/** A damaged store may return bytes instead of a text, and they would be rendered as that text. */
export const lengthOf = (text: string | null): string => {
  if (text === null) return '-';
  return typeof text === 'string' ? `${text.length}` : '?';
};

/**
 * The content of a version as a text that no other version has: its numbers, the lengths of its texts, a line feed, and
 * the texts. Writing lengths, in UTF-16 code units, is cheaper than escaping a separator.
 */
const digestContent = (version: Omit<FeedEntry, 'position' | 'digest'>): string => {
  const { type, id, patientId, by, state, resource } = version;
  const lengths = `${lengthOf(type)} ${lengthOf(id)} ${lengthOf(patientId)} ${lengthOf(by)} ${lengthOf(state)} ${lengthOf(resource)}`;
  return `${version.version} ${version.at} ${lengths}\n${type}${id}${patientId ?? ''}${by ?? ''}${state}${resource ?? ''}`;
};

/** The SHA-256 of the content of a version; of an erased one, the hash that it had before. */
export const hashContent = (
  sha256: (text: string) => string,
  version: Omit<FeedEntry, 'position' | 'digest'>,
): string => erasedHash(version) ?? sha256(digestContent(version));

/** Links a version to its position in the feed and to everything that was committed before it. */
const digestLink = (previous: string, position: Position, content: string): string =>
  `${previous} ${position} ${content}`;

/**
 * The digest of a version in the feed. `previous` is the digest of the version before it, and empty for the first
 * version.
 *
 * The content is hashed first, and then its hash with the position. So a database can do the second step itself, in the
 * statement that assigns the positions. The function `sha256` must return the SHA-256 of a text in UTF-8, in lower-case hexadecimal
 * digits.
 */
export const computeDigest = (
  sha256: (text: string) => string,
  previous: string,
  version: Omit<FeedEntry, 'digest'>,
): string => sha256(digestLink(previous, version.position, hashContent(sha256, version)));

/** The version that a write requires of the record it replaces. */
export type ExpectedVersion =
  | {
      /** The record must not exist. */
      readonly _tag: 'Absent';
    }
  | {
      /** The record must have one version. */
      readonly _tag: 'Version';
      /** That version. Versions count from 1. */
      readonly version: number;
    }
  | {
      /** The record may have any version, or not exist. */
      readonly _tag: 'Any';
    };

/** The record must not exist yet. */
export const noVersion: ExpectedVersion = { _tag: 'Absent' };

/** The record may have any version, or not exist. */
export const anyVersion: ExpectedVersion = { _tag: 'Any' };

/** The record must have exactly this version. Versions count from 1. */
export const exactVersion = (version: number): ExpectedVersion => ({ _tag: 'Version', version });

/** Whether a record at version `actual`, or null if there is none, meets an expectation. */
export const isExpectedVersion = (expected: ExpectedVersion, actual: number | null): boolean => {
  switch (expected._tag) {
    case 'Absent':
      return actual === null;
    case 'Version':
      return actual === expected.version;
    case 'Any':
      return true;
  }
};

/**
 * The conflict of a change or a version check with a record at version `actual`, or null if there is none. Returns null
 * if it is met.
 */
export const findConflict = (
  { type, id, expects }: VersionCheck,
  actual: number | null,
): StoreError | null =>
  isExpectedVersion(expects, actual) ? null : { _tag: 'Conflict', ref: { type, id }, actual };

/** The result of `readResource` for a record: its resource, or null if it has none. */
export const toStoredResource = ({
  patientId,
  version,
  at,
  resource,
}: StoredRecord): StoredResource | null => (resource === null ? null : { patientId, version, at, resource });

const toStoredVersion = ({ patientId, version, at, by, resource }: StoredRecord): StoredVersion => ({
  patientId,
  version,
  at,
  by,
  bytes: resource === null ? null : bytesOf(resource),
});

/** A range of a history, of all the versions of a record, newest first. */
export const versionsInRange = (
  versions: readonly StoredRecord[],
  { before = Number.POSITIVE_INFINITY, limit }: Pick<HistoryRange, 'before' | 'limit'>,
): readonly StoredVersion[] =>
  versions
    .filter(({ version }) => version < before)
    .slice(0, limit)
    .map(toStoredVersion);

/** The first entries, up to the one that ends the page. It does not ask the iterator for more. */
export const takeEntries = <EntryTexts extends Pick<StoredRecord, 'state' | 'resource'>>(
  entries: Iterable<EntryTexts>,
  { limit, bytes = Number.POSITIVE_INFINITY }: Pick<EntryRange, 'limit' | 'bytes'>,
): readonly EntryTexts[] => {
  const page: EntryTexts[] = [];
  if (limit <= 0) return page;
  let length = 0;
  for (const entry of entries) {
    page.push(entry);
    length += entry.state.length + (entry.resource?.length ?? 0);
    if (page.length >= limit || length >= bytes) break;
  }
  return page;
};

type EntryTexts = Pick<StoredRecord, 'state' | 'resource'> & { readonly digest?: string };

/** A range of all the entries of a feed or of a scan, each of which has a `countedPosition`. */
export const entriesInRange = <E extends EntryTexts>(
  entries: readonly E[],
  range: FeedRange,
): Either<StoreError, readonly E[]> => {
  const { position, digest } = range;
  const count = countAt(position);
  const isKnown = count !== null && count <= entries.length;
  return isKnown && (digest === undefined || entries[count - 1]?.digest === digest)
    ? right(takeEntries(entries.values().drop(count), range))
    : left(unknownPositionError);
};

/** The end of a feed, of all the entries. */
export const feedEndOf = (entries: readonly FeedEntry[]): FeedEnd | null => {
  const last = entries.at(-1);
  return last === undefined ? null : { position: last.position, digest: last.digest };
};
