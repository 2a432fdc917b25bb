import {
  matches,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
  takeMatches,
} from '@clinical-records/core';
import type { Ledger, LedgerRecord } from './ledger.ts';

/** One page of the records that have a resource and match, in the order in which they come. */
export const search = (ledger: Ledger, query: SearchQuery): SearchPage => {
  const matchesQuery = matches(query);
  const isFound = ({ current, index }: LedgerRecord) =>
    current.resource !== null && matchesQuery({ ...current, index });
  const found = ledger.all().filter(isFound);
  return {
    ...takeMatches(matchesFrom(ledger, found, query), query),
    total: query.withTotal ? found.length : null,
  };
};

const matchesFrom = (
  ledger: Ledger,
  found: readonly LedgerRecord[],
  { type, start }: SearchQuery,
): readonly SearchMatch[] => {
  const rest =
    'offset' in start
      ? found.slice(start.offset)
      : found.filter(isAfter(ledger.find({ type, id: start.after })));
  return rest.map(({ current: { id, resource } }) => ({ id, resource }) as SearchMatch);
};

/** Nothing comes after a record that is not there. */
const isAfter =
  (last: LedgerRecord | null) =>
  ({ position }: LedgerRecord): boolean =>
    last !== null && position > last.position;
