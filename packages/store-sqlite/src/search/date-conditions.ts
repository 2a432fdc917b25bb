import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { longestShortDate } from '../schema.ts';
import type { Bindings } from './bindings.ts';

/** The bounds of a date to search for. */
export type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

type Prefix = MergedDate['prefix'];

/** The core's `dateMatches` for an interval `dates`. */
const prefixMatches = (prefix: MergedDate['prefix'], bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map(
    ([bound, operator, than]) => sql`dates.${sql.id(bound)} ${sql.raw(operator)} ${bounds[than]}`,
  );
  return sql`(${sql.join(parts, sql.raw(` ${join} `))})`;
};

/**
 * The entries that end after a bound, by two ranges, each with an index. The first are those that begin at most one short
 * date before the bound, or later. The others are long.
 */
const rangesOfEnd = (operator: '>' | '>=', bound: RawBuilder<number>): readonly RawBuilder<SqlBool>[] => {
  const longest = sql.lit(longestShortDate);
  const beginsLate = (from: RawBuilder<unknown>) =>
    sql<SqlBool>`${from} ${sql.raw(operator)} ${bound} - ${longest}`;
  return [
    beginsLate(sql`dates."from"`),
    sql`dates.until - dates."from" > ${longest} and dates.until ${sql.raw(operator)} ${bound} and not (${beginsLate(sql`+dates."from"`)})`,
  ];
};

/** Ranges of indexed columns. They include every entry for which the prefix holds, and none twice. */
const indexRanges = (prefix: Prefix, { from, until }: DateBounds): readonly RawBuilder<SqlBool>[] => {
  switch (prefix) {
    case 'eq':
      return [sql`dates."from" between ${from} and ${until}`];
    case 'gt':
      return rangesOfEnd('>', until);
    case 'ge':
      return rangesOfEnd('>=', from);
    case 'lt':
      return [sql`dates."from" < ${from}`];
    case 'le':
      return [sql`dates."from" <= ${until}`];
    case 'sa':
      return [sql`dates."from" >= ${until}`];
    case 'eb':
      return [sql`dates."from" <= ${from}`];
    case 'ap':
      return rangesOfEnd('>', from);
  }
};

const listedBounds: DateBounds = { from: sql`asked."from"`, until: sql`asked.until` };

/** A list of dates as a table. With `distinct` SQLite parses the list once, and a cross join keeps its order. */
const dateListTable = (list: RawBuilder<string>) =>
  sql`(select distinct value ->> 0 as "from", value ->> 1 as until from json_each(${list})) as asked`;

type DateBindings = ReturnType<Bindings['dates']>;

const groupParts = (bindings: DateBindings, groups: readonly DateGroup[]) =>
  groups.map(({ prefix, anyOf }, at) =>
    anyOf.length === 1
      ? { prefix, bounds: bindings.date(at), table: null }
      : { prefix, bounds: listedBounds, table: dateListTable(bindings.list(at)) },
  );

const datesTable = sql`${sql.table('dates')} as dates`;

/** Rows `dates`, each with an interval, and which of them are of a record. */
type DateRows = { readonly table: RawBuilder<unknown>; readonly isOfRecord: RawBuilder<SqlBool> };

/** The dates of a record under a term. */
export const datesOfRecord = (record: RawBuilder<number>, term: RawBuilder<number>): DateRows => ({
  table: datesTable,
  // Keeps SQLite from using an index that begins with the term.
  isOfRecord: sql`dates.record = ${record} and +dates.term = ${term}`,
});

/** The time of the current version of a record. */
export const timeOfRecord = (record: RawBuilder<number>): DateRows => ({
  table: sql`(select position, at as "from", at + 1 as until from ${sql.table('records')}) as dates`,
  isOfRecord: sql`dates.position = ${record}`,
});

/**
 * Whether a condition holds for a record, by one of its dates. A list is searched for each date in a join. In a
 * subquery, SQLite would parse the list again for each record.
 */
export const dateConditionHolds = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  rows: DateRows,
): RawBuilder<SqlBool> => {
  const parts = groupParts(bindings, groups);
  const hasEntry = (
    from: RawBuilder<unknown>,
    comparisons: readonly RawBuilder<SqlBool>[],
  ): RawBuilder<SqlBool> =>
    sql`exists (select 1 from ${from} where ${rows.isOfRecord} and (${sql.join(comparisons, sql` or `)}))`;
  const single = parts.filter(({ table }) => table === null);
  const listed = parts.flatMap(({ prefix, bounds, table }) =>
    table === null ? [] : [hasEntry(sql`${rows.table} cross join ${table}`, [prefixMatches(prefix, bounds)])],
  );
  const comparisons = single.map(({ prefix, bounds }) => prefixMatches(prefix, bounds));
  return sql`(${sql.join(comparisons.length === 0 ? listed : [hasEntry(rows.table, comparisons), ...listed], sql` or `)})`;
};

/**
 * The entries that an index finds for a condition, and whether each one `fits`. So all entries that are looked at can
 * be counted. Each range of an index has a select of its own.
 */
export const selectDatesByIndex = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  term: RawBuilder<number>,
): RawBuilder<unknown> => {
  const selects = groupParts(bindings, groups).flatMap(({ prefix, bounds, table }) => {
    const rows = table === null ? datesTable : sql`${table} cross join ${datesTable}`;
    return indexRanges(prefix, bounds).map(
      (range) =>
        sql`select dates.record, ${prefixMatches(prefix, bounds)} as fits from ${rows} where dates.term = ${term} and ${range}`,
    );
  });
  return sql.join(selects, sql` union all `);
};
