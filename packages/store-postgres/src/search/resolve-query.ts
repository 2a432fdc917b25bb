import {
  type ResolvedCondition as CommonCondition,
  resolveCondition,
  type SearchCondition,
  type SearchQuery,
  type TokenCriterion,
} from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { termId } from '../schema.ts';
import { createStatement, type Placeholder, type QueryBuilder } from '../statement.ts';
import { encodeText } from '../text.ts';

/** A condition with the ids of terms instead of tokens and references. */
export type ResolvedCondition =
  | CommonCondition<string>
  /** Tokens of which the system or the code is left out, and the terms that are known of them and of the others. */
  | {
      readonly on: 'token';
      readonly parameter: string;
      readonly terms: readonly string[];
      readonly anyOf: readonly TokenCriterion[];
    };

/** A query with resolved conditions. */
export type ResolvedQuery = Omit<SearchQuery, 'conditions'> & {
  readonly conditions: readonly ResolvedCondition[];
};

const isExact = (token: TokenCriterion): token is { readonly system: string; readonly code: string } =>
  token.system !== null && token.code !== null;

const resolveTokens = (
  type: string,
  { parameter, anyOf }: Extract<SearchCondition, { readonly on: 'token' }>,
): ResolvedCondition | null => {
  if (anyOf.length === 0) return null;
  const terms = anyOf
    .filter(isExact)
    .map((token) => termId({ type, kind: 'token', parameter, system: token.system, code: token.code }));
  const open = anyOf.filter((token) => !isExact(token));
  return open.length === 0 ? { on: 'term', anyOf: terms } : { on: 'token', parameter, terms, anyOf: open };
};

/** Resolves the terms of a query. Returns null if a condition has no alternative, so that it holds for no record. */
export const resolveQuery = (query: SearchQuery): ResolvedQuery | null => {
  const conditions: ResolvedCondition[] = [];
  for (const condition of query.conditions) {
    const resolved =
      condition.on === 'token'
        ? resolveTokens(query.type, condition)
        : resolveCondition(query.type, condition, termId);
    if (resolved === null) return null;
    conditions.push(resolved);
  }
  return { ...query, conditions };
};

/** Whether a condition leaves the code out of a token, so that it can have all terms of a system. */
export const hasManyTerms = (condition: ResolvedCondition): boolean =>
  condition.on === 'token' && condition.anyOf.some(({ code }) => code === null);

/** The parts of a condition on which its SQL depends. */
const shapeOf = (condition: ResolvedCondition): unknown => {
  if (condition.on === 'date' || condition.on === 'at')
    return [condition.on, ...condition.anyOf.map(({ prefix, anyOf }) => [prefix, anyOf.length === 1])];
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

type TokenCondition = Extract<ResolvedCondition, { readonly on: 'token' }>;

/** A condition on tokens that leave out the system or the code, for records of a type. */
type Tokens = Pick<TokenCondition, 'parameter' | 'anyOf'> & Pick<ResolvedQuery, 'type'>;

/** Selects the terms of tokens. */
export const selectTerms = <Args>(
  { table }: QueryBuilder,
  placeholder: Placeholder<Args>,
  tokensOf: (args: Args) => Tokens,
): RawBuilder<unknown> => {
  const list = (partOf: (criterion: TokenCriterion) => string | null) =>
    placeholder('text[]', (args) =>
      tokensOf(args)
        .anyOf.flatMap((token) => partOf(token) ?? [])
        .map(encodeText),
    );
  const isAny = (args: Args) =>
    tokensOf(args).anyOf.some(({ system, code }) => system === null && code === null);
  return sql`select term from ${table('terms')}
    where kind = 'token'
      and type = ${placeholder('text', (args) => encodeText(tokensOf(args).type))}
      and parameter = ${placeholder('text', (args) => encodeText(tokensOf(args).parameter))}
      and (code = any(${list(({ code }) => code)}) or system = any(${list(({ system }) => system)})
        or ${placeholder('boolean', isAny)})`;
};

/** The most terms that are listed for a condition. To plan a search with many more would take long. */
const maxListed = 10_000;

/**
 * Creates the function that adds the terms of tokens to a query. PostgreSQL then knows how many records have them. It expects few of
 * terms that it has yet to find, and would compare each record of one condition with all of another.
 */
export const createListTerms = (
  builder: QueryBuilder,
): ((reader: Reader, query: ResolvedQuery) => Promise<ResolvedQuery>) => {
  const statement = createStatement<Tokens, { readonly term: string }>(
    builder,
    (placeholder) =>
      sql`${selectTerms(builder, placeholder, (tokens: Tokens) => tokens)} limit ${sql.lit(maxListed)}`,
    { isPrepared: false },
  );
  return async (reader, query) => {
    const conditions: ResolvedCondition[] = [];
    for (const condition of query.conditions) {
      if (condition.on !== 'token') conditions.push(condition);
      else {
        const rows = await reader(statement, { ...condition, type: query.type });
        conditions.push({ ...condition, terms: [...condition.terms, ...rows.map(({ term }) => term)] });
      }
    }
    return { ...query, conditions };
  };
};
