import {
  type DateGroup,
  groupDates,
  type SearchCondition,
  type SearchQuery,
  type TokenCriterion,
  termOf,
} from '@clinical-records/core/store';
import type { TermDictionary } from '../term-dictionary.ts';

/** A condition with the numbers of its terms instead of tokens and references. It has at least one alternative. */
export type ResolvedCondition =
  | { readonly on: 'id' | 'patient'; readonly anyOf: readonly string[] }
  | { readonly on: 'term'; readonly anyOf: readonly number[] }
  /** A condition with more terms than are listed: each entry of a record is compared with the criteria. */
  | { readonly on: 'token'; readonly parameter: string; readonly anyOf: readonly TokenCriterion[] }
  | { readonly on: 'at'; readonly anyOf: readonly DateGroup[] }
  | { readonly on: 'date'; readonly term: number; readonly anyOf: readonly DateGroup[] };

/** The records that a search finds, with resolved conditions. */
export type Criteria = { readonly type: string; readonly conditions: readonly ResolvedCondition[] };

/** A query with resolved conditions. */
export type ResolvedQuery = Omit<SearchQuery, 'conditions'> & Criteria;

const resolveCondition = (
  terms: TermDictionary,
  type: string,
  condition: SearchCondition,
): ResolvedCondition | null => {
  if (condition.anyOf.length === 0) return null;
  if (condition.on === 'id' || condition.on === 'patient') return condition;
  if (condition.on === 'at') return { on: 'at', anyOf: groupDates(condition.anyOf) };
  const { parameter } = condition;
  if (condition.on === 'date') {
    const term = terms.find({ type, kind: 'date', parameter, system: '', code: '' });
    return term === null ? null : { on: 'date', term, anyOf: groupDates(condition.anyOf) };
  }
  if (condition.on === 'reference') {
    const numbers = condition.anyOf.flatMap(
      (wanted) => terms.find(termOf(type, { kind: 'reference', parameter, ...wanted })) ?? [],
    );
    return numbers.length === 0 ? null : { on: 'term', anyOf: [...new Set(numbers)] };
  }
  const numbers = terms.findMatching({ type, parameter }, condition.anyOf);
  if (numbers === null) return { ...condition, on: 'token' };
  return numbers.length === 0 ? null : { on: 'term', anyOf: numbers };
};

/**
 * Resolves the terms of a query. Returns null if a condition cannot hold for any record, because no entry has its
 * terms. It gives way after each condition, because a condition can have many terms.
 */
export function* resolveQuery(
  terms: TermDictionary,
  query: SearchQuery,
): Generator<undefined, ResolvedQuery | null> {
  const conditions: ResolvedCondition[] = [];
  for (const condition of query.conditions) {
    const resolved = resolveCondition(terms, query.type, condition);
    if (resolved === null) return null;
    conditions.push(resolved);
    if (condition.anyOf.length > 1) yield;
  }
  return { ...query, conditions };
}
