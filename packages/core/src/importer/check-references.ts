import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import { exactVersion } from '../store/expected-version.ts';
import type { ClinicalStore, RecordRef, VersionCheck } from '../store/port.ts';

/**
 * The version checks of the records to which a record refers, except records that change with it. A record may have been read
 * long ago, and its chart may have been merged or erased since.
 */
export const checkReferences = async (
  store: ClinicalStore,
  refs: readonly RecordRef[],
  changes: readonly RecordRef[],
): Outcome<readonly VersionCheck[]> => {
  const versionChecks: VersionCheck[] = [];
  for (const { type, id } of refs) {
    if (changes.some((change) => change.type === type && change.id === id)) continue;
    const found = await store.read({ type, id });
    if (E.isLeft(found)) return E.left(toClinicalError(found.left));
    if (found.right !== null) versionChecks.push({ type, id, expects: exactVersion(found.right.version) });
  }
  return E.right(versionChecks);
};
