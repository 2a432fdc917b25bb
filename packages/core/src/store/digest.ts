import type { FeedEntry, Position } from './port.ts';

/** A damaged store may answer bytes in place of a text, which would be rendered as that text. */
const lengthOf = (text: string | null): string => {
  if (text === null) return '-';
  return typeof text === 'string' ? `${text.length}` : '?';
};

/**
 * What a version says, as one text that no other version has: its numbers, the lengths of its texts, a line feed, and the texts
 * themselves. Lengths, in UTF-16 code units, cost less than to escape what could pass for the end of a text.
 */
export const digestContent = (version: Omit<FeedEntry, 'position' | 'digest'>): string => {
  const { type, id, patientId, by, state, resource } = version;
  const lengths = [type, id, patientId, by, state, resource].map(lengthOf).join(' ');
  return `${version.version} ${version.at} ${lengths}\n${type}${id}${patientId ?? ''}${by ?? ''}${state}${resource ?? ''}`;
};

/** What ties a version to its place in the feed and to all that was committed before it. */
export const digestLink = (previous: string, position: Position, content: string): string =>
  `${previous} ${position} ${content}`;

/**
 * The digest of a version in the feed. `previous` is the digest of the version before it, and empty for the first one.
 *
 * The content of a version is hashed first, and the place after it: so a database can do the second step itself, in the
 * statement that hands out the positions. `sha256` answers the SHA-256 of a text in UTF-8, in hexadecimal digits of lower case.
 */
export const computeDigest = (
  sha256: (text: string) => string,
  previous: string,
  version: Omit<FeedEntry, 'digest'>,
): string => sha256(digestLink(previous, version.position, sha256(digestContent(version))));
