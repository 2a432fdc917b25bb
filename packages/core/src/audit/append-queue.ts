import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { AuditEntry, AuditStore } from './port.ts';

/** The requests of one turn have their answers at its end. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Entries that are written together. */
type Batch = { readonly entries: AuditEntry[]; readonly written: Promise<void> };

/**
 * Appends the entries that come together in one durable write, because the sync is the expensive part. While one write is
 * under way, the next ones are collected. Rejects if the entries cannot be stored.
 */
export const createAppendQueue = ({
  append,
}: Pick<AuditStore, 'append'>): ((entries: readonly AuditEntry[]) => Promise<void>) => {
  let collecting: Batch | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const startBatch = (): Batch => {
    const entries: AuditEntry[] = [];
    const write = lastWrite.then(endOfTurn).then(() => {
      collecting = null;
      return append(entries);
    });
    // A store that rejects, against its port, fails this batch and not all that follow.
    lastWrite = write.catch(() => {});
    const written = write.then((result) => {
      if (E.isLeft(result)) throw new ClinicalRecordsError(result.left);
    });
    return { entries, written };
  };

  return (entries) => {
    collecting ??= startBatch();
    collecting.entries.push(...entries);
    return collecting.written;
  };
};
