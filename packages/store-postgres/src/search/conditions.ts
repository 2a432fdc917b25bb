import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { longestShortDate } from '../schema.ts';
import type { Placeholder, QueryBuilder } from '../statement.ts';
import { encodePatient, encodeText } from '../text.ts';
import {
  hasManyTerms,
  type OpenCondition,
  type ResolvedCondition,
  type ResolvedQuery,
  selectTerms,
} from './resolve-query.ts';

type DateComparison = (typeof dateComparisons)['eq']['comparisons'][number];

type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

/**
 * A comparison with a bound of `dates`. No date begins after its end, and few are long. So a date that ends before a
 * time begins before it. A date that ends after a time is long, or it begins soon before that time or later. Each of these
 * has an index.
 */
const compare = ([bound, operator, than]: DateComparison, bounds: DateBounds): RawBuilder<SqlBool> => {
  const time = bounds[than];
  const isSo = (column: 'from' | 'until', compared: RawBuilder<number>) =>
    sql<SqlBool>`dates.${sql.id(column)} ${sql.raw(operator)} ${compared}`;
  if (bound === 'from') return isSo('from', time);
  const longest = sql.lit(longestShortDate);
  const begins = operator.startsWith('<')
    ? isSo('from', time)
    : sql`(${isSo('from', sql`${time} - ${longest}`)} or dates."until" - dates."from" > ${longest})`;
  return sql`(${isSo('until', time)} and ${begins})`;
};

/** The core's `dateMatches` for an interval `dates`. */
const prefixMatches = (prefix: MergedDate['prefix'], bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map((comparison) => compare(comparison, bounds));
  return sql`(${sql.join(parts, sql.raw(` ${join} `))})`;
};

const listedBounds: DateBounds = { from: sql`asked."from"`, until: sql`asked."until"` };

/** Reads a condition from each query of a shape. */
type ConditionOf = (query: ResolvedQuery) => ResolvedCondition | undefined;

type DateCondition = Extract<ResolvedCondition, { readonly on: 'date' | 'at' }>;

