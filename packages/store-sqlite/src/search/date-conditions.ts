import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
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

/** A range of one indexed column. It includes every entry for which the prefix holds. */
const indexRange = (prefix: Prefix, { from, until }: DateBounds): RawBuilder<SqlBool> => {
  switch (prefix) {
    case 'eq':
      return sql`dates."from" between ${from} and ${until}`;
    case 'gt':
      return sql`dates.until > ${until}`;
    case 'ge':
      return sql`dates.until >= ${from}`;
    case 'lt':
      return sql`dates."from" < ${from}`;
    case 'le':
      return sql`dates."from" <= ${until}`;
    case 'sa':
      return sql`dates."from" >= ${until}`;
    case 'eb':
      return sql`dates.until <= ${from}`;
    case 'ap':
      return sql`dates.until > ${from}`;
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
 * be counted. Each prefix has a select of its own, with its range of an index.
 */
export const selectDatesByIndex = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  term: RawBuilder<number>,
): RawBuilder<unknown> => {
  const selects = groupParts(bindings, groups).map(({ prefix, bounds, table }) => {
    const rows = table === null ? datesTable : sql`${table} cross join ${datesTable}`;
    return sql`select dates.record, ${prefixMatches(prefix, bounds)} as fits from ${rows} where dates.term = ${term} and ${indexRange(prefix, bounds)}`;
  });
  return sql.join(selects, sql` union all `);
};
