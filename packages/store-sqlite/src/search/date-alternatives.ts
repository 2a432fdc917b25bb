import type { DatePrefix } from '@clinical-records/core';
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import type { Schema } from '../schema.ts';

type Time = Expression<number>;
/** A time that is searched for; `after` is where the one before it ends, if it is one of several. */
export type Wanted = { readonly from: Time; readonly until: Time; readonly after: Time | null };

const { and, or, eb } = expressionBuilder<Schema, 'dates'>();

/**
 * The core's `dateMatches` in SQL: alternatives, each a range of one column, which an index serves, and what else must
 * hold within it.
 *
 * As no interval ends before it begins, `ge` comes to: it ends later, or begins within or later; and `le` likewise.
 */
export const dateAlternatives = (
  prefix: DatePrefix,
  { from, until, after }: Wanted,
): readonly Expression<SqlBool>[] => {
  const begins = (operator: '<' | '<=' | '>=', time: Time) => eb('dates.from', operator, time);
  const ends = (operator: '<=' | '>' | '>=', time: Time) => eb('dates.until', operator, time);
  switch (prefix) {
    case 'eq':
      return [and([begins('>=', from), begins('<=', until), ends('<=', until)])];
    case 'ne':
      return [begins('<', from), ends('>', until)];
    case 'gt':
      return [ends('>', until)];
    case 'ge':
      return [and([ends('>=', from), or([ends('>', until), begins('>=', from)])])];
    case 'lt':
      return [begins('<', from)];
    case 'le':
      return [and([begins('<=', until), or([begins('<', from), ends('<=', until)])])];
    case 'sa':
      return [begins('>=', until)];
    case 'eb':
      return [ends('<=', from)];
    case 'ap':
      return [and([begins('<', until), ends('>', from), ...(after === null ? [] : [begins('>=', after)])])];
  }
};
