import {
  type ResolvedCondition as CommonCondition,
  endOfWords,
  joinTimes,
  type PositiveCondition,
  resolveCondition,
  type SearchQuery,
  type TokenCriterion,
} from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { termId } from '../schema.ts';
import type { Placeholder } from '../statement.ts';
import { encodeText } from '../text.ts';

/** A condition on what a record has, with the ids of terms instead of tokens and references. */
type ResolvedPositive =
  | CommonCondition<string>
  /** Tokens of which the system or the code is left out, and the terms of the others. */
  | {
      readonly on: 'token';
      readonly parameter: string;
      readonly terms: readonly string[];
      readonly anyOf: readonly TokenCriterion[];
    }
  /** Beginnings of words. */
  | Extract<PositiveCondition, { readonly on: 'string' }>;

/** A resolved condition, or one that must not hold. */
export type ResolvedCondition =
  | ResolvedPositive
  | { readonly on: 'not'; readonly condition: ResolvedPositive };

export type ResolvedQuery = Omit<SearchQuery, 'conditions'> & {
  readonly conditions: readonly ResolvedCondition[];
};

const isExact = (token: TokenCriterion): token is { readonly system: string; readonly code: string } =>
  token.system !== null && token.code !== null;

const resolveTokens = (
  type: string,
  { parameter, anyOf }: Extract<PositiveCondition, { readonly on: 'token' }>,
): ResolvedPositive | null => {
  if (anyOf.length === 0) return null;
  const terms = anyOf
    .filter(isExact)
    .map((token) => termId({ type, kind: 'token', parameter, system: token.system, code: token.code }));
  const open = anyOf.filter((token) => !isExact(token));
  return open.length === 0 ? { on: 'term', anyOf: terms } : { on: 'token', parameter, terms, anyOf: open };
};

const resolvePositive = (type: string, condition: PositiveCondition): ResolvedPositive | null => {
  switch (condition.on) {
    case 'token':
      return resolveTokens(type, condition);
    case 'string':
      return condition.anyOf.length === 0 ? null : condition;
    default:
      return resolveCondition(type, condition, termId);
  }
};

/**
 * Resolves the terms of a query. Returns null if a condition has no alternative, so that it holds for no record. One that
 * must not hold is then left out.
 */
export const resolveQuery = (query: SearchQuery): ResolvedQuery | null => {
  const conditions: ResolvedCondition[] = [];
  for (const condition of query.conditions.length > 1 ? joinTimes(query.conditions) : query.conditions) {
    const isNegated = condition.on === 'not';
    const resolved = resolvePositive(query.type, isNegated ? condition.condition : condition);
    if (resolved !== null) conditions.push(isNegated ? { on: 'not', condition: resolved } : resolved);
    else if (!isNegated) return null;
  }
  return { ...query, conditions };
};

/** Whether a condition can have many terms: the words with a beginning, or all tokens of a system. */
export const hasManyTerms = (condition: ResolvedCondition): boolean => {
  if (condition.on === 'not') return hasManyTerms(condition.condition);
  return (
    condition.on === 'string' ||
    (condition.on === 'token' && condition.anyOf.some(({ code }) => code === null))
  );
};

/** The parts of a condition on which its SQL depends. */
const shapeOf = (condition: ResolvedCondition): unknown => {
  if (condition.on === 'not') return [condition.on, shapeOf(condition.condition)];
  if (condition.on === 'date' || condition.on === 'at')
    return [
      condition.on,
      condition.end?.prefix,
      ...condition.anyOf.map(({ prefix, anyOf }) => [prefix, anyOf.length === 1]),
    ];
  if (condition.on === 'patient') return [condition.on, condition.anyOf.length === 1];
  return hasManyTerms(condition) ? [condition.on, 'many'] : condition.on;
};

/** Whether a search looks at the records of patients or with ids, and so at few. */
export const isNarrow = ({ conditions }: ResolvedQuery): boolean =>
  conditions.some(({ on }) => on === 'patient' || on === 'id');

/** Whether a page begins with the first match. */
export const isFirstPage = ({ start }: ResolvedQuery): boolean => 'offset' in start && start.offset === 0;

