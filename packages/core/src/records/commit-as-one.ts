import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import type { ClinicalStore } from '../store/port.ts';
import { createBufferedStore } from './buffered-store.ts';
import { transact } from './transact.ts';

/** Commits all writes of a function as one. If it returns an error, nothing is written. The function may run several times. */
export const commitAsOne = <A>(
  store: ClinicalStore,
  work: (buffer: ClinicalStore) => Outcome<A>,
): Outcome<A> =>
  transact(store)(async () => {
    const buffer = createBufferedStore(store);
    const done = await work(buffer.store);
    if (E.isLeft(done)) return done;
    const { changes, versionChecks } = buffer.toCommit();
    return E.right({ changes, versionChecks, result: done.right });
  });
