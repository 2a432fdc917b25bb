import { type RawBuilder, sql } from 'kysely';
import type { Placeholders } from '../prepare-statement.ts';
import type { DateBounds } from './date-conditions.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

/** Where the values of a search go in its SQL; `at` is the place of a condition among all. */
export type Bindings = {
  readonly type: RawBuilder<string>;
  /** Compares with the one alternative of an id, a patient or a term, or with their list: one place for any number. */
  readonly equalsAny: (at: number) => RawBuilder<unknown>;
  readonly token: (at: number) => {
    readonly parameter: RawBuilder<string>;
    /** Its criteria: a list of `[system, code]`. */
    readonly list: RawBuilder<string>;
  };
  readonly dates: (at: number) => {
    readonly term: RawBuilder<number>;
    /** The one date that is asked for by the prefix at a place among those of the condition. */
    readonly date: (prefix: number) => DateBounds;
    /** All dates that are asked for by it: a list of `[from, until]`. */
    readonly list: (prefix: number) => RawBuilder<string>;
  };
};

const conditionAt = <On extends ResolvedCondition['on']>(
  on: On,
  { conditions }: ResolvedQuery,
  at: number,
) => {
  const condition = conditions[at];
  if (condition?.on !== on) throw new Error('A search has not the shape of its statement.');
  return condition as Extract<ResolvedCondition, { readonly on: On }>;
};

export const createBindings = <Args extends ResolvedQuery>(
  placeholder: Placeholders<Args>,
  conditions: readonly ResolvedCondition[],
): Bindings => ({
  type: placeholder.of('type'),
  equalsAny: (at) =>
    conditions[at]?.anyOf.length === 1
      ? sql`= ${placeholder.from((search) => search.conditions[at]?.anyOf[0])}`
      : sql`in (select value from json_each(${placeholder.from((search) => JSON.stringify(search.conditions[at]?.anyOf))}))`,
  token: (at) => ({
    parameter: placeholder.from((search) => conditionAt('token', search, at).parameter),
    list: placeholder.from((search) =>
      JSON.stringify(conditionAt('token', search, at).anyOf.map(({ system, code }) => [system, code])),
    ),
  }),
  dates: (at) => {
    const datesOf = (search: ResolvedQuery, prefix: number) =>
      conditionAt('date', search, at).anyOf[prefix]?.anyOf ?? [];
    return {
      term: placeholder.from((search) => conditionAt('date', search, at).term),
      date: (prefix) => ({
        from: placeholder.from((search) => datesOf(search, prefix)[0]?.from ?? 0),
        until: placeholder.from((search) => datesOf(search, prefix)[0]?.until ?? 0),
      }),
      list: (prefix) =>
        placeholder.from((search) =>
          JSON.stringify(datesOf(search, prefix).map(({ from, until }) => [from, until])),
        ),
    };
  },
});
