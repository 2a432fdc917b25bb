import type { FeedEntry, Position, StoredRecord } from './port.ts';

/** The state of a version that was erased. It has the hash of the former content, so that the chain of digests holds. */
export const erasedState = (contentHash: string): string => `{"erased":"${contentHash}"}`;

/** The hash of the former content of a version that was erased; null for any other version. */
export const erasedHash = ({ state, resource }: Pick<StoredRecord, 'state' | 'resource'>): string | null => {
  if (resource !== null || typeof state !== 'string' || !state.startsWith('{"erased":"')) return null;
  return /^\{"erased":"([\da-f]{64})"\}$/.exec(state)?.[1] ?? null;
};

/** A damaged store may return bytes instead of a text, and they would be rendered as that text. */
const lengthOf = (text: string | null): string => {
  if (text === null) return '-';
  return typeof text === 'string' ? `${text.length}` : '?';
};

/**
 * The content of a version as a text that no other version has: its numbers, the lengths of its texts, a line feed, and
 * the texts. Writing lengths, in UTF-16 code units, is cheaper than escaping a separator.
 */
export const digestContent = (version: Omit<FeedEntry, 'position' | 'digest'>): string => {
  const { type, id, patientId, by, state, resource } = version;
  const lengths = [type, id, patientId, by, state, resource].map(lengthOf).join(' ');
  return `${version.version} ${version.at} ${lengths}\n${type}${id}${patientId ?? ''}${by ?? ''}${state}${resource ?? ''}`;
};

/** The SHA-256 of the content of a version; of an erased one, the hash that it had before. */
export const hashContent = (
  sha256: (text: string) => string,
  version: Omit<FeedEntry, 'position' | 'digest'>,
): string => erasedHash(version) ?? sha256(digestContent(version));

/** Links a version to its position in the feed and to everything that was committed before it. */
export const digestLink = (previous: string, position: Position, content: string): string =>
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
