import type { TokenCriterion } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Placeholder } from '../statement.ts';
import { encodePatient, encodeText } from '../text.ts';
import { dateFits } from './date-condition.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

/** The SQL of a condition for a row of `searchable`. */
type ConditionSql = {
  /** Whether the condition holds for the row. */
  readonly holds: RawBuilder<SqlBool>;
  /** Whether a side table leads to the row. It holds if the condition does, and finds rows without reading all. */
  readonly leads: RawBuilder<SqlBool>;
};

type ConditionOn<On> = Extract<ResolvedCondition, { readonly on: On }>;

const always = sql<SqlBool>`true`;

/** The terms of a condition, as an array. */
const termsOf = (
  { table }: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  { on }: ConditionOn<'term' | 'token'>,
  at: number,
): RawBuilder<unknown> => {
  if (on === 'term') {
    return placeholder('uuid[]', (query) => (query.conditions[at] as ConditionOn<'term'>).anyOf);
  }
  const read =
    <T>(part: (condition: ConditionOn<'token'>) => T) =>
    (query: ResolvedQuery): T =>
      part(query.conditions[at] as ConditionOn<'token'>);
  const list = (partOf: (criterion: TokenCriterion) => string | null) =>
    placeholder(
      'text[]',
      read(({ anyOf }) => anyOf.flatMap((one) => partOf(one) ?? []).map(encodeText)),
    );
  const isAny = read(({ anyOf }) => anyOf.some(({ system, code }) => system === null && code === null));
  return sql`(${placeholder(
    'uuid[]',
    read(({ terms }) => terms),
  )} || array(
    select term from ${table('terms')}
    where kind = 'token'
      and type = ${placeholder('text', ({ type }) => encodeText(type))}
      and parameter = ${placeholder(
        'text',
        read(({ parameter }) => encodeText(parameter)),
      )}
      and (code = any(${list(({ code }) => code)}) or system = any(${list(({ system }) => system)})
        or ${placeholder('boolean', isAny)})
  ))`;
};

/** The SQL of the condition with a number in the query. Every search of the same shape can use it. */
export const conditionSql = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  condition: ResolvedCondition,
  at: number,
): ConditionSql => {
  const { table } = builder;
  switch (condition.on) {
    case 'id':
    case 'patient': {
      const column = sql.ref(condition.on === 'id' ? 'searchable.id' : 'searchable.patient_id');
      const texts = (query: ResolvedQuery) =>
        (query.conditions[at] as ConditionOn<'id' | 'patient'>).anyOf.map(
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
      return {
        holds: sql`searchable.terms && ${termsOf(builder, placeholder, condition, at)}`,
        leads: sql`exists (
          select from ${table('entries')} as entries
          where entries.term = any(${termsOf(builder, placeholder, condition, at)})
            and entries.record = searchable.record and entries.patient_id = searchable.patient_id
        )`,
      };
    case 'at':
      return {
        holds: sql`exists (
          select from (values (searchable.at, searchable.at + 1)) as dates ("from", "until")
          where ${dateFits(placeholder, condition, at)}
        )`,
        leads: always,
      };
    case 'date': {
      const term = placeholder('uuid', (query) => (query.conditions[at] as ConditionOn<'date'>).term);
      const fits = dateFits(placeholder, condition, at);
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
  }
};
