import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { AuditEntry, AuditStore } from './port.ts';

type Waiting = {
  readonly entries: readonly AuditEntry[];
  readonly resolve: () => void;
  readonly reject: (cause: Error) => void;
};

/**
 * Appends the entries that come together in one durable write, because the sync is the expensive part. While one write is
 * under way, the next ones are collected. Rejects if the entries cannot be stored.
 */
export const createAppendQueue = ({
  append,
}: Pick<AuditStore, 'append'>): ((entries: readonly AuditEntry[]) => Promise<void>) => {
  let waiting: Waiting[] = [];
  let isPlanned = false;

  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const written = await append(batch.flatMap(({ entries }) => entries))();
    for (const { resolve, reject } of batch) {
      if (E.isLeft(written)) reject(new ClinicalRecordsError(written.left));
      else resolve();
    }
    isPlanned = false;
    if (waiting.length > 0) plan();
  };
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    // The requests of one turn have their answers at its end.
    setImmediate(() => void write());
  };

  return (entries) =>
    new Promise((resolve, reject) => {
      waiting.push({ entries, resolve, reject });
      plan();
    });
};
