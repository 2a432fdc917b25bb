import type { MergedDate } from '@clinical-records/core';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Bindings } from './bindings.ts';
import type { DateGroup } from './search.ts';

/** A date as it is asked for. */
export type Asked = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

type Prefix = MergedDate['prefix'];

/** The core's `dateMatches` of an entry `dates`. As no interval ends before it begins, `ge` holds of what ends later, or begins within or later. */
const holds = (prefix: Prefix, { from, until }: Asked): RawBuilder<SqlBool> => {
  switch (prefix) {
    case 'eq':
      return sql`(dates."from" >= ${from} and dates.until <= ${until})`;
    case 'gt':
      return sql`dates.until > ${until}`;
    case 'ge':
      return sql`(dates.until > ${until} or dates."from" >= ${from})`;
    case 'lt':
      return sql`dates."from" < ${from}`;
    case 'le':
      return sql`(dates."from" < ${from} or dates.until <= ${until})`;
    case 'sa':
      return sql`dates."from" >= ${until}`;
    case 'eb':
      return sql`dates.until <= ${from}`;
    case 'ap':
      return sql`(dates."from" < ${until} and dates.until > ${from})`;
  }
};

/** A stretch of one column, which an index serves. All of which the prefix holds lies in it. */
const stretch = (prefix: Prefix, { from, until }: Asked): RawBuilder<SqlBool> => {
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

const listedDate: Asked = { from: sql`asked."from"`, until: sql`asked.until` };

/** A list of dates as a table: `distinct` has SQLite take it apart once, and a cross join stays in its order. */
const tableOf = (list: RawBuilder<string>) =>
  sql`(select distinct value ->> 0 as "from", value ->> 1 as until from json_each(${list})) as asked`;

type DateBindings = ReturnType<Bindings['dates']>;

const partsOf = (bindings: DateBindings, groups: readonly DateGroup[]) =>
  groups.map(({ prefix, anyOf }, at) =>
    anyOf.length === 1
      ? { prefix, asked: bindings.date(at), table: null }
      : { prefix, asked: listedDate, table: tableOf(bindings.list(at)) },
  );

const dates = sql`${sql.table('dates')} as dates`;

/**
 * Whether a condition holds of a record, by one of its entries on dates. A list is gone through for each entry: in a join, for
 * SQLite takes it apart again for each record where it stands in a query of its own.
 */
export const dateHolds = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  record: RawBuilder<number>,
): RawBuilder<SqlBool> => {
  const parts = partsOf(bindings, groups);
  const hasEntry = (rows: RawBuilder<unknown>, lies: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
    // No index that begins with the term.
    sql`exists (select 1 from ${rows} where dates.record = ${record} and +dates.term = ${bindings.term} and (${sql.join(lies, sql` or `)}))`;
  const single = parts.filter(({ table }) => table === null);
  const listed = parts.flatMap(({ prefix, asked, table }) =>
    table === null ? [] : [hasEntry(sql`${dates} cross join ${table}`, [holds(prefix, asked)])],
  );
  const lies = single.map(({ prefix, asked }) => holds(prefix, asked));
  return sql`(${sql.join(lies.length === 0 ? listed : [hasEntry(dates, lies), ...listed], sql` or `)})`;
};

/**
 * The entries that an index finds for a condition, and of each whether it `fits`: so it can be said how many are looked at.
 * Each prefix is a select of its own, with its stretch of an index.
 */
export const datesInStretches = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
): RawBuilder<unknown> => {
  const selects = partsOf(bindings, groups).map(({ prefix, asked, table }) => {
    const rows = table === null ? dates : sql`${table} cross join ${dates}`;
    return sql`select dates.record, ${holds(prefix, asked)} as fits from ${rows} where dates.term = ${bindings.term} and ${stretch(prefix, asked)}`;
  });
  return sql.join(selects, sql` union all `);
};
