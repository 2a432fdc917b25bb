import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import { lengthOf, sha256 } from '../store/versions.ts';
import type { AuditEntry, AuditedAccess, AuditHead, AuditStore, StoredAuditEntry } from './port.ts';

/** The result of `verify` of an audit log. */
export type AuditVerification = {
  readonly entries: number;
  /** The number of entries that were removed before them by `expire`. */
  readonly removed: number;
  /** The position and the digest of the last entry, as a text to keep. Pass it to a later `verify`. */
  readonly head: string;
  /** Whether the head of an earlier verification is still there, or is the last entry that was removed. True without one. */
  readonly hasFoundHead: boolean;
  /** At most a hundred discrepancies; empty if the log is sound. */
  readonly discrepancies: readonly AuditDiscrepancy[];
};

/** A place in an audit log whose entry is not the one that was appended there. */
export type AuditDiscrepancy = {
  readonly position: number;
  /**
   * `missing`: the log lacks the entry, and no event says that it was removed. `digest`: the entry, or the one before it, was
   * changed or inserted.
   */
  readonly problem: 'missing' | 'digest';
};

/** An entry and the digest before it, as a text that no other entry has. */
const auditDigestContent = (previous: string, entry: AuditEntry & { readonly position: number }): string => {
  const { position, at, by, patientId, access } = entry;
  const lengths = [by, patientId, access].map(lengthOf).join(' ');
  return `${previous} ${position} ${at} ${lengths}\n${by ?? ''}${patientId ?? ''}${access}`;
};

/** The head of a log that has no entry yet, for a comparison with a later one. */
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

const pageSize = 1000;

const maxDiscrepancies = 100;

/** The discrepancies between the entry before and this one. */
const compareWithPrevious = (before: AuditHead, entry: StoredAuditEntry): readonly AuditDiscrepancy[] => {
  const missing = entry.position - before.position - 1;
  // After a gap, the digest before is not known.
  if (missing > 0) {
    return Array.from({ length: Math.min(missing, maxDiscrepancies) }, (_, index) => ({
      position: before.position + 1 + index,
      problem: 'missing',
    }));
  }
  const isNext = missing === 0 && sha256(auditDigestContent(before.digest, entry)) === entry.digest;
  return isNext ? [] : [{ position: entry.position, problem: 'digest' }];
};

/** Whether an entry says that everything up to the start of the log was removed. */
const explains = ({ access }: StoredAuditEntry, start: AuditHead): boolean => {
  if (!access.includes('"expired"')) return false;
  const { expired = '' }: Partial<AuditedAccess> = JSON.parse(access);
  return expired === formatAuditHead(start) || Number.parseInt(expired, 10) > start.position;
};

/** Follows the chain of digests through the whole log. */
export const verifyAudit = async (
  { start: readStart, scan }: Pick<AuditStore, 'start' | 'scan'>,
  expectedHead: string | undefined,
): Outcome<AuditVerification> => {
  const started = await readStart();
  if (E.isLeft(started)) return E.left(toClinicalError(started.left));
  const start = started.right;
  let last = start;
  let entries = 0;
  let isExplained = start.position === 0;
  let hasFoundHead = expectedHead === undefined || expectedHead === formatAuditHead(last);
  const discrepancies: AuditDiscrepancy[] = [];
  // Somebody may have inserted an entry before the first one, whose position is 1.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = await scan({ after, limit: pageSize });
    if (E.isLeft(page)) return E.left(toClinicalError(page.left));
    if (page.right.length === 0) break;
    for (const entry of page.right) {
      discrepancies.push(...compareWithPrevious(last, entry));
      hasFoundHead ||= formatAuditHead(entry) === expectedHead;
      isExplained ||= explains(entry, start);
      if (entry.position > last.position) last = entry;
    }
    entries += page.right.length;
    // A damaged index may return the same entries for ever, each of which is a discrepancy by now.
    const end = Math.max(...page.right.map(({ position }) => position));
    if (end <= after) break;
    after = end;
  }
  if (!isExplained) discrepancies.unshift({ position: start.position, problem: 'missing' });
  return E.right({
    entries,
    removed: start.position,
    head: formatAuditHead(last),
    hasFoundHead,
    discrepancies: discrepancies.slice(0, maxDiscrepancies),
  });
};
