import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Placeholder } from '../statement.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

/** The core's `dateMatches` for an interval `dates`. */
const prefixMatches = (prefix: MergedDate['prefix'], bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map(
    ([bound, operator, than]) => sql`dates.${sql.id(bound)} ${sql.raw(operator)} ${bounds[than]}`,
  );
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
