import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import { sha256 } from '../sha256.ts';
import { type AuditHead, auditDigestContent, emptyAuditHead } from './digest.ts';
import type { AuditStore, StoredAuditEntry } from './port.ts';

/** A place in an audit log whose entry is not the one that was appended there. */
export type AuditDiscrepancy = {
  readonly position: number;
  /** `missing`: the log lacks the entry. `digest`: the entry, or the one before it, was changed or inserted. */
  readonly problem: 'missing' | 'digest';
};

/** The result of `verify` of an audit log. */
export type AuditVerification = {
  /** The number of entries. */
  readonly entries: number;
  /** The position and the digest of the last entry, as a text to keep. Pass it to a later `verify`. */
  readonly head: string;
  /** Whether the head of an earlier verification is still there. True without one. */
  readonly hasFoundHead: boolean;
  /** At most a hundred discrepancies; empty if the log is sound. */
  readonly discrepancies: readonly AuditDiscrepancy[];
};

const pageSize = 1000;
const maxDiscrepancies = 100;

const headOf = ({ position, digest }: AuditHead): string => `${position}:${digest}`;

/** The discrepancies between the entry before and this one. */
const compare = (before: AuditHead, entry: StoredAuditEntry): readonly AuditDiscrepancy[] => {
  const missing = entry.position - before.position - 1;
  // After a gap, the digest before is not known.
  if (missing > 0) {
    return Array.from({ length: Math.min(missing, maxDiscrepancies) }, (_, at) => ({
      position: before.position + 1 + at,
      problem: 'missing',
    }));
  }
  const isNext = missing === 0 && sha256(auditDigestContent(before.digest, entry)) === entry.digest;
  return isNext ? [] : [{ position: entry.position, problem: 'digest' }];
};

/** Follows the chain of digests through the whole log. */
export const verifyAudit = async (
  { scan }: Pick<AuditStore, 'scan'>,
  expectedHead: string | undefined,
): Outcome<AuditVerification> => {
  let last = emptyAuditHead;
  let entries = 0;
  let hasFoundHead = expectedHead === undefined || expectedHead === headOf(last);
  const discrepancies: AuditDiscrepancy[] = [];
  // Somebody may have inserted an entry before the first one, whose position is 1.
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = await scan({ after, limit: pageSize });
    if (E.isLeft(page)) return E.left(toClinicalError(page.left));
    if (page.right.length === 0) break;
    for (const entry of page.right) {
      discrepancies.push(...compare(last, entry));
      hasFoundHead ||= headOf(entry) === expectedHead;
      if (entry.position > last.position) last = entry;
    }
    entries += page.right.length;
    // A damaged index may return the same entries for ever, each of which is a discrepancy by now.
    const end = Math.max(...page.right.map(({ position }) => position));
    if (end <= after) break;
    after = end;
  }
  return E.right({
    ...{ entries, head: headOf(last), hasFoundHead },
    discrepancies: discrepancies.slice(0, maxDiscrepancies),
  });
};
