import {
  type IndexedRecord,
  matches,
  type SearchPage,
  type SearchQuery,
  takeMatches,
} from '@clinical-records/core/store';
import type { Ledger, LedgerRecord } from './ledger.ts';

type ReadableRecord = IndexedRecord & { readonly resource: string };

/** The records that were created after a record; none if that record does not exist. */
const createdAfter = (
  last: LedgerRecord | null,
  records: readonly IndexedRecord[],
): readonly IndexedRecord[] => (last === null ? [] : records.slice(records.indexOf(last.current) + 1));

/** One page of the records that have a resource and match, in the order of their creation. */
export const search = (ledger: Ledger, query: SearchQuery): SearchPage => {
  const isMatch = matches(query);
  const { type, start, withTotal } = query;
  const isFound = (record: IndexedRecord): record is ReadableRecord =>
    record.resource !== null && isMatch(record);
  const records = ledger.records();
  const results = records.filter(isFound);
  const rest =
    'offset' in start
      ? results.slice(start.offset)
      : createdAfter(ledger.find({ type, id: start.after }), records).filter(isFound);
  const shown = rest.map(({ id, version, at, resource }) => ({ id, version, at, resource }));
  return { ...takeMatches(shown, query), total: withTotal ? results.length : null };
};
