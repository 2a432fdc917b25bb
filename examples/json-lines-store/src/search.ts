import { type Match, matches, type Page, pageOf, type Query } from '@clinical-records/core';
import type { Kept, Ledger } from './ledger.ts';

/** One page of the records that have a resource and match, in the order in which they come. */
export const search = (ledger: Ledger, query: Query): Page => {
  const asked = matches(query);
  const isFound = ({ current, index }: Kept) => current.resource !== null && asked({ ...current, index });
  const found = ledger.all().filter(isFound);
  return {
    ...pageOf(matchesFrom(ledger, found, query), query),
    total: query.withTotal ? found.length : null,
  };
};

const matchesFrom = (ledger: Ledger, found: readonly Kept[], { type, start }: Query): readonly Match[] => {
  const rest =
    'offset' in start
      ? found.slice(start.offset)
      : found.filter(isAfter(ledger.find({ type, id: start.after })));
  return rest.map(({ current: { id, resource } }) => ({ id, resource }) as Match);
};

/** Nothing comes after a record that is not there. */
const isAfter =
  (last: Kept | null) =>
  ({ position }: Kept): boolean =>
    last !== null && position > last.position;
