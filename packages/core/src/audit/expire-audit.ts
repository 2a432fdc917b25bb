import * as E from 'fp-ts/lib/Either.js';
import { misuse, type Outcome } from '../errors.ts';
import { orThrow, toOutcome } from '../outcome.ts';
import { pause } from '../store/turns.ts';
import { type AuditEntry, type AuditHead, type AuditStore, expiryEntryOf } from './port.ts';

/** Which events to remove from an audit log. */
export type AuditExpiry = {
  /** The time before which the events are, in milliseconds since 1970. */
  readonly until: number;
  /** A reference to the user or the job that removes them, such as `Device/retention`. */
  readonly by: string;
};

/** How many entries are read, or removed, at a time. */
const batchSize = 500;

/** The last of the oldest entries that are before a time; the start if there are none. */
const findLastBefore = async (
  { scan }: Pick<AuditStore, 'scan'>,
  start: AuditHead,
  until: number,
): Promise<AuditHead> => {
  let last = start;
  for (;;) {
    const page = await orThrow(scan({ after: last.position, limit: batchSize }));
    const firstAfter = page.findIndex(({ at }) => at >= until);
    last = (firstAfter === -1 ? page : page.slice(0, firstAfter)).at(-1) ?? last;
    if (firstAfter !== -1 || page.length === 0) return last;
    await pause();
  }
};

const removeBefore = async (
  store: AuditStore,
  append: (entries: readonly AuditEntry[]) => Promise<void>,
  { until, by }: AuditExpiry,
): Promise<{ readonly removed: number }> => {
  const start = await orThrow(store.start());
  const last = await findLastBefore(store, start, until);
  if (last.position === start.position) return { removed: 0 };
  await append([expiryEntryOf(last, { at: Date.now(), by })]);
  for (let { position } = start; position < last.position; ) {
    position = Math.min(position + batchSize, last.position);
    await orThrow(store.removeUntil(position));
    await pause();
  }
  return { removed: last.position - start.position };
};

/**
 * Removes the oldest entries of a log, up to the first one that is not before a time. An entry names the last of them before
 * the first is removed, so that nobody can shorten a log without a trace.
 */
export const expireAudit = async (
  store: AuditStore,
  append: (entries: readonly AuditEntry[]) => Promise<void>,
  { until, by }: AuditExpiry,
): Outcome<{ readonly removed: number }> => {
  if (!Number.isFinite(until)) return E.left(misuse('until must be a time in milliseconds since 1970.'));
  if (by === '') return E.left(misuse('by must be a reference to the user or the job.'));
  return toOutcome(() => removeBefore(store, append, { until, by }));
};
