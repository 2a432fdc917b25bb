import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { longestShortDate } from '../schema.ts';
import type { Placeholder } from '../statement.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

type DateComparison = (typeof dateComparisons)['eq']['comparisons'][number];

type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

/**
 * A comparison with a bound of `dates`. No date begins after its end, and few are long. So a date that ends before a
 * time begins before it. A date that ends after a time is long, or it begins soon before that time or later. Each of these
 * has an index.
 */
const compare = ([bound, operator, than]: DateComparison, bounds: DateBounds): RawBuilder<SqlBool> => {
  const time = bounds[than];
  const isSo = (column: 'from' | 'until', compared: RawBuilder<number>) =>
    sql<SqlBool>`dates.${sql.id(column)} ${sql.raw(operator)} ${compared}`;
  if (bound === 'from') return isSo('from', time);
  const longest = sql.lit(longestShortDate);
  const begins = operator.startsWith('<')
    ? isSo('from', time)
    : sql`(${isSo('from', sql`${time} - ${longest}`)} or dates."until" - dates."from" > ${longest})`;
  return sql`(${isSo('until', time)} and ${begins})`;
};

/** The core's `dateMatches` for an interval `dates`. */
const prefixMatches = (prefix: MergedDate['prefix'], bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map((comparison) => compare(comparison, bounds));
  return sql`(${sql.join(parts, sql.raw(` ${join} `))})`;
};

const listedBounds: DateBounds = { from: sql`asked."from"`, until: sql`asked."until"` };

type DateCondition = Extract<ResolvedCondition, { readonly on: 'date' | 'at' }>;

/** Whether an interval `dates` of a condition's term is one that the condition asks for. */
export const dateFits = (
  placeholder: Placeholder<ResolvedQuery>,
  { anyOf }: DateCondition,
  at: number,
): RawBuilder<SqlBool> => {
  const datesOf = (query: ResolvedQuery, group: number): readonly MergedDate[] =>
    (query.conditions[at] as DateCondition).anyOf[group]?.anyOf ?? [];
  const groupFits = ({ prefix, anyOf: dates }: DateGroup, group: number) => {
    if (dates.length === 1) {
      return prefixMatches(prefix, {
        from: placeholder('bigint', (query) => datesOf(query, group)[0]?.from),
        until: placeholder('bigint', (query) => datesOf(query, group)[0]?.until),
      });
    }
    const froms = placeholder('bigint[]', (query) => datesOf(query, group).map(({ from }) => from));
    const untils = placeholder('bigint[]', (query) => datesOf(query, group).map(({ until }) => until));
    return sql<SqlBool>`exists (
      select from unnest(${froms}, ${untils}) as asked ("from", "until") where ${prefixMatches(prefix, listedBounds)}
    )`;
  };
  return sql`(${sql.join(anyOf.map(groupFits), sql` or `)})`;
};
