import { hash } from 'node:crypto';
import { ClinicalRecordsError } from '@clinical-records/core';
import {
  type AuditQuery,
  type AuditStore,
  chainAuditEntries,
  emptyAuditHead,
  type StoredAuditEntry,
  type StoreOutcome,
  storeClosedError,
  unknownPositionError,
} from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';

const isWanted = (value: string | null, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || (value !== null && wanted.includes(value));

const matches = (
  { at, by, patientId, position }: StoredAuditEntry,
  {
    patientIds,
    users,
    from = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    before = Number.POSITIVE_INFINITY,
  }: AuditQuery,
): boolean =>
  isWanted(patientId, patientIds) && isWanted(by, users) && at >= from && at < until && position < before;

/**
 * A store for an audit log that lasts as long as the process: for tests and demos.
 *
 * @example
 * const audit = createAuditLog({ store: createMemoryAuditStore() });
 */
export const createMemoryAuditStore = (): AuditStore => {
  const stored: StoredAuditEntry[] = [];
  let start = emptyAuditHead;
  let closed = false;
  const whileOpen = async <A>(work: () => A): StoreOutcome<A> =>
    closed ? left(storeClosedError) : right(work());
  return {
    append: (entries) =>
      whileOpen(() => {
        const head = stored.at(-1) ?? start;
        for (const entry of chainAuditEntries((text) => hash('sha256', text), head, entries)) {
          stored.push(Object.freeze(entry));
        }
      }),
    search: (query) =>
      whileOpen(() =>
        stored
          .filter((entry) => matches(entry, query))
          .toReversed()
          .slice(0, query.count),
      ),
    scan: ({ after, limit }) =>
      whileOpen(() => stored.filter(({ position }) => position > after).slice(0, limit)),
    start: () => whileOpen(() => start),
    removeUntil: async (position) => {
      if (closed) return left(storeClosedError);
      const last = stored.findIndex((entry) => entry.position === position);
      if (last === -1) return left(unknownPositionError);
      const removed = stored.splice(0, last + 1);
      start = { position, digest: removed.at(-1)?.digest ?? '' };
      return right(undefined);
    },
    close: async () => {
      if (closed) throw new ClinicalRecordsError(storeClosedError);
      closed = true;
    },
  };
};
