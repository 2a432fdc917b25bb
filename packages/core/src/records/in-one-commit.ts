import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../errors.ts';
import type { ClinicalStore } from '../store/port.ts';
import { createDraft } from './draft.ts';
import { transact } from './transact.ts';

/** Commits all that a piece of work writes as one; of work that is refused, nothing is written. It may run several times. */
export const inOneCommit = <A>(store: ClinicalStore, work: (draft: ClinicalStore) => Result<A>): Result<A> =>
  transact(store)(async () => {
    const draft = createDraft(store);
    const done = await work(draft.store)();
    if (E.isLeft(done)) return done;
    const { changes, premises } = draft.commit();
    return E.right({ changes, premises, answer: done.right });
  });
