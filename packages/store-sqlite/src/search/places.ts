import type { Interval } from '@clinical-records/core';
import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../statement.ts';
import type { Wanted } from './date-alternatives.ts';
import type { NumberedCondition, Search } from './search.ts';

/** Where the values of a search go in its SQL; `at` is the place of a condition among all. */
export type Places = {
  readonly type: RawBuilder<string>;
  /** The one alternative of an id, a patient or a term, or their list: one place for any number. */
  readonly among: <T>(at: number) => { readonly operator: '=' | 'in'; readonly value: RawBuilder<T> };
  readonly dates: (at: number) => {
    readonly term: RawBuilder<number>;
    /** The one time that is wanted by the prefix at a place among those asked for. */
    readonly time: (prefix: number) => Wanted;
    /** All times that are wanted by it: a list of `[from, until, after]`. */
    readonly times: (prefix: number) => RawBuilder<string>;
  };
};

const dateAt = ({ conditions }: Search, at: number) => {
  const asked = conditions[at];
  if (asked?.on !== 'date') throw new Error('A search has not the shape of its statement.');
  return asked;
};

const listOf = (times: readonly Interval[]): string =>
  JSON.stringify(
    times.map(({ from, until }, at) => [from, until, times[at - 1]?.until ?? Number.MIN_SAFE_INTEGER]),
  );

export const placesIn = (given: Given<Search>, conditions: readonly NumberedCondition[]): Places => ({
  type: given.of('type'),
  among: <T>(at: number) =>
    conditions[at]?.anyOf.length === 1
      ? { operator: '=', value: sql<T>`${given.from((search) => search.conditions[at]?.anyOf[0])}` }
      : {
          operator: 'in',
          value: sql<T>`(select value from json_each(${given.from((search) => JSON.stringify(search.conditions[at]?.anyOf))}))`,
        },
  dates: (at) => {
    const wanted = (search: Search, prefix: number) => dateAt(search, at).anyOf[prefix]?.anyOf ?? [];
    return {
      term: given.from((search) => dateAt(search, at).term),
      time: (prefix) => ({
        from: given.from((search) => wanted(search, prefix)[0]?.from ?? 0),
        until: given.from((search) => wanted(search, prefix)[0]?.until ?? 0),
        after: null,
      }),
      times: (prefix) => given.from((search) => listOf(wanted(search, prefix))),
    };
  },
});
