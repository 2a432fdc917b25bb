import {
  type IndexedRecord,
  matches,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  takeMatches,
} from '@clinical-records/core';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** Nothing comes after a record that is not there. */
const isAfter =
  (last: LedgerRecord | null) =>
  ({ position }: IndexedRecord): boolean =>
    last !== null && position > last.current.position;

/** One page of the records that have a resource and match; they come and stay in the order of their creation. */
export const search = (ledger: Ledger, query: SearchQuery): SearchPage => {
  const isMatch = matches(query);
  const { type, start, withTotal } = query;
  const found = ledger.records().filter((record) => record.resource !== null && isMatch(record));
  const rest =
    'offset' in start
      ? found.slice(start.offset)
      : found.filter(isAfter(ledger.find({ type, id: start.after })));
  const shown = rest.map(({ id, resource }) => ({ id, resource }) as SearchMatch);
  return { ...takeMatches(shown, query), total: withTotal ? found.length : null };
};
