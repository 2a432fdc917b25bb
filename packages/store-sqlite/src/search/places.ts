import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../statement.ts';
import type { Criteria } from './criteria.ts';
import type { Search } from './search.ts';

type End = 'from' | 'until';

/** Where the values of a search go in its SQL: those of the criteria at a place among them. */
export type Places = {
  readonly type: RawBuilder<string>;
  /** The one alternative of an id, a patient or a term, or their list: one place for any number. */
  readonly among: <T>(at: number) => { readonly operator: '=' | 'in'; readonly value: RawBuilder<T> };
  readonly term: (at: number) => RawBuilder<number>;
  readonly time: (at: number) => (alternative: number, end: End) => RawBuilder<number>;
};

const dateAt = ({ criteria }: Search, at: number) => {
  const asked = criteria[at];
  if (asked?.on !== 'date') throw new Error('A search has not the shape of its statement.');
  return asked;
};

export const placesIn = (given: Given<Search>, criteria: readonly Criteria[]): Places => ({
  type: given.from(({ query }) => query.type),
  among: <T>(at: number) =>
    criteria[at]?.anyOf.length === 1
      ? { operator: '=', value: sql<T>`${given.from((search) => search.criteria[at]?.anyOf[0])}` }
      : {
          operator: 'in',
          value: sql<T>`(select value from json_each(${given.from((search) => JSON.stringify(search.criteria[at]?.anyOf))}))`,
        },
  term: (at) => given.from((search) => dateAt(search, at).term),
  time: (at) => (alternative, end) =>
    given.from((search) => dateAt(search, at).anyOf[alternative]?.[end] ?? 0),
});
