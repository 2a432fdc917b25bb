import type { DateCriterion, DatePrefix } from '@clinical-records/core';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../schema.ts';

type Dates = ExpressionBuilder<Schema, 'dates'>;
type Time = Expression<number>;
type Wanted = { readonly from: Time; readonly until: Time };

/** A balanced tree, for SQLite bounds the depth of an expression. */
const anyOf = (eb: Dates, alternatives: readonly Expression<SqlBool>[]): Expression<SqlBool> => {
  if (alternatives.length <= 2) return eb.or(alternatives);
  const half = Math.ceil(alternatives.length / 2);
  return eb.or([anyOf(eb, alternatives.slice(0, half)), anyOf(eb, alternatives.slice(half))]);
};

/**
 * The core's `dateMatches` in SQL, as a range of one column, which an index serves, and what else must hold within it.
 *
 * As no interval ends before it begins, `ge` comes to: it ends later, or begins within or later; and `le` likewise.
 */
const dateMatches = (eb: Dates, prefix: DatePrefix, { from, until }: Wanted): Expression<SqlBool> => {
  switch (prefix) {
    case 'eq':
      return eb.and([eb('from', '>=', from), eb('from', '<=', until), eb('until', '<=', until)]);
    case 'ne':
      return eb.or([eb('from', '<', from), eb('until', '>', until)]);
    case 'gt':
      return eb('until', '>', until);
    case 'ge':
      return eb.and([eb('until', '>=', from), eb.or([eb('until', '>', until), eb('from', '>=', from)])]);
    case 'lt':
      return eb('from', '<', from);
    case 'le':
      return eb.and([eb('from', '<=', until), eb.or([eb('from', '<', from), eb('until', '<=', until)])]);
    case 'sa':
      return eb('from', '>=', until);
    case 'eb':
      return eb('until', '<=', from);
    case 'ap':
      return eb.and([eb('from', '<', until), eb('until', '>', from)]);
  }
};

/** Whether a row of `dates` lies as one of the criteria says. `time` makes a place for one of their ends. */
export const datesMatch =
  (criteria: readonly DateCriterion[], time: (criterion: number, end: 'from' | 'until') => Time) =>
  (eb: Dates): Expression<SqlBool> =>
    anyOf(
      eb,
      criteria.map(({ prefix }, at) =>
        dateMatches(eb, prefix, { from: time(at, 'from'), until: time(at, 'until') }),
      ),
    );
