import * as E from 'fp-ts/lib/Either.js';
import { erasedError, type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import { isExpectedVersion } from '../store/expected-version.ts';
import type { ClinicalStore, RecordChange, RecordRef, StoreError, VersionCheck } from '../store/port.ts';
import { load, recordExists } from './load.ts';

/**
 * A decision: the changes to write, the version checks for them, and the result. Without changes, nothing is committed, and the
 * version checks are only compared.
 */
export type Decision<A> = {
  readonly changes: readonly RecordChange[];
  readonly versionChecks?: readonly VersionCheck[];
  readonly result: A;
};

/**
 * How often a change is decided in all, if other commits come first. Each time, one of the competitors succeeds. So this is
 * how many may write to one record at the same moment.
 */
const maxAttempts = 200;

/** Whether the records of some version checks are as a decision that changes nothing has read them. */
const areMet = async (store: ClinicalStore, checks: readonly VersionCheck[]): Outcome<boolean> => {
  const read = E.sequenceArray(await Promise.all(checks.map((check) => store.read(check))));
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  return E.right(
    checks.every(({ expects }, index) => isExpectedVersion(expects, read.right[index]?.version ?? null)),
  );
};

/** Whether a commit expects a version of a record that the store does not have. Records never disappear, so the store is damaged. */
const isLost = (
  checks: readonly VersionCheck[],
  { ref, actual }: Extract<StoreError, { readonly _tag: 'Conflict' }>,
): boolean =>
  actual === null &&
  checks.some(({ type, id, expects }) => expects._tag === 'Version' && type === ref.type && id === ref.id);

/** Whether a change creates a record. */
const isCreation = ({ type, id, expects }: RecordChange, ref: RecordRef): boolean =>
  expects._tag === 'Absent' && type === ref.type && id === ref.id;

/**
 * Reads, decides, and commits if no record has changed in the meantime. If one has, it reads and decides again. A commit with
 * an unknown outcome is not repeated, because it may have succeeded.
 */
export const transact =
  (store: ClinicalStore) =>
  async <A>(decide: () => Outcome<Decision<A>>): Outcome<A> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const decided = await decide();
      if (E.isLeft(decided)) return decided;
      const { changes, versionChecks = [], result } = decided.right;
      if (changes.length === 0) {
        const met = await areMet(store, versionChecks);
        if (E.isLeft(met)) return met;
        if (met.right) return E.right(result);
        continue;
      }
      const committed = await store.commit({ changes, versionChecks });
      if (E.isRight(committed)) return E.right(result);
      if (committed.left._tag !== 'Conflict') return E.left(toClinicalError(committed.left));
      if (isLost([...changes, ...versionChecks], committed.left)) {
        return E.left(storeFailure('damaged-store', null));
      }
      const { ref } = committed.left;
      if (!changes.some((change) => isCreation(change, ref))) continue;
      // An erased record was decided as a missing one, and would be so again.
      const existing = await load(store, ref, ref.id);
      if (E.isLeft(existing)) return existing;
      if (!recordExists(existing.right) && existing.right.isErased) return E.left(erasedError);
    }
    return E.left(storeFailure('too-contended', null));
  };
