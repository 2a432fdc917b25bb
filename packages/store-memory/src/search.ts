import {
  type IndexedRecord,
  type Match,
  matches,
  type Page,
  pageOf,
  type Query,
} from '@clinical-records/core';
import type { Kept, Ledger } from './ledger.ts';

/** Nothing comes after a record that is not there. */
const isAfter =
  (last: Kept | null) =>
  ({ position }: IndexedRecord): boolean =>
    last !== null && position > last.standing.position;

/** One page of the records that have a resource and match; they come and stay in the order of their creation. */
export const search = (ledger: Ledger, query: Query): Page => {
  const asked = matches(query);
  const { type, start, withTotal } = query;
  const found = ledger.records().filter((record) => record.resource !== null && asked(record));
  const rest =
    'offset' in start
      ? found.slice(start.offset)
      : found.filter(isAfter(ledger.find({ type, id: start.after })));
  const shown = rest.map(({ id, resource }) => ({ id, resource }) as Match);
  return { ...pageOf(shown, query), total: withTotal ? found.length : null };
};
