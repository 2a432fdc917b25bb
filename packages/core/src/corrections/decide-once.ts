import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import { type Correction, correctionFacts } from '../records/correction.ts';
import type { RequestKey } from '../records/idempotency.ts';
import type { Decision, JudgedStore } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';

/** A correction, and whether its request was done before, so that nothing was written. */
export type MadeCorrection = Correction & { readonly isUnwritten?: true };

/** The store on which a correction with a key is decided: its commit also writes the key, with the warnings that were told. */
export const withKey = (store: JudgedStore, key: RequestKey | null): JudgedStore => {
  if (key === null) return store;
  return {
    ...store,
    judge: async (judged, changes, cause) => {
      const verdict = await (store.judge?.(judged, changes, cause) ??
        E.right({ warnings: [], changes: [], versionChecks: [] }));
      const made = changes.find(({ type }) => type === correctionFacts.type);
      if (E.isLeft(verdict) || verdict.right === null || made === undefined) return verdict;
      const { warnings } = verdict.right;
      const change = key.change({
        ...{ id: made.id, patientId: null, version: 1, lastModified: made.at, json: '' },
        ...(warnings.length > 0 && { warnings }),
      });
      return E.right({ ...verdict.right, changes: [...verdict.right.changes, change] });
    },
  };
};

/** Decides a correction, unless a request with the same key has made it. */
export const decideOnce =
  (store: ClinicalStore, key: RequestKey | null, decide: () => Outcome<Decision<Correction>>) =>
  async (): Outcome<Decision<MadeCorrection>> => {
    if (key === null) return decide();
    const findFirst = async (): Outcome<Decision<MadeCorrection> | null> => {
      const stored = await store.read(key.ref);
      if (E.isLeft(stored)) return E.left(toClinicalError(stored.left));
      const found = await (key.resultOf(store, stored.right) ?? E.right(null));
      if (E.isLeft(found) || found.right === null) return found as E.Either<never, null>;
      const { json, warnings } = found.right;
      const result = { ...JSON.parse(json), isUnwritten: true, ...(warnings && { warnings }) };
      return E.right({ changes: [], result });
    };
    const first = await findFirst();
    if (E.isLeft(first)) return first;
    if (first.right !== null) return E.right(first.right);
    const decided = await decide();
    if (E.isRight(decided)) return decided;
    // The first request may have been written since, and be the reason.
    const since = await findFirst();
    return E.isLeft(since) ? since : since.right === null ? decided : E.right(since.right);
  };
