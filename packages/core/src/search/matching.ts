import * as E from 'fp-ts/lib/Either.js';
import { createTimeZone, type TimeZone } from '../fhir/date-time.ts';
import { matches } from '../store/matches.ts';
import type { StoredRecord } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import { indexerOf, type StoredParameterTable } from './index-entries.ts';
import { parameterIssue, type SearchIssue, searchIssue, unknownParameterIssue } from './issues.ts';
import type { SearchTime } from './parameters.ts';
import { parseSearch } from './parse-search.ts';
import type { SearchPair, SearchPairs } from './search-input.ts';

/** The facts about a type on which it depends whether conditions hold for one of its resources. */
export type MatchingFacts = {
  readonly type: string;
  readonly parameters: StoredParameterTable;
};

type ParsedSearch = E.Either<readonly SearchIssue[], readonly SearchCondition[]>;

/** Parameters of what a write or this server decides, and not the resource itself. */
const excluded = ['_lastUpdated', '_profile'];

/** Parses the parameters of one search. Those of a page, modifiers, and names that a search may ignore are not conditions. */
const parseOne = (
  { parameters }: MatchingFacts,
  pairs: readonly SearchPair[],
  time: SearchTime,
): ParsedSearch => {
  const supported = Object.keys(parameters).filter((name) => !excluded.includes(name));
  const unknown = pairs.flatMap(([name]) => {
    if (supported.includes(name)) return [];
    const isModified = supported.includes(name.replace(/[:.].*$/s, ''));
    return [isModified ? parameterIssue('modifier', name) : unknownParameterIssue(name, supported)];
  });
  if (unknown.length > 0) return E.left(unknown);
  if (pairs.length === 0) return E.left([searchIssue('limit-condition')]);
  const parsed = parseSearch(pairs, { declared: parameters, handling: 'strict', time });
  return E.isLeft(parsed) ? E.left(parsed.left.issues) : E.right(parsed.right.conditions);
};

const isIn =
  (conditions: readonly SearchCondition[]) =>
  (condition: SearchCondition): boolean =>
    conditions.some((other) => JSON.stringify(other) === JSON.stringify(condition));

/** The parameter of a condition; the conditions on one parameter differ only in their alternatives. */
const parameterOf = (condition: SearchCondition): string =>
  'parameter' in condition ? `${condition.on} ${condition.parameter}` : condition.on;

/**
 * The conditions that hold if those of one list or those of another do. They are null if the lists differ in more than one
 * parameter: a store finds what meets all conditions, so it could not count the matches.
 */
const unite = (
  some: readonly SearchCondition[],
  others: readonly SearchCondition[],
): readonly SearchCondition[] | null => {
  const onlySome = some.filter((condition) => !isIn(others)(condition));
  const onlyOthers = others.filter((condition) => !isIn(some)(condition));
  if (onlySome.length === 0) return some;
  if (onlyOthers.length === 0) return others;
  const [[first, ...more], [second, ...evenMore]] = [onlySome, onlyOthers];
  if (first === undefined || second === undefined || more.length + evenMore.length > 0) return null;
  if (parameterOf(first) !== parameterOf(second) || !('anyOf' in first && 'anyOf' in second)) return null;
  const union = { ...first, anyOf: [...first.anyOf, ...second.anyOf] } as SearchCondition;
  return [...some.filter(isIn(others)), union];
};

const nothing: SearchCondition = { on: 'id', anyOf: [] };

/** Parses `matching`: the union of some searches, as the conditions of one. */
export const parseMatching = (
  facts: MatchingFacts,
  [first, ...others]: readonly SearchPairs[],
  time: SearchTime,
): ParsedSearch => {
  if (first === undefined) return E.right([nothing]);
  const parsed = parseOne(facts, [...first], time);
  if (E.isLeft(parsed)) return parsed;
  let conditions = parsed.right;
  for (const search of others) {
    const other = parseOne(facts, [...search], time);
    if (E.isLeft(other)) return other;
    const union = unite(conditions, other.right);
    if (union === null) return E.left([searchIssue('limit-union')]);
    conditions = union;
  }
  return E.right(conditions);
};

/** The issues of the searches of a limit; empty if the resources of the type can be so limited. */
export const issuesOfMatching = (
  facts: MatchingFacts,
  matching: readonly SearchPairs[],
): readonly SearchIssue[] => {
  const parsed = parseMatching(facts, matching, { zone: createTimeZone('UTC'), now: Date.now() });
  return E.isLeft(parsed) ? parsed.left : [];
};

/** A version of a record, whose resource is null while there is none. */
export type RecordVersion = Pick<StoredRecord, 'id' | 'patientId' | 'resource'>;

/** Whether the resource of a record meets conditions. Its index entries are derived again, because no read returns them. */
export const meetsConditions =
  ({ type, parameters }: MatchingFacts, conditions: readonly SearchCondition[], zone: TimeZone) =>
  ({ id, patientId, resource }: RecordVersion): boolean =>
    resource !== null &&
    matches({ type, conditions })({
      type,
      id,
      patientId,
      at: 0,
      index: indexerOf(parameters)(JSON.parse(resource), zone),
    });
