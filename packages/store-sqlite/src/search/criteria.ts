import type { Query, SearchCondition } from '@clinical-records/core';
import { termOf } from '../term.ts';
import type { Terms } from '../terms.ts';
import { type DatesWanted, datesWanted } from './dates-wanted.ts';

/** A condition whose tokens and references are known by their numbers. It has one alternative at least. */
export type Criteria =
  | { readonly on: 'id' | 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'term'; readonly anyOf: readonly number[] }
  | { readonly on: 'date'; readonly term: number; readonly anyOf: readonly DatesWanted[] };

const criteriaOf = (terms: Terms, type: string, condition: SearchCondition): Criteria | null => {
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

/** What a query asks for; null where one of its conditions can hold of no record, since no entry ever said so. */
export const criteriaOfQuery = (terms: Terms, { type, conditions }: Query): readonly Criteria[] | null => {
  const criteria: Criteria[] = [];
  for (const condition of conditions) {
    const found = criteriaOf(terms, type, condition);
    if (found === null) return null;
    criteria.push(found);
  }
  return criteria;
};
