import type { FeedEntry, Position } from './port.ts';

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
): string => sha256(digestLink(previous, version.position, sha256(digestContent(version))));