/** Whether an interval `dates` of a condition's term is one that the condition asks for. */
const dateFits = (
  placeholder: Placeholder<ResolvedQuery>,
  { anyOf }: DateCondition,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => {
  const datesOf = (query: ResolvedQuery, group: number): readonly MergedDate[] =>
    (conditionOf(query) as DateCondition).anyOf[group]?.anyOf ?? [];
  const groupFits = ({ prefix, anyOf: dates }: DateGroup, group: number) => {
    if (dates.length === 1) {
      return prefixMatches(prefix, {
        from: placeholder('bigint', (query) => datesOf(query, group)[0]?.from),
        until: placeholder('bigint', (query) => datesOf(query, group)[0]?.until),
      });
    }
    const froms = placeholder('bigint[]', (query) => datesOf(query, group).map(({ from }) => from));
    const untils = placeholder('bigint[]', (query) => datesOf(query, group).map(({ until }) => until));
    return sql<SqlBool>`exists (
      select from unnest(${froms}, ${untils}) as asked ("from", "until") where ${prefixMatches(prefix, listedBounds)}
    )`;
  };
  return sql`(${sql.join(anyOf.map(groupFits), sql` or `)})`;
};

/** The SQL of a condition for a row of `searchable`. */
type ConditionSql = {
  /** Whether the condition holds for the row. */
  readonly holds: RawBuilder<SqlBool>;
  /** Whether a side table leads to the row. It holds if the condition does, and finds rows without reading all. */
  readonly leads: RawBuilder<SqlBool>;
};

type ConditionOn<On> = Extract<ResolvedCondition, { readonly on: On }>;

const always = sql<SqlBool>`true`;

/** Whether a row has any of the terms of a condition. `hasAny` compares it with an array of terms. */
const matchesTerms = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  { on }: ConditionOn<'term'> | OpenCondition,
  conditionOf: ConditionOf,
  hasAny: (terms: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  if (on === 'term') {
    return hasAny(placeholder('uuid[]', (query) => (conditionOf(query) as ConditionOn<'term'>).anyOf));
  }
  const openOf = (query: ResolvedQuery) => conditionOf(query) as OpenCondition;
  const listed = placeholder<unknown>('uuid[]', (query) => openOf(query).terms);
  const others = selectTerms(builder, placeholder, on, (query) => ({ ...openOf(query), type: query.type }));
  return sql`(${hasAny(listed)} or ${hasAny(sql`array(${others} and terms.term <> all(${listed}))`)})`;
};

/** The SQL of a condition of a query. Every search of the same shape can use it. */
export const conditionSql = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  condition: ResolvedCondition,
  conditionOf: ConditionOf,
): ConditionSql => {
  const { table } = builder;
  switch (condition.on) {
    case 'id':
    case 'patient': {
      const column = sql.ref(condition.on === 'id' ? 'searchable.id' : 'searchable.patient_id');
      const texts = (query: ResolvedQuery) =>
        (conditionOf(query) as ConditionOn<'id' | 'patient'>).anyOf.map(
          condition.on === 'id' ? encodeText : encodePatient,
        );
      const isSingle = condition.on === 'patient' && condition.anyOf.length === 1;
      const holds = isSingle
        ? sql<SqlBool>`${column} = ${placeholder('text', (query) => texts(query)[0])}`
        : sql<SqlBool>`${column} = any(${placeholder('text[]', texts)})`;
      if (condition.on === 'patient') return { holds, leads: always };
      const leads = sql<SqlBool>`(searchable.patient_id, searchable.record) in (
        select records.patient_id, records.position from ${table('records')} as records
        where records.id = any(${placeholder('text[]', texts)})
          and records.type = ${placeholder('text', ({ type }) => encodeText(type))}
      )`;
      return { holds, leads };
    }
    case 'term':
    case 'token':
    case 'string': {
      const matches = (hasAny: (terms: RawBuilder<unknown>) => RawBuilder<SqlBool>) =>
        matchesTerms(builder, placeholder, condition, conditionOf, hasAny);
      return {
        holds: matches((terms) => sql`searchable.terms && ${terms}`),
        leads: sql`exists (
          select from ${table('entries')} as entries
          where ${matches((terms) => sql`entries.term = any(${terms})`)}
            and entries.record = searchable.record and entries.patient_id = searchable.patient_id
        )`,
      };
    }
    case 'at':
      return {
        holds: sql`exists (
          select from (values (searchable.at, searchable.at + 1)) as dates ("from", "until")
          where ${dateFits(placeholder, condition, conditionOf)}
        )`,
        leads: always,
      };
    case 'date': {
      const term = placeholder('uuid', (query) => (conditionOf(query) as ConditionOn<'date'>).term);
      const fits = dateFits(placeholder, condition, conditionOf);
      return {
        holds: sql`exists (
          select from unnest(searchable.date_terms, searchable.date_from, searchable.date_until)
            as dates (term, "from", "until")
          where dates.term = ${term} and ${fits}
        )`,
        leads: sql`exists (
          select from ${table('dates')} as dates
          where dates.term = ${term} and ${fits}
            and dates.record = searchable.record and dates.patient_id = searchable.patient_id
        )`,
      };
    }
    case 'entry': {
      const entryOf = (query: ResolvedQuery) => conditionOf(query) as ConditionOn<'entry'>;
      // With `offset 0`, PostgreSQL looks up the few terms of each row, instead of all terms of the parameter.
      const holds = sql<SqlBool>`exists (
        select from unnest(searchable.terms) as own (term)
        cross join lateral (
          select kind, parameter from ${table('terms')} as terms where terms.term = own.term offset 0
        ) as terms
        where terms.kind = ${placeholder('text', (query) => entryOf(query).kind)}
          and terms.parameter = ${placeholder('text', (query) => encodeText(entryOf(query).parameter))}
      )`;
      return { holds, leads: always };
    }
    case 'not': {
      const within = (query: ResolvedQuery) => (conditionOf(query) as ConditionOn<'not'>).condition;
      const { holds, leads } = conditionSql(builder, placeholder, condition.condition, within);
      // A side table leads to few of these rows, unless it says as much as the condition.
      return {
        holds: sql`not ${holds}`,
        leads: hasManyTerms(condition) ? sql`not ${leads}` : always,
      };
    }
  }
};
