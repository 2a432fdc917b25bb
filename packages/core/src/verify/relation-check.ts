import * as E from 'fp-ts/lib/Either.js';
import { orThrow } from '../outcome.ts';
import { type LoadedRecord, load, recordExists } from '../records/load.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { ClinicalStore, IndexedRecord, RecordRef } from '../store/port.ts';
import type { DiscrepancyReason } from './discrepancy.ts';

/** How many existing records are remembered, because the records of a page often refer to the same people. */
const maxRemembered = 10_000;

/** How often records that others write are read until none has changed between two reads. */
const maxReads = 20;

/**
 * Checks that the records to which a record relates exist and are consistent with it. Rejects with a
 * `ClinicalRecordsError`.
 */
export const createRelationCheck = (store: ClinicalStore) => {
  const existing = new Set<string>();

  // A record is committed with or after the records that it refers to. So these can be read by now.
  const exists = async (ref: RecordRef): Promise<boolean> => {
    const name = JSON.stringify([ref.type, ref.id]);
    if (existing.has(name)) return true;
    if ((await orThrow(store.read(ref))) === null) return false;
    if (existing.size >= maxRemembered) existing.clear();
    existing.add(name);
    return true;
  };

  const loadAll = <State>(refs: readonly RecordRef[]): Promise<readonly LoadedRecord<State>[]> =>
    Promise.all(refs.map((ref) => orThrow(load<State>(store, ref, ref.id))));

  const versionsOf = (records: readonly LoadedRecord<unknown>[]): string =>
    records.map(({ stored }) => stored?.version ?? 0).join();

  /** Whether some records are consistent, as they all were at one moment. */
  const areConsistent = async <State>(
    refs: readonly RecordRef[],
    isSound: (states: readonly State[]) => boolean,
  ): Promise<boolean> => {
    let records = await loadAll<State>(refs);
    for (let look = 0; look < maxReads; look++) {
      if (isSound(records.filter(recordExists).map(({ state }) => state))) return true;
      // One record may have been read before a commit and another after it.
      const again = await loadAll<State>(refs);
      if (versionsOf(again) === versionsOf(records)) return false;
      records = again;
    }
    return true;
  };

  return async (
    definition: RecordDefinition<never>,
    { state }: IndexedRecord,
  ): Promise<readonly DiscrepancyReason[]> => {
    const { refersTo, agreement } = definition;
    const related = E.tryCatch(() => {
      const read = JSON.parse(state) as never;
      return { refs: refersTo(read), among: agreement?.among(read) ?? [], alone: agreement?.isSound([read]) };
    }, String);
    if (E.isLeft(related)) return ['state'];
    const { refs, among, alone } = related.right;
    const found: DiscrepancyReason[] = [];
    for (const ref of refs) {
      if (found.length === 0 && !(await exists(ref))) found.push('reference');
    }
    if (alone === false || (agreement !== undefined && !(await areConsistent(among, agreement.isSound)))) {
      found.push('team');
    }
    return found;
  };
};
