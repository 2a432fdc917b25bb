import {
  matches,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  takeMatches,
} from '@clinical-records/core/store';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** One page of the records that have a resource and match, in the order of their creation. */
export const search = (ledger: Ledger, query: SearchQuery): SearchPage => {
  const { type, start } = query;
  const matchesQuery = matches(query);
  const isFound = ({ current, index }: LedgerRecord) =>
    current.resource !== null && matchesQuery({ ...current, index });
  const records = ledger.all();
  const found = records.filter(isFound);
  const rest =
    'offset' in start
      ? found.slice(start.offset)
      : createdAfter(ledger.find({ type, id: start.after }), records).filter(isFound);
  const shown = rest.map(
    ({ current: { id, version, at, resource } }) => ({ id, version, at, resource }) as SearchMatch,
  );
  return { ...takeMatches(shown, query), total: query.withTotal ? found.length : null };
};

/** Nothing comes after a record that does not exist. */
const createdAfter = (
  last: LedgerRecord | null,
  records: readonly LedgerRecord[],
): readonly LedgerRecord[] => (last === null ? [] : records.slice(records.indexOf(last) + 1));
