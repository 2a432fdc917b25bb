import { type RawBuilder, sql } from 'kysely';
import type { Given } from '../statement.ts';
import type { Asked } from './date-conditions.ts';
import type { NumberedCondition, Search } from './search.ts';

/** Where the values of a search go in its SQL; `at` is the place of a condition among all. */
export type Bindings = {
  readonly type: RawBuilder<string>;
  /** Compares with the one alternative of an id, a patient or a term, or with their list: one place for any number. */
  readonly among: (at: number) => RawBuilder<unknown>;
  readonly token: (at: number) => {
    readonly parameter: RawBuilder<string>;
    /** Its criteria: a list of `[system, code]`. */
    readonly list: RawBuilder<string>;
  };
  readonly dates: (at: number) => {
    readonly term: RawBuilder<number>;
    /** The one date that is asked for by the prefix at a place among those of the condition. */
    readonly date: (prefix: number) => Asked;
    /** All dates that are asked for by it: a list of `[from, until]`. */
    readonly list: (prefix: number) => RawBuilder<string>;
  };
};

const conditionAt = <On extends NumberedCondition['on']>(on: On, { conditions }: Search, at: number) => {
  const condition = conditions[at];
  if (condition?.on !== on) throw new Error('A search has not the shape of its statement.');
  return condition as Extract<NumberedCondition, { readonly on: On }>;
};

export const bindingsOf = <Args extends Search>(
  given: Given<Args>,
  conditions: readonly NumberedCondition[],
): Bindings => ({
  type: given.of('type'),
  among: (at) =>
    conditions[at]?.anyOf.length === 1
      ? sql`= ${given.from((search) => search.conditions[at]?.anyOf[0])}`
      : sql`in (select value from json_each(${given.from((search) => JSON.stringify(search.conditions[at]?.anyOf))}))`,
  token: (at) => ({
    parameter: given.from((search) => conditionAt('token', search, at).parameter),
    list: given.from((search) =>
      JSON.stringify(conditionAt('token', search, at).anyOf.map(({ system, code }) => [system, code])),
    ),
  }),
  dates: (at) => {
    const askedBy = (search: Search, prefix: number) =>
      conditionAt('date', search, at).anyOf[prefix]?.anyOf ?? [];
    return {
      term: given.from((search) => conditionAt('date', search, at).term),
      date: (prefix) => ({
        from: given.from((search) => askedBy(search, prefix)[0]?.from ?? 0),
        until: given.from((search) => askedBy(search, prefix)[0]?.until ?? 0),
      }),
      list: (prefix) =>
        given.from((search) =>
          JSON.stringify(askedBy(search, prefix).map(({ from, until }) => [from, until])),
        ),
    };
  },
});
