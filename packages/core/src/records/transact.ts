import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalTask, storeFailure, toClinicalError } from '../errors.ts';
import type { ClinicalStore, RecordChange, VersionCheck } from '../store/port.ts';

/** What was decided: what to write, what that relies on, and what to answer. Without changes nothing is committed. */
export type Decision<A> = {
  readonly changes: readonly RecordChange[];
  readonly versionChecks?: readonly VersionCheck[];
  readonly result: A;
};

/**
 * How often a change is decided anew when another got there first. Each time, one of the competitors gets
 * through: so this is how many may write to one record at the same moment.
 */
const maxAttempts = 200;

/**
 * Reads and decides, and commits if nothing has moved on in the meantime; if something has, reads and decides again. A commit
 * whose outcome is unknown is not tried again, since it may have landed.
 */
export const transact =
  (store: ClinicalStore) =>
  <A>(decide: ClinicalTask<Decision<A>>): ClinicalTask<A> =>
  async () => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const decided = await decide();
      if (E.isLeft(decided)) return decided;
      const { changes, versionChecks = [], result } = decided.right;
      if (changes.length === 0) return E.right(result);
      const committed = await store.commit({ changes, versionChecks })();
      if (E.isRight(committed)) return E.right(result);
      if (committed.left._tag !== 'Conflict') return E.left(toClinicalError(committed.left));
    }
    return E.left(storeFailure('too-contended', null));
  };
