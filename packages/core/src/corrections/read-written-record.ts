import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { CorrectedRecord } from '../records/correction.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';

/**
 * The record that a change writes, with its new version. A part of a care team expects any version, because the active part
 * guards it. So its present version is read.
 */
export const readWrittenRecord =
  (store: ClinicalStore) =>
  async ({ type, id, expects }: RecordChange): Outcome<CorrectedRecord> => {
    if (expects._tag === 'Version') return E.right({ type, id, version: expects.version + 1 });
    const before = await store.read({ type, id });
    if (E.isLeft(before)) return E.left(toClinicalError(before.left));
    return E.right({ type, id, version: (before.right?.version ?? 0) + 1 });
  };
