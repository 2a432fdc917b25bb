import {
  type MergedDate,
  mergeDates,
  type Query,
  type SearchCondition,
  type TokenCriterion,
} from '@clinical-records/core';
import { termOf } from '../term.ts';
import type { Terms } from '../terms.ts';

/** The dates that a condition asks for by one prefix, one at least. */
export type DateGroup = { readonly prefix: MergedDate['prefix']; readonly anyOf: readonly MergedDate[] };

/** A condition whose tokens and references are known by the numbers of their terms. It has one alternative at least. */
export type NumberedCondition =
  | { readonly on: 'id' | 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'term'; readonly anyOf: readonly number[] }
  /** Of more terms than are listed: each entry of a record is compared with the criteria. */
  | { readonly on: 'token'; readonly parameter: string; readonly anyOf: readonly TokenCriterion[] }
  | { readonly on: 'date'; readonly term: number; readonly anyOf: readonly DateGroup[] };

/** A query as the tables know it. */
export type Search = Omit<Query, 'conditions'> & { readonly conditions: readonly NumberedCondition[] };

const groupsOf = (dates: readonly MergedDate[]): readonly DateGroup[] =>
  [...Map.groupBy(dates, ({ prefix }) => prefix)].map(([prefix, anyOf]) => ({ prefix, anyOf }));

const numbered = (terms: Terms, type: string, condition: SearchCondition): NumberedCondition | null => {
  if (condition.anyOf.length === 0) return null;
  if (condition.on === 'id' || condition.on === 'patient') return condition;
  const { parameter } = condition;
  if (condition.on === 'date') {
    const term = terms.find({ type, kind: 'date', parameter, system: '', code: '' });
    return term === null ? null : { on: 'date', term, anyOf: groupsOf(mergeDates(condition.anyOf)) };
  }
  if (condition.on === 'reference') {
    const numbers = condition.anyOf.flatMap(
      (wanted) => terms.find(termOf(type, { kind: 'reference', parameter, ...wanted })) ?? [],
    );
    return numbers.length === 0 ? null : { on: 'term', anyOf: [...new Set(numbers)] };
  }
  const numbers = terms.matching({ type, parameter }, condition.anyOf);
  if (numbers === null) return { ...condition, on: 'token' };
  return numbers.length === 0 ? null : { on: 'term', anyOf: numbers };
};

/** What a query looks for; null where one of its conditions can hold of no record, since no entry ever said so. */
export const searchFor = (terms: Terms, query: Query): Search | null => {
  const conditions: NumberedCondition[] = [];
  for (const condition of query.conditions) {
    const known = numbered(terms, query.type, condition);
    if (known === null) return null;
    conditions.push(known);
  }
  return { ...query, conditions };
};
