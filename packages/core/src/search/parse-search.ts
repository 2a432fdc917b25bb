import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Issue, invalidRequest } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { SearchCondition } from '../store/query.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { splitUnescaped } from './escape.ts';
import { parameterIssue, searchIssue } from './issues.ts';
import { defaultCount, maxCount, type Paging, pagingNames } from './paging.ts';
import { parseCondition, type SearchParameterTable, type SearchTime } from './parameters.ts';
import type { SearchPairs } from './search-input.ts';

/** A parsed search: its `conditions`, and in `used` the parameters that had an effect, in their order. */
export type ParsedSearch = {
  readonly conditions: readonly SearchCondition[];
  readonly paging: Paging;
  readonly used: readonly (readonly [string, string])[];
};

/**
 * The values of a name. A missing or undefined value counts as an empty value, which is refused. If it were ignored,
 * the search would find everything.
 */
const valuesOf = (value: unknown): readonly string[] => {
  const values = [value].flat().map((one) => (typeof one === 'number' ? String(one) : one));
  return values.length === 0 ? [''] : values.map((one) => (typeof one === 'string' ? one : ''));
};

const pairsOf = (parameters: SearchPairs | object): readonly (readonly [string, string])[] =>
  Symbol.iterator in parameters
    ? [...(parameters as SearchPairs)]
    : Object.entries(parameters).flatMap(([name, value]) =>
        valuesOf(value).map((one) => [name, one] as const),
      );

/** The most parameters of a search, without those for its page, which the links of a bundle add. */
const maxParameters = 20;

/** The most alternatives of all parameters together: more than any page shows, and few enough for every store. */
const maxAlternatives = 500;

const isPagingName = isOneOf(pagingNames);

const isWholeNumber = (value: string) => /^\d+$/.test(value);

/** The issue for an `_after` that is not from a link of the search. */
export const unknownCursorIssue = parameterIssue('cursor', '_after');

/** Parses search parameters, or returns all of their issues. */
export const parseSearch = (
  parameters: SearchPairs | object,
  options: {
    readonly declared: SearchParameterTable;
    readonly time: SearchTime;
    readonly handling: PreferredHandling;
  },
): E.Either<ClinicalError, ParsedSearch> => {
  const issues: Issue[] = [];
  const conditions: SearchCondition[] = [];
  const used: (readonly [string, string])[] = [];
  const numbers = new Map<string, number>();
  let cursor: Cursor | null | undefined;
  let alternativesLeft = maxAlternatives;

  /** FHIR R4, Search, "Modifiers": ignoring the modifier of a known parameter would reverse its meaning. */
  const isModified = (name: string) => Object.hasOwn(options.declared, /^([^:]*):/.exec(name)?.[1] ?? '');

  const pairs = pairsOf(parameters);
  if (pairs.filter(([name]) => !isPagingName(name)).length > maxParameters) {
    return E.left(invalidRequest(searchIssue('too-many-values')));
  }
  for (const [name, value] of pairs) {
    const declared = Object.hasOwn(options.declared, name) ? options.declared[name] : undefined;
    if (name === '_after') {
      if (cursor !== undefined) issues.push(parameterIssue('repeated-parameter', name));
      cursor = parseCursor(value);
      if (cursor === null) issues.push(unknownCursorIssue);
    } else if (isPagingName(name)) {
      if (numbers.has(name)) issues.push(parameterIssue('repeated-parameter', name));
      if (!isWholeNumber(value)) issues.push(parameterIssue('whole-number', name));
      numbers.set(name, Math.min(Number(value), Number.MAX_SAFE_INTEGER));
    } else if (declared !== undefined) {
      const alternatives = splitUnescaped(',')(value);
      alternativesLeft -= alternatives.length;
      if (alternativesLeft >= 0) {
        const condition = parseCondition(name, { declared, alternatives, time: options.time });
        if (E.isLeft(condition)) issues.push(condition.left);
        else conditions.push(condition.right);
      } else if (alternativesLeft + alternatives.length >= 0) {
        // Reported once, for the parameter that exceeds the limit.
        issues.push(parameterIssue('too-many-values', name));
      }
      used.push([name, value]);
    } else if (isModified(name)) {
      issues.push(parameterIssue('modifier', name));
    } else if (options.handling === 'strict') {
      issues.push(parameterIssue('unknown-parameter', name));
    }
  }
  if (issues.length > 0) return E.left(invalidRequest(issues));
  return E.right({
    conditions,
    used,
    paging: {
      count: Math.min(numbers.get('_count') ?? defaultCount, maxCount),
      offset: numbers.get('_offset') ?? 0,
      cursor: cursor ?? null,
    },
  });
};
