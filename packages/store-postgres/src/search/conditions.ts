import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { longestShortDate, toTime } from '../schema.ts';
import type { Placeholder } from '../statement.ts';
import { encodePatient, encodeText } from '../text.ts';
import {
  hasManyTerms,
  type OpenCondition,
  type ResolvedCondition,
  type ResolvedQuery,
  selectTerms,
} from './resolve-query.ts';

type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

/** The core's `dateMatches` for an interval `dates`. */
const prefixMatches = (prefix: MergedDate['prefix'], bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map(
    ([bound, operator, than]) => sql`dates.${sql.id(bound)} ${sql.raw(operator)} ${bounds[than]}`,
  );
  return sql`(${sql.join(parts, sql.raw(` ${join} `))})`;
};

const listedBounds: DateBounds = { from: sql`asked."from"`, until: sql`asked."until"` };

/** Reads a condition from each query of a shape. */
export type ConditionOf = (query: ResolvedQuery) => ResolvedCondition | undefined;

type DateCondition = Extract<ResolvedCondition, { readonly on: 'date' | 'at' }>;

/** Whether an interval `dates` is one that a condition asks for. */
const dateFits = (
  placeholder: Placeholder<ResolvedQuery>,
  { anyOf, end }: DateCondition,
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
  const groups = sql<SqlBool>`(${sql.join(anyOf.map(groupFits), sql` or `)})`;
  if (end === undefined) return groups;
  const endOf = (query: ResolvedQuery) => (conditionOf(query) as DateCondition).end;
  return sql`(${groups} and ${prefixMatches(end.prefix, {
    from: placeholder('bigint', (query) => endOf(query)?.from),
    until: placeholder('bigint', (query) => endOf(query)?.until),
  })})`;
};

export type ConditionOn<On> = Extract<ResolvedCondition, { readonly on: On }>;

