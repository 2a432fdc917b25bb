import type { Query, SearchCondition } from '@clinical-records/core';
import { termOf } from '../term.ts';
import type { Terms } from '../terms.ts';
import { type DatesWanted, datesWanted } from './dates-wanted.ts';

/** A condition whose tokens and references are known by the numbers of their terms. It has one alternative at least. */
export type NumberedCondition =
  | { readonly on: 'id' | 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'term'; readonly anyOf: readonly number[] }
  | { readonly on: 'date'; readonly term: number; readonly anyOf: readonly DatesWanted[] };

/** A query as the tables know it: the arguments of every statement that searches. */
export type Search = Omit<Query, 'conditions'> & { readonly conditions: readonly NumberedCondition[] };

/** Where a search begins: at the entries that one of its conditions finds, or at the records themselves. */
export type Lead = number | 'records';

const numbered = (terms: Terms, type: string, condition: SearchCondition): NumberedCondition | null => {
  if (condition.anyOf.length === 0) return null;
  if (condition.on === 'id' || condition.on === 'patient') return condition;
  const { parameter } = condition;
  if (condition.on === 'date') {
    const term = terms.find({ type, kind: 'date', parameter, system: '', code: '' });
    return term === null ? null : { on: 'date', term, anyOf: datesWanted(condition.anyOf) };
  }
  const numbers =
    condition.on === 'token'
      ? condition.anyOf.flatMap((wanted) => terms.matching({ type, parameter }, wanted))
      : condition.anyOf.flatMap(
          (wanted) => terms.find(termOf(type, { kind: 'reference', parameter, ...wanted })) ?? [],
        );
  return numbers.length === 0 ? null : { on: 'term', anyOf: [...new Set(numbers)] };
};

/** What a query looks for; null where one of its conditions can hold of no record, since no entry ever said so. */
export const searchFor = (terms: Terms, { type, conditions: asked, start, count }: Query): Search | null => {
  const conditions: NumberedCondition[] = [];
  for (const condition of asked) {
    const known = numbered(terms, type, condition);
    if (known === null) return null;
    conditions.push(known);
  }
  return { type, conditions, start, count };
};
