import {
  type IndexedRecord,
  matches,
  type OrderedQuery,
  orderMatches,
  type SearchPage,
  type SearchQuery,
  takeMatches,
  timeOf,
} from '@clinical-records/core/store';
import type { Ledger, LedgerRecord } from './ledger.ts';

type ReadableRecord = IndexedRecord & { readonly resource: string };

/** The records that were created after a record; none if that record does not exist. */
const createdAfter = (
  last: LedgerRecord | null,
  records: readonly IndexedRecord[],
): readonly IndexedRecord[] => (last === null ? [] : records.slice(records.indexOf(last.current) + 1));

const isFoundBy = (query: Pick<SearchQuery, 'type' | 'conditions'>) => {
  const isMatch = matches(query);
  return (record: IndexedRecord): record is ReadableRecord => record.resource !== null && isMatch(record);
};

const toMatch = ({ id, version, at, resource }: ReadableRecord) => ({ id, version, at, resource });

/** One page of the records that have a resource and match, in the order of their creation. */
export const search = (ledger: Ledger, query: SearchQuery): SearchPage => {
  const isFound = isFoundBy(query);
  const { type, start, withTotal } = query;
  const records = ledger.records();
  const results = records.filter(isFound);
  const rest =
    'offset' in start
      ? results.slice(start.offset)
      : createdAfter(ledger.find({ type, id: start.after }), records).filter(isFound);
  return { ...takeMatches(rest.map(toMatch), query), total: withTotal ? results.length : null };
};

/** One page of them in the order of a time. */
export const searchInOrder = (ledger: Ledger, query: OrderedQuery): SearchPage => {
  const records = ledger.records();
  const isFound = isFoundBy(query);
  const results = records.flatMap((record, place) =>
    isFound(record) ? [{ match: toMatch(record), time: timeOf(query.order)(record), place }] : [],
  );
  const rest = orderMatches(results, query, (id) => {
    const last = ledger.find({ type: query.type, id });
    return last && records.indexOf(last.current);
  });
  return {
    ...takeMatches(
      rest.map(({ match }) => match),
      query,
    ),
    total: query.withTotal ? results.length : null,
  };
};
