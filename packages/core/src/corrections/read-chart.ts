import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { ClinicalTask } from '../errors.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createPageReader } from '../verify/page-reader.ts';

/**
 * Reads all records of a patient. It walks through the whole store, because no search finds a record without a resource, such
 * as a note or a staged command.
 */
export const readChart =
  (store: ClinicalStore, patientId: string): ClinicalTask<readonly IndexedRecord[]> =>
  async () => {
    const nextPage = createPageReader(store.scan);
    const chart: IndexedRecord[] = [];
    try {
      for (let isOver = false; !isOver; ) {
        const { entries, isLast } = await nextPage();
        chart.push(...entries.filter((record) => record.patientId === patientId));
        isOver = isLast;
      }
      return E.right(chart);
    } catch (thrown) {
      if (thrown instanceof ClinicalRecordsError) return E.left(thrown.error);
      throw thrown;
    }
  };
