import {
  type ResolvedCondition as CommonCondition,
  joinTimes,
  type OrderedQuery,
  type PositiveCondition,
  resolveCondition,
  type SearchQuery,
} from '@clinical-records/core/store';
import type { TermDictionary } from '../statement.ts';
import type { ResolvedOrder, SearchStatements } from './search-statements.ts';
import type { CandidateSource } from './select-candidates.ts';

/** A condition on what a record has, with the numbers of its terms instead of tokens and references. */
type ResolvedPositive =
  | CommonCondition<number>
  /** A condition with more terms than are listed: each entry of a record is compared with the criteria. */
  | Extract<PositiveCondition, { readonly on: 'token' | 'string' }>;

/** A resolved condition, or one that must not hold. */
export type ResolvedCondition =
  | ResolvedPositive
  | { readonly on: 'not'; readonly condition: ResolvedPositive };

/** The condition itself, or the one that must not hold. */
export const positiveOf = (condition: ResolvedCondition | undefined): ResolvedPositive | undefined =>
  condition?.on === 'not' ? condition.condition : condition;

/** The ids, terms, criteria or groups of dates of which one must be met. */
export const alternativesOf = (condition: ResolvedCondition | undefined): readonly unknown[] =>
  condition !== undefined && 'anyOf' in condition ? condition.anyOf : [];

/** The records that a search finds, with resolved conditions. */
export type Criteria = { readonly type: string; readonly conditions: readonly ResolvedCondition[] };

export type ResolvedQuery = Omit<SearchQuery, 'conditions'> & Criteria;

const resolvePositive = (
  terms: TermDictionary,
  type: string,
  condition: PositiveCondition,
): ResolvedPositive | null => {
  if (condition.on !== 'token' && condition.on !== 'string')
    return resolveCondition(type, condition, terms.find);
  const { on, parameter, anyOf } = condition;
  if (anyOf.length === 0) return null;
  const numbers =
    on === 'token'
      ? terms.findMatching({ type, parameter }, anyOf)
      : terms.findWords({ type, parameter }, anyOf);
  if (numbers === null) return condition;
  return numbers.length === 0 ? null : { on: 'term', anyOf: numbers };
};

/**
 * Resolves the terms of a query. Returns null if a condition cannot hold for any record, because no entry has its
 * terms. One that must not hold is then left out. It gives way after each condition, because a condition can have many
 * terms.
 */
export function* resolveQuery(
  terms: TermDictionary,
  query: SearchQuery | OrderedQuery,
): Generator<undefined, ResolvedQuery | null> {
  const conditions: ResolvedCondition[] = [];
  for (const condition of query.conditions.length > 1 ? joinTimes(query.conditions) : query.conditions) {
    const isNegated = condition.on === 'not';
    const positive = isNegated ? condition.condition : condition;
    const resolved = resolvePositive(terms, query.type, positive);
    if (resolved !== null) conditions.push(isNegated ? { on: 'not', condition: resolved } : resolved);
    else if (!isNegated) return null;
    if ('anyOf' in positive && positive.anyOf.length > 1) yield;
  }
  return { ...query, conditions };
}

/** Resolves the term of the dates by which a search is ordered. */
export const resolveOrder = (terms: TermDictionary, { type, order }: OrderedQuery): ResolvedOrder => {
  const { on, isDescending } = order;
  const term =
    order.on === 'date'
      ? terms.find({ type, kind: 'date', parameter: order.parameter, system: '', code: '' })
      : null;
  return { on, isDescending, term };
};

/** Up to this many entries are counted for each condition, and then listed for the best condition. */
const listCaps = [256, 4096];

/** Up to this many entries are counted for each condition that is too large for a list. */
const streamCap = 65_536;

/** The cost of comparing a date or a word with one of a list. Looking up a record costs 1. */
const listedValueSteps = 1 / 16;

/**
 * The cost of checking whether a condition holds for a record. A list of dates is compared date by date, and the content of
 * each token and word is read.
 */
