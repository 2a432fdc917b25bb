import type { TokenCriterion } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import { createStatement, type Placeholder } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

type TokenCondition = Extract<ResolvedCondition, { readonly on: 'token' }>;

/** A condition on tokens that leave out the system or the code, for records of a type. */
export type Tokens = Pick<TokenCondition, 'parameter' | 'anyOf'> & Pick<ResolvedQuery, 'type'>;

/** Selects the terms of tokens. */
export const selectTerms = <Args>(
  { table }: QueryBuilder,
  placeholder: Placeholder<Args>,
  tokensOf: (args: Args) => Tokens,
): RawBuilder<unknown> => {
  const list = (partOf: (criterion: TokenCriterion) => string | null) =>
    placeholder('text[]', (args) =>
      tokensOf(args)
        .anyOf.flatMap((one) => partOf(one) ?? [])
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
        const found = await reader(statement, { ...condition, type: query.type });
        conditions.push({ ...condition, terms: [...condition.terms, ...found.map(({ term }) => term)] });
      }
    }
    return { ...query, conditions };
  };
};
