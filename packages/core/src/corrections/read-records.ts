import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { Outcome } from '../errors.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createPageReader } from '../verify/page-reader.ts';

/**
 * Reads all records that are wanted. It walks through the whole store, because no search finds a record without a resource,
 * such as a note or a staged command.
 */
export const readRecords = async (
  store: ClinicalStore,
  isWanted: (record: IndexedRecord) => boolean,
): Outcome<readonly IndexedRecord[]> => {
  const nextPage = createPageReader(store.scan);
  const wanted: IndexedRecord[] = [];
  try {
    for (let isOver = false; !isOver; ) {
      const { entries, isLast } = await nextPage();
      wanted.push(...entries.filter(isWanted));
      isOver = isLast;
    }
    return E.right(wanted);
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError) return E.left(thrown.error);
    throw thrown;
  }
};
