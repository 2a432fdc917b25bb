import { type RecordChange, recordKey } from '@clinical-records/core/store';
import type { JournaledChange, JournalLine } from './ledger.ts';

/** Returns a function that erases the earlier versions of changed records in the lines of a file, one after the other. */
export const eraseIn = (changes: readonly RecordChange[]): ((line: JournalLine) => JournalLine) => {
  const states = new Map(
    changes.flatMap((one) => (one.priorStates === undefined ? [] : [[recordKey(one), [...one.priorStates]]])),
  );
  const erase = (change: JournaledChange): JournaledChange => {
    const state = states.get(recordKey(change))?.shift();
    return state === undefined ? change : { ...change, state, resource: null, index: [] };
  };
  return (line) =>
    'records' in line
      ? {
          ...line,
          records: line.records.map((one) => (states.has(recordKey(one)) ? { ...one, index: [] } : one)),
        }
      : line.map(erase);
};
