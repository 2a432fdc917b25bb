import type { DateCriterion, DatePrefix } from '@clinical-records/core';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../schema.ts';

type Dates = ExpressionBuilder<Schema, 'dates'>;
type Holds = Expression<SqlBool>;
type Time = Expression<number>;
type Wanted = { readonly from: Time; readonly until: Time };

/** A balanced tree, for SQLite bounds the depth of an expression. */
const anyOf = (eb: Dates, alternatives: readonly Holds[]): Holds => {
  if (alternatives.length <= 2) return eb.or(alternatives);
  const half = Math.ceil(alternatives.length / 2);
  return eb.or([anyOf(eb, alternatives.slice(0, half)), anyOf(eb, alternatives.slice(half))]);
};

/**
 * The core's `dateMatches` in SQL: alternatives, each a range of one column, which an index serves, and what else must
 * hold within it.
 *
 * As no interval ends before it begins, `ge` comes to: it ends later, or begins within or later; and `le` likewise.
 */
const alternativesOf = (eb: Dates, prefix: DatePrefix, { from, until }: Wanted): readonly Holds[] => {
  switch (prefix) {
    case 'eq':
      return [eb.and([eb('from', '>=', from), eb('from', '<=', until), eb('until', '<=', until)])];
    case 'ne':
      return [eb('from', '<', from), eb('until', '>', until)];
    case 'gt':
      return [eb('until', '>', until)];
    case 'ge':
      return [eb.and([eb('until', '>=', from), eb.or([eb('until', '>', until), eb('from', '>=', from)])])];
    case 'lt':
      return [eb('from', '<', from)];
    case 'le':
      return [eb.and([eb('from', '<=', until), eb.or([eb('from', '<', from), eb('until', '<=', until)])])];
    case 'sa':
      return [eb('from', '>=', until)];
    case 'eb':
      return [eb('until', '<=', from)];
    case 'ap':
      return [eb.and([eb('from', '<', until), eb('until', '>', from)])];
  }
};

/**
 * Whether a row of `dates` is of a term and lies as one of the criteria says.
 *
 * The term stands in each alternative, so that each has its range of an index. `time` makes a place for an end.
 */
export const datesMatch =
  (
    ofTerm: Holds,
    criteria: readonly DateCriterion[],
    time: (criterion: number, end: 'from' | 'until') => Time,
  ) =>
  (eb: Dates): Holds => {
    const alternatives = criteria.flatMap(({ prefix }, at) =>
      alternativesOf(eb, prefix, { from: time(at, 'from'), until: time(at, 'until') }),
    );
    return anyOf(
      eb,
      alternatives.map((lies) => eb.and([ofTerm, lies])),
    );
  };
