import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Placeholder } from '../statement.ts';
import { encodeText } from '../text.ts';
import { type ConditionOf, type ConditionOn, conditionHolds, hasDate, isOfPatients } from './conditions.ts';
import { type List, positiveOf, selectList } from './lists.ts';
import { hasManyTerms, type ResolvedCondition, type ResolvedQuery } from './resolve-query.ts';

// The rows of a chart are spread over the table, nearly each on a page of its own. An index has some hundred entries on a page. So the
// lists of the conditions are read and intersected with a large chart, although they have the records of all charts.

/** The smallest chart of which the lists are read. The rows of a smaller one cost less. */
const smallestLargeChart = 256;

/** How many entries of the clinic are read at most for each record of the charts. */
const entriesPerRecord = 16;

/** A condition whose records an index lists, in a chart or in all charts. */
const isIndexed = (condition: ResolvedCondition): boolean => {
  const positive = positiveOf(condition);
  return positive.on === 'date' || (['term', 'token'].includes(positive.on) && !hasManyTerms(positive));
};

/** Whether indexes have all that the conditions of a search in charts need. */
export const isOfIndexes = ({ conditions }: ResolvedQuery): boolean =>
  conditions.some(({ on }) => on === 'patient') &&
  conditions.every((condition) => ['patient', 'at'].includes(condition.on) || isIndexed(condition));

/** Whether the rows of a large chart need not be read to filter it. */
export const isFilteredByIndexes = (query: ResolvedQuery): boolean =>
  isOfIndexes(query) && query.conditions.some(({ on }) => on !== 'patient');

type IndexedList = List & { readonly isExcluded: boolean };

const indexedListsOf = ({ conditions }: ResolvedQuery): readonly IndexedList[] =>
  conditions.flatMap((condition, index): IndexedList[] => {
    if (!isIndexed(condition)) return [];
    const isExcluded = condition.on === 'not';
    const conditionOf: ConditionOf = (query) => {
      const own = query.conditions[index];
      return own?.on === 'not' ? own.condition : own;
    };
    return [{ condition: positiveOf(condition) as List['condition'], conditionOf, isExcluded }];
  });

const all = (conditions: readonly RawBuilder<unknown>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

const isOfType = (placeholder: Placeholder<ResolvedQuery>) =>
  sql<SqlBool>`searchable.type = ${placeholder('text', ({ type }) => encodeText(type))}`;

/** Whether a row of a table is of the charts of a search. */
export const isOfCharts = (
  placeholder: Placeholder<ResolvedQuery>,
  { conditions }: ResolvedQuery,
  table: string,
): RawBuilder<SqlBool> =>
  all(
    conditions.flatMap((condition, index) =>
      condition.on === 'patient'
        ? [isOfPatients(placeholder, condition, (query) => query.conditions[index], table)]
        : [],
    ),
  );

/** Selects whether the charts of a search are large together. */
export const selectIsLarge = (placeholder: Placeholder<ResolvedQuery>, shape: ResolvedQuery) => sql`
  select count(*) >= ${sql.lit(smallestLargeChart)} as is_large from (
    select from ${placeholder.rows('searchable')} as searchable
    where ${all([isOfType(placeholder), isOfCharts(placeholder, shape, 'searchable')])}
    limit ${sql.lit(smallestLargeChart)}
  ) as counted`;

/** A search in charts that only reads indexes, unless the charts are small, or a list of the clinic is too long for them. */
type ListedSearch = {
  /** The common table expressions. The last one, `listed`, has the matches, with the times of their versions. */
  readonly parts: RawBuilder<unknown>;
  /** Whether `listed` is empty because the rows must be compared. Null if that is never so. */
  readonly mustCompare: RawBuilder<SqlBool> | null;
};

/** Selects the matches of a search for which `isOfIndexes` holds. */
export const selectListed = (placeholder: Placeholder<ResolvedQuery>, shape: ResolvedQuery): ListedSearch => {
  const isInTime = shape.conditions.flatMap((condition, index) =>
    condition.on === 'at' ? [conditionHolds(placeholder, condition, (query) => query.conditions[index])] : [],
  );
  const selectChart = (conditions: readonly RawBuilder<SqlBool>[]) => sql`
    select searchable.record, searchable.patient_id, searchable.at
    from ${placeholder.rows('searchable')} as searchable
    where ${all([isOfType(placeholder), isOfCharts(placeholder, shape, 'searchable'), ...conditions])}`;
  const lists = indexedListsOf(shape);
  if (lists.length === 0)
    return { parts: sql`listed as materialized (${selectChart(isInTime)})`, mustCompare: null };
  // The number of entries that the lists before have left. Behind a list that is too long, none is read.
  let remaining = sql`(select remaining from size)`;
  const areShort: RawBuilder<SqlBool>[] = [];
  const ofClinic: RawBuilder<unknown>[] = [];
  const ofDates = (condition: ConditionOn<'date'>, conditionOf: ConditionOf) => {
    const hasOne = hasDate(placeholder, condition, conditionOf);
    return sql`select record from ${placeholder.rows('dates')} as dates
      where ${all([hasOne, isOfCharts(placeholder, shape, 'dates'), ...areShort])}`;
  };
  const named = lists.map((list, index) => {
    const { condition, conditionOf } = list;
    if (condition.on === 'date') return { list, records: () => ofDates(condition, conditionOf) };
    const name = sql.ref(`list_${index}`);
    const entries = selectList(placeholder, list, { columns: sql`record, patient_id`, where: sql`true` });
    ofClinic.push(sql`${name} as materialized (
      select count(*) <= ${remaining} as is_short, ${remaining} - count(*) as remaining,
        array_agg(record) filter (where ${isOfCharts(placeholder, shape, 'entries')}) as records
      from (${entries} limit ${remaining} + 1) as entries
    ),`);
    remaining = sql`(select remaining from ${name})`;
    areShort.push(sql<SqlBool>`(select is_short from ${name})`);
    return { list, records: () => sql`select unnest(records) from ${name}` };
  });
  const sets = named
    .toSorted((a, b) => Number(a.list.isExcluded) - Number(b.list.isExcluded))
    .map(({ list, records }) => sql`${sql.raw(list.isExcluded ? 'except' : 'intersect')} ${records()}`);
  // The rows of both become one of each match. In a join, PostgreSQL could compare each with each.
  const parts = sql`chart as materialized (${selectChart([])}), size as materialized (
      select case when count(*) >= ${sql.lit(smallestLargeChart)}
        then count(*) * ${sql.lit(entriesPerRecord)} else -1 end as remaining
      from chart
    ), ${sql.join(ofClinic, sql` `)} listed as materialized (
      select record, max(patient_id) as patient_id, max(at) as at from (
        select *, false as is_match from chart
        union all
        select record, null, null, true from (
          select record from chart as searchable where ${all([sql`true`, ...isInTime, ...areShort])}
          ${sql.join(sets, sql` `)}
        ) as matches
      ) as found
      group by record having bool_or(is_match)
    )`;
  return { parts, mustCompare: areShort.length === 0 ? null : sql<SqlBool>`not (${all(areShort)})` };
};