/** Whether an interval `dates` is of a condition's term, and one that it asks for. */
export const hasDate = (
  placeholder: Placeholder<ResolvedQuery>,
  condition: ConditionOn<'date'>,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => {
  const term = placeholder('uuid', (query) => (conditionOf(query) as ConditionOn<'date'>).term);
  return sql`dates.term = ${term} and ${dateFits(placeholder, condition, conditionOf)}`;
};

const isBoundBy = (operator: '>' | '<') => (prefix: MergedDate['prefix']) =>
  dateComparisons[prefix].comparisons.some(([, each]) => each.startsWith(operator));
const hasBeginning = isBoundBy('>');
const hasEnd = isBoundBy('<');

/** The times between which indexes look for the dates of a condition, as placeholders. */
type DateRange = { readonly first: RawBuilder<number>; readonly last: RawBuilder<number> };

/**
 * The range of a condition: from the first date that it names to the last one, but within the limits. No interval for which the condition
 * holds ends before `first`, or begins after `last`. It does not hold for each of the others.
 */
const rangeOf = (
  placeholder: Placeholder<ResolvedQuery>,
  conditionOf: ConditionOf,
  [earliest, latest]: readonly [number, number],
): DateRange => {
  const groupsOf = (query: ResolvedQuery) => (conditionOf(query) as DateCondition).anyOf;
  const first = (query: ResolvedQuery): number =>
    Math.min(
      ...groupsOf(query).flatMap(({ prefix, anyOf }) =>
        hasBeginning(prefix) ? anyOf.map(({ from }) => Math.max(from, earliest)) : [earliest],
      ),
    );
  const last = (query: ResolvedQuery): number =>
    Math.min(
      (conditionOf(query) as DateCondition).end?.until ?? latest,
      Math.max(
        ...groupsOf(query).flatMap(({ prefix, anyOf }) =>
          hasEnd(prefix) ? anyOf.map(({ until }) => Math.min(until, latest)) : [latest],
        ),
      ),
    );
  return { first: placeholder('bigint', first), last: placeholder('bigint', last) };
};

/** Times in milliseconds before and after those that a version can have. */
const timesOfVersions = [-1e14, 8e15] as const;

/** Whether a version was committed in the range of a condition on the time. The condition does not hold for each of these. */
export const isCommittedInRange = (
  placeholder: Placeholder<ResolvedQuery>,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => {
  const { first, last } = rangeOf(placeholder, conditionOf, timesOfVersions);
  return sql`versions.committed >= ${toTime(first)} and versions.committed < ${toTime(last)}`;
};

/**
 * Selects the rows of `dates` that fit a condition in two parts, each of which is a range of an index. Few dates are long: an index
 * has their ends. A short one begins at most so long before the range, and its index has all that a search needs.
 */
export const selectDates = (
  placeholder: Placeholder<ResolvedQuery>,
  condition: ConditionOn<'date'>,
  conditionOf: ConditionOf,
  { columns, where }: { readonly columns: RawBuilder<unknown>; readonly where: RawBuilder<SqlBool> },
): RawBuilder<unknown> => {
  const { first, last } = rangeOf(placeholder, conditionOf, [
    Number.MIN_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  ]);
  const longest = sql.lit(longestShortDate);
  const select = (isInPart: RawBuilder<SqlBool>) => sql`
    select ${columns} from ${placeholder.rows('dates')} as dates
    where ${hasDate(placeholder, condition, conditionOf)} and ${isInPart} and ${where}`;
  const isShort = sql<SqlBool>`dates."until" - dates."from" <= ${longest}
    and dates."from" >= ${first} - ${longest} and dates."from" <= ${last}`;
  const isLong = sql<SqlBool>`dates."until" - dates."from" > ${longest} and dates."until" >= ${first}`;
  return sql`${select(isShort)} union all ${select(isLong)}`;
};

const selectOpen = (
  placeholder: Placeholder<ResolvedQuery>,
  on: OpenCondition['on'],
  conditionOf: ConditionOf,
): RawBuilder<unknown> =>
  selectTerms(placeholder, on, (query) => ({ ...(conditionOf(query) as OpenCondition), type: query.type }));

/** The terms of the tokens of an open condition that have a system and a code. */
const exactTerms = (placeholder: Placeholder<ResolvedQuery>, conditionOf: ConditionOf) =>
  placeholder('uuid[]', (query) => (conditionOf(query) as ConditionOn<'token'>).terms);

/** All terms of an open condition, as an array. PostgreSQL finds them once for a statement. */
export const openTerms = (
  placeholder: Placeholder<ResolvedQuery>,
  on: OpenCondition['on'],
  conditionOf: ConditionOf,
): RawBuilder<unknown> => {
  const found = sql`array(${selectOpen(placeholder, on, conditionOf)})`;
  return on === 'token' ? sql`(${found} || ${exactTerms(placeholder, conditionOf)})` : found;
};

/** Whether a row has any of the terms of an open condition. */
const holdsOpen = (
  placeholder: Placeholder<ResolvedQuery>,
  condition: OpenCondition,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => {
  const { on } = condition;
  if (!hasManyTerms(condition)) return sql`searchable.terms && ${openTerms(placeholder, on, conditionOf)}`;
  // PostgreSQL hashes the terms for `in`, but would compare each with those of each row for `&&`.
  const isExact = on === 'token' ? sql`own.term = any(${exactTerms(placeholder, conditionOf)})` : sql`false`;
  return sql`exists (
    select from unnest(searchable.terms) as own (term)
    where own.term in (${selectOpen(placeholder, on, conditionOf)}) or ${isExact}
  )`;
};

const idsOf = (placeholder: Placeholder<ResolvedQuery>, conditionOf: ConditionOf) =>
  placeholder('text[]', (query) =>
    (conditionOf(query) as ConditionOn<'id' | 'patient'>).anyOf.map(encodeText),
  );

/** Whether a row has any of the ids of a condition. It is found by its key, without reading others. */
export const hasName = (
  placeholder: Placeholder<ResolvedQuery>,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => sql`(searchable.patient_id, searchable.record) in (
  select records.patient_id, records.position from ${placeholder.rows('records')} as records
  where records.id = any(${idsOf(placeholder, conditionOf)})
    and records.type = ${placeholder('text', ({ type }) => encodeText(type))}
)`;

/** Whether a term is of the kind and the parameter of a condition. */
const isOfParameter = (placeholder: Placeholder<ResolvedQuery>, conditionOf: ConditionOf) => {
  const entryCondition = (query: ResolvedQuery) => conditionOf(query) as ConditionOn<'entry'>;
  return sql<SqlBool>`terms.kind = ${placeholder('text', (query) => entryCondition(query).kind)}
    and terms.parameter = ${placeholder('text', (query) => encodeText(entryCondition(query).parameter))}`;
};

export const termsOfParameter = (
  placeholder: Placeholder<ResolvedQuery>,
  conditionOf: ConditionOf,
): RawBuilder<unknown> => sql`array(
  select terms.term from ${placeholder.rows('terms')} as terms
  where terms.type = ${placeholder('text', ({ type }) => encodeText(type))} and ${isOfParameter(placeholder, conditionOf)}
)`;

/** Whether a row of a table is of one of the patients of a condition. */
export const isOfPatients = (
  placeholder: Placeholder<ResolvedQuery>,
  { anyOf }: ConditionOn<'id' | 'patient'>,
  conditionOf: ConditionOf,
  table = 'searchable',
): RawBuilder<SqlBool> => {
  const patients = (query: ResolvedQuery) =>
    (conditionOf(query) as ConditionOn<'id' | 'patient'>).anyOf.map(encodePatient);
  const column = sql.ref(`${table}.patient_id`);
  return anyOf.length === 1
    ? sql`${column} = ${placeholder('text', (query) => patients(query)[0])}`
    : sql`${column} = any(${placeholder('text[]', patients)})`;
};

/** Whether a condition of a query holds for a row of `searchable`. Every search of the same shape can use it. */
export const conditionHolds = (
  placeholder: Placeholder<ResolvedQuery>,
  condition: ResolvedCondition,
  conditionOf: ConditionOf,
): RawBuilder<SqlBool> => {
  switch (condition.on) {
    case 'id':
      return sql`searchable.id = any(${idsOf(placeholder, conditionOf)})`;
    case 'patient':
      return isOfPatients(placeholder, condition, conditionOf);
    case 'term':
      return sql`searchable.terms && ${placeholder('uuid[]', (query) => (conditionOf(query) as ConditionOn<'term'>).anyOf)}`;
    case 'token':
    case 'string':
      return holdsOpen(placeholder, condition, conditionOf);
    case 'at':
      return sql`exists (
        select from (values (searchable.at, searchable.at + 1)) as dates ("from", "until")
        where ${dateFits(placeholder, condition, conditionOf)}
      )`;
    case 'date':
      return sql`exists (
        select from unnest(searchable.date_terms, searchable.date_from, searchable.date_until)
          as dates (term, "from", "until")
        where ${hasDate(placeholder, condition, conditionOf)}
      )`;
    case 'entry':
      // With `offset 0`, PostgreSQL looks up the few terms of each row, instead of all terms of the parameter.
      return sql`exists (
        select from unnest(searchable.terms) as own (term)
        cross join lateral (
          select kind, parameter from ${placeholder.rows('terms')} as terms where terms.term = own.term offset 0
        ) as terms
        where ${isOfParameter(placeholder, conditionOf)}
      )`;
    case 'not': {
      const within = (query: ResolvedQuery) => (conditionOf(query) as ConditionOn<'not'>).condition;
      return sql`not ${conditionHolds(placeholder, condition.condition, within)}`;
    }
  }
};