const stepsToCheck = (condition: ResolvedCondition): number => {
  if (condition.on === 'not') return stepsToCheck(condition.condition);
  if (condition.on === 'token' || condition.on === 'entry') return 3;
  if (condition.on === 'string') return 3 + condition.anyOf.length * listedValueSteps;
  if (condition.on !== 'date' && condition.on !== 'at') return 1;
  return condition.anyOf.reduce(
    (steps, { anyOf }) => steps + (anyOf.length > 1 ? anyOf.length * listedValueSteps : 0),
    1,
  );
};

/** A record without conditions to check is only counted. */
const countOnlySteps = 1 / 16;

/** The number of steps for each candidate, by the conditions it is compared with. */
export const stepsPerCandidate = ({ conditions }: ResolvedQuery, source: CandidateSource): number => {
  if (conditions.length === 0) return countOnlySteps;
  return conditions.reduce(
    (steps, condition, index) =>
      source.from !== 'type' && source.conditionIndex === index ? steps : steps + stepsToCheck(condition),
    1,
  );
};

/** An index has the records of one patient or one term in the order of creation. */
const isInCreationOrder = (condition: ResolvedCondition) =>
  (condition.on === 'patient' || condition.on === 'term') && condition.anyOf.length === 1;

type ConditionCount = { readonly conditionIndex: number; readonly count: number };

/** The records of the condition with the fewest steps, among the conditions within the cap. */
function* findCheapest(
  search: ResolvedQuery,
  { countUpTo }: SearchStatements,
  { cap, among }: { readonly cap: number; readonly among: readonly number[] },
): Generator<undefined, ConditionCount | null> {
  let best: (ConditionCount & { readonly steps: number }) | null = null;
  for (const index of among) {
    const count = countUpTo(cap + 1, search, index);
    yield;
    if (count === null || count > cap) continue;
    const steps = count * stepsPerCandidate(search, { from: 'index', conditionIndex: index });
    if (best === null || steps < best.steps) best = { conditionIndex: index, count, steps };
  }
  return best;
}

/** The most ids that are looked up at once. */
const maxIdsPerList = 100;

/** The records with the ids of a condition, in the order of their creation. */
function* findRecordsById(
  search: ResolvedQuery,
  { listRecords }: SearchStatements,
  index: number,
): Generator<undefined, readonly number[]> {
  const ids = [...new Set(alternativesOf(search.conditions[index]) as readonly string[])];
  const records: number[] = [];
  for (let from = 0; from < ids.length; from += maxIdsPerList) {
    const batch = { on: 'id', anyOf: ids.slice(from, from + maxIdsPerList) } as const;
    records.push(...listRecords({ ...search, conditions: search.conditions.with(index, batch) }, index));
    yield;
  }
  return records.sort((a, b) => a - b);
}

/**
 * Chooses where a search takes its candidates from, so that it looks at as little as possible. Ids are few, and nearly
 * always so are the records of a patient. For other conditions, the entries that an index finds are counted up to a
 * cap. So choosing costs little for any search. It gives way in between.
 */
export function* chooseSource(
  search: ResolvedQuery,
  statements: SearchStatements,
): Generator<undefined, CandidateSource> {
  const { conditions } = search;
  const conditionNumbers = [...conditions.keys()];
  const isOn = (on: ResolvedCondition['on']) => (index: number) => conditions[index]?.on === on;
  const list = (index: number): CandidateSource => ({
    from: 'list',
    conditionIndex: index,
    records: statements.listRecords(search, index),
  });

  const id = conditionNumbers.find(isOn('id'));
  if (id !== undefined)
    return { from: 'list', conditionIndex: id, records: yield* findRecordsById(search, statements, id) };
  const ordered = conditionNumbers.filter((index) =>
    isInCreationOrder(conditions[index] as ResolvedCondition),
  );
  const [first] = ordered;
  const sole = ordered.find(isOn('patient')) ?? (conditionNumbers.length === 1 ? first : undefined);
  if (sole !== undefined) return { from: 'index', conditionIndex: sole };
  for (const cap of listCaps) {
    const best = yield* findCheapest(search, statements, { cap, among: conditionNumbers });
    if (best !== null) return list(best.conditionIndex);
  }
  if (first === undefined) return { from: 'type' };
  const best =
    ordered.length === 1 ? null : yield* findCheapest(search, statements, { cap: streamCap, among: ordered });
  return { from: 'index', conditionIndex: best?.conditionIndex ?? first };
}
