import type { AuditEntry, AuditHead, StoredAuditEntry } from './port.ts';

const lengthOf = (text: string | null): string => (text === null ? '-' : `${text.length}`);

/** An entry and the digest before it, as a text that no other entry has. */
export const auditDigestContent = (
  previous: string,
  entry: AuditEntry & { readonly position: number },
): string => {
  const { position, at, by, patientId, access } = entry;
  const lengths = [by, patientId, access].map(lengthOf).join(' ');
  return `${previous} ${position} ${at} ${lengths}\n${by ?? ''}${patientId ?? ''}${access}`;
};

/** The head of an empty log. */
export const emptyAuditHead: AuditHead = { position: 0, digest: '' };

/** A head as a text to keep. */
export const formatAuditHead = ({ position, digest }: AuditHead): string => `${position}:${digest}`;

/**
 * Gives entries their positions and their digests. The function `sha256` must return the SHA-256 of a text in UTF-8, in
 * lower-case hexadecimal digits.
 */
export const chainAuditEntries = (
  sha256: (text: string) => string,
  { position: last, digest }: AuditHead,
  entries: readonly AuditEntry[],
): readonly StoredAuditEntry[] => {
  let previous = digest;
  return entries.map((entry, index) => {
    const placed = { ...entry, position: last + index + 1 };
    previous = sha256(auditDigestContent(previous, placed));
    return { ...placed, digest: previous };
  });
};