/** Whether a search may look at many records: it is not narrow, and it filters, or skips the records before its page. */
export const isBroad = (query: ResolvedQuery): boolean =>
  !isNarrow(query) && (query.conditions.length > 0 || ('offset' in query.start && query.start.offset > 0));

/** Whether a page is all that a search looks at: a page of all records of a type, whose number is kept. */
export const isOfKnownSize = (query: ResolvedQuery): boolean => !isNarrow(query) && !isBroad(query);

/**
 * The number of matches of the largest page that shares a plan with that of a query: a power of ten. PostgreSQL does not know
 * the size of a page when it plans a prepared statement, and expects a tenth of all records.
 */
export const largestPage = ({ count }: ResolvedQuery): number =>
  10 ** Math.ceil(Math.log10(Math.max(count, 10)));

/** The parts of a query on which its SQL depends, as a text. */
export const shapeOfQuery = (query: ResolvedQuery): string =>
  JSON.stringify([
    isOfKnownSize(query) ? largestPage(query) : null,
    query.conditions.map(shapeOf),
    'after' in query.start,
    isFirstPage(query),
    query.withTotal,
  ]);

/** A condition whose terms the database must find. */
export type OpenCondition = Extract<ResolvedCondition, { readonly on: 'token' | 'string' }>;

/** An open condition on the records of a type. */
type OpenTerms<On extends OpenCondition['on']> = Pick<
  Extract<OpenCondition, { readonly on: On }>,
  'parameter' | 'anyOf'
> &
  Pick<ResolvedQuery, 'type'>;

/**
 * Selects the terms of words. With `offset 0`, PostgreSQL looks the words of each beginning up by themselves, instead of comparing
 * all words with all beginnings.
 */
const selectWords = <Args>(
  placeholder: Placeholder<Args>,
  wordsOf: (args: Args) => OpenTerms<'string'>,
): RawBuilder<unknown> => {
  const list = (boundOf: (beginning: string) => string) =>
    placeholder('text[]', (args) => wordsOf(args).anyOf.map(encodeText).map(boundOf));
  return sql`select terms.term
    from unnest(${list((beginning) => beginning)}, ${list(endOfWords)}) as asked ("from", "until")
    cross join lateral (
      select term from ${placeholder.rows('terms')} as terms
      where kind = 'string'
        and type = ${placeholder('text', (args) => encodeText(wordsOf(args).type))}
        and parameter = ${placeholder('text', (args) => encodeText(wordsOf(args).parameter))}
        and code >= asked."from" and code < asked."until"
      offset 0
    ) as terms
    where true`;
};

const selectTokens = <Args>(
  placeholder: Placeholder<Args>,
  tokensOf: (args: Args) => OpenTerms<'token'>,
): RawBuilder<unknown> => {
  const list = (partOf: (criterion: TokenCriterion) => string | null) =>
    placeholder('text[]', (args) =>
      tokensOf(args)
        .anyOf.flatMap((token) => partOf(token) ?? [])
        .map(encodeText),
    );
  const isAny = (args: Args) =>
    tokensOf(args).anyOf.some(({ system, code }) => system === null && code === null);
  return sql`select terms.term from ${placeholder.rows('terms')} as terms
    where kind = 'token'
      and type = ${placeholder('text', (args) => encodeText(tokensOf(args).type))}
      and parameter = ${placeholder('text', (args) => encodeText(tokensOf(args).parameter))}
      and (code = any(${list(({ code }) => code)}) or system = any(${list(({ system }) => system)})
        or ${placeholder('boolean', isAny)})`;
};

/** Selects the terms of an open condition. `termsOf` reads a condition of the same kind from the arguments of the statement. */
export const selectTerms = <Args>(
  placeholder: Placeholder<Args>,
  on: OpenCondition['on'],
  termsOf: (args: Args) => OpenTerms<OpenCondition['on']>,
): RawBuilder<unknown> =>
  on === 'token'
    ? selectTokens(placeholder, (args) => termsOf(args) as OpenTerms<'token'>)
    : selectWords(placeholder, (args) => termsOf(args) as OpenTerms<'string'>);
