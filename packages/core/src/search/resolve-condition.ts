import type { IndexEntry } from '../store/index-entry.ts';
import type { PositiveCondition } from '../store/query.ts';
import { type Term, termOf } from '../store/term.ts';
import { anyDate, type DateGroup, groupDates } from './merge-conditions.ts';

/** A condition with the keys of terms instead of parameters and references. A list of alternatives is not empty. */
export type ResolvedCondition<Key> =
  | {
      /** The id of the record, or its patient. */
      readonly on: 'id' | 'patient';
      readonly anyOf: readonly string[];
    }
  | {
      /** A token or a reference of the record. */
      readonly on: 'term';
      /** Keys of terms. */
      readonly anyOf: readonly Key[];
    }
  | {
      /** The time of its current version. */
      readonly on: 'at';
      readonly anyOf: readonly DateGroup[];
    }
  | {
      /** A date of the record. */
      readonly on: 'date';
      /** The key of the term that all dates of the parameter have. */
      readonly term: Key;
      readonly anyOf: readonly DateGroup[];
    }
  | {
      /** Any token, reference or word under a parameter. */
      readonly on: 'entry';
      readonly kind: Exclude<IndexEntry['kind'], 'date'>;
      readonly parameter: string;
    };

/**
 * Resolves a condition by the keys under which a store keeps terms; `findKey` returns null if no record has the term.
 * Returns null if the condition holds for no record. Each store resolves tokens and strings by itself, because they can name
 * many terms.
 */
export const resolveCondition = <Key>(
  type: string,
  condition: Exclude<PositiveCondition, { readonly on: 'token' | 'string' }>,
  findKey: (term: Term) => Key | null,
): ResolvedCondition<Key> | null => {
  if (condition.on === 'entry') {
    const { on, kind, parameter } = condition;
    if (kind !== 'date') return { on, kind, parameter };
    return resolveCondition(type, { on: kind, parameter, anyOf: [anyDate] }, findKey);
  }
  if (condition.anyOf.length === 0) return null;
  switch (condition.on) {
    case 'id':
    case 'patient':
      return condition;
    case 'at':
      return { on: 'at', anyOf: groupDates(condition.anyOf) };
    case 'date': {
      const term = findKey({ type, kind: 'date', parameter: condition.parameter, system: '', code: '' });
      return term === null ? null : { on: 'date', term, anyOf: groupDates(condition.anyOf) };
    }
    case 'reference': {
      const { parameter } = condition;
      const keys = condition.anyOf.flatMap(
        (reference) => findKey(termOf(type, { kind: 'reference', parameter, ...reference })) ?? [],
      );
      return keys.length === 0 ? null : { on: 'term', anyOf: [...new Set(keys)] };
    }
  }
};
