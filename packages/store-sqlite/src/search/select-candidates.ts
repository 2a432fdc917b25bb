import { type DateGroup, dateComparisons, type MergedDate } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { column, longestShortDate } from '../schema.ts';
import type { Bindings } from './bindings.ts';
import { alternativesOf, type ResolvedCondition } from './plan-search.ts';

export type DateBounds = { readonly from: RawBuilder<number>; readonly until: RawBuilder<number> };

type Prefix = MergedDate['prefix'];

/** Keeps SQLite from using an index that begins with the column, where its estimate would be wrong. */
const withoutIndex = <T>(name: RawBuilder<T>) => sql<T>`+${name}`;

type Interval = { readonly from: RawBuilder<unknown>; readonly until: RawBuilder<unknown> };

/** The interval of an index entry of a date. */
const entryInterval: Interval = { from: column('entries.from'), until: column('entries.until') };

/** The core's `dateMatches` for an interval of a row. */
const prefixMatches = (prefix: Prefix, interval: Interval, bounds: DateBounds): RawBuilder<SqlBool> => {
  const { join, comparisons } = dateComparisons[prefix];
  const parts = comparisons.map(
    ([bound, operator, than]) => sql`${interval[bound]} ${sql.raw(operator)} ${bounds[than]}`,
  );
  return sql`(${sql.join(parts, sql.raw(` ${join} `))})`;
};

/**
 * The entries that end after a bound, in two ranges, each with an index. The first are those that begin at most one short
 * date before the bound, or later. The others are long.
 */
const rangesOfEnd = (operator: '>' | '>=', bound: RawBuilder<number>): readonly RawBuilder<SqlBool>[] => {
  const longest = sql.lit(longestShortDate);
  const beginsLate = (from: RawBuilder<unknown>) =>
    sql<SqlBool>`${from} ${sql.raw(operator)} ${bound} - ${longest}`;
  const { from, until } = entryInterval;
  return [
    beginsLate(from),
    sql`${until} - ${from} > ${longest} and ${until} ${sql.raw(operator)} ${bound} and not (${beginsLate(withoutIndex(from))})`,
  ];
};

/** Ranges of indexed columns. They include every entry for which the prefix holds, and none twice. */
const indexRanges = (prefix: Prefix, { from, until }: DateBounds): readonly RawBuilder<SqlBool>[] => {
  const begin = entryInterval.from;
  switch (prefix) {
    case 'eq':
      return [sql`${begin} between ${from} and ${until}`];
    case 'gt':
      return rangesOfEnd('>', until);
    case 'ge':
      return rangesOfEnd('>=', from);
    case 'lt':
      return [sql`${begin} < ${from}`];
    case 'le':
      return [sql`${begin} <= ${until}`];
    case 'sa':
      return [sql`${begin} >= ${until}`];
    case 'eb':
      return [sql`${begin} <= ${from}`];
    case 'ap':
      return rangesOfEnd('>', from);
  }
};

const listedBounds: DateBounds = { from: sql`asked."from"`, until: sql`asked.until` };

/** A list of ranges as a table. With `distinct` SQLite parses the list once, and a cross join keeps its order. */
const listTable = (list: RawBuilder<string>) =>
  sql`(select distinct value ->> 0 as "from", value ->> 1 as until from json_each(${list})) as asked`;

type DateBindings = ReturnType<Bindings['dates']>;

const groupParts = (bindings: DateBindings, groups: readonly DateGroup[]) =>
  groups.map(({ prefix, anyOf }, index) =>
    anyOf.length === 1
      ? { prefix, bounds: bindings.date(index), table: null }
      : { prefix, bounds: listedBounds, table: listTable(bindings.list(index)) },
  );

/** Whether an interval also ends as a condition asks. */
const endFits = ({ end }: DateBindings, interval: Interval): RawBuilder<SqlBool> =>
  end === null ? sql`true` : prefixMatches(end.prefix, interval, end.bounds);

/** Whether an interval begins early enough to end so: a range of an index. */
const beginsBeforeEnd = ({ end }: DateBindings, begin: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  end === null ? sql`true` : sql`${begin} <= ${end.bounds.until}`;

const recordsTable = sql.table('records');
const entriesTable = sql.table('entries');

const candidateRecord = sql<number>`found.record`;

/** Rows that each have an interval, and which of them are of a record. */
type DateRows = {
  readonly table: RawBuilder<unknown>;
  readonly interval: Interval;
  readonly isOfRecord: RawBuilder<SqlBool>;
};

/** The dates of a record under a term. */
const datesOfRecord = (record: RawBuilder<number>, term: RawBuilder<number | null>): DateRows => ({
  table: entriesTable,
  interval: entryInterval,
  isOfRecord: sql`${column('entries.record')} = ${record} and ${withoutIndex(column('entries.term'))} = ${term}`,
});

/** The time of the current version of a record. */
const timeOfRecord = (record: RawBuilder<number>): DateRows => ({
  table: recordsTable,
  interval: { from: column('records.at'), until: sql`${column('records.at')} + 1` },
  isOfRecord: sql`${column('records.position')} = ${record}`,
});

/** The record whose position is the value of a row. */
const recordAtValue = sql<number>`value`;

/** The time of the current version of that record. */
export const timeOfVersion = sql`(select ${column('records.at')} from ${recordsTable} where ${column('records.position')} = ${recordAtValue})`;

/** The first or the last of the dates of that record under a term; null if it has none. */
export const timeOfDates = (
  term: RawBuilder<number | null>,
  which: 'first' | 'last',
): RawBuilder<unknown> => {
  const { table, interval, isOfRecord } = datesOfRecord(recordAtValue, term);
  const time = which === 'last' ? sql`max(${interval.until})` : sql`min(${interval.from})`;
  return sql`(select ${time} from ${table} where ${isOfRecord})`;
};

/**
 * Whether a condition holds for a record, by one of its dates. A list is searched for each date in a join. In a
 * subquery, SQLite would parse the list again for each record.
 */
const dateConditionHolds = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  rows: DateRows,
): RawBuilder<SqlBool> => {
  const parts = groupParts(bindings, groups);
  const hasEntry = (
    from: RawBuilder<unknown>,
    comparisons: readonly RawBuilder<SqlBool>[],
  ): RawBuilder<SqlBool> =>
    sql`exists (select 1 from ${from} where ${rows.isOfRecord} and (${sql.join(comparisons, sql` or `)}) and ${endFits(bindings, rows.interval)})`;
  const single = parts.filter(({ table }) => table === null);
  const listed = parts.flatMap(({ prefix, bounds, table }) =>
    table === null
      ? []
      : [hasEntry(sql`${rows.table} cross join ${table}`, [prefixMatches(prefix, rows.interval, bounds)])],
  );
  const comparisons = single.map(({ prefix, bounds }) => prefixMatches(prefix, rows.interval, bounds));
  return sql`(${sql.join(comparisons.length === 0 ? listed : [hasEntry(rows.table, comparisons), ...listed], sql` or `)})`;
};

/**
 * The entries that an index finds for a condition, and whether each one `fits`. So all entries that are looked at can
 * be counted. Each range of an index has a select of its own.
 */
const selectDatesByIndex = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  term: RawBuilder<number>,
): RawBuilder<unknown> => {
  const selects = groupParts(bindings, groups).flatMap(({ prefix, bounds, table }) => {
    const rows = table === null ? entriesTable : sql`${table} cross join ${entriesTable}`;
    const fits = sql`${prefixMatches(prefix, entryInterval, bounds)} and ${endFits(bindings, entryInterval)}`;
    const isBefore = beginsBeforeEnd(bindings, entryInterval.from);
    return indexRanges(prefix, bounds).map(
      (range) =>
        sql`select ${column('entries.record')} as record, ${fits} as fits from ${rows} where ${column('entries.term')} = ${term} and ${range} and ${isBefore}`,
    );
  });
  return sql.join(selects, sql` union all `);
};

/** The range of times in which the prefix can hold for the millisecond of a version. */
const timeRange = (prefix: Prefix, { from, until }: DateBounds): RawBuilder<SqlBool> => {
  const at = column('records.at');
  switch (prefix) {
    case 'eq':
      return sql`${at} between ${from} and ${until}`;
    case 'gt':
    case 'sa':
      return sql`${at} >= ${until} - 1`;
    case 'ge':
    case 'ap':
      return sql`${at} >= ${from} - 1`;
    case 'lt':
    case 'eb':
      return sql`${at} <= ${from}`;
    case 'le':
      return sql`${at} <= ${until}`;
  }
};

/** The records of a type that an index finds by the time of their current version, and whether each one `fits`. */
const selectTimesByIndex = (
  bindings: DateBindings,
  groups: readonly DateGroup[],
  readable: RawBuilder<SqlBool>,
): RawBuilder<unknown> => {
  const selects = groupParts(bindings, groups).map(({ prefix, bounds, table }) => {
    const rows = table === null ? recordsTable : sql`${table} cross join ${recordsTable}`;
    const { interval } = timeOfRecord(candidateRecord);
    const fits = sql`${prefixMatches(prefix, interval, bounds)} and ${endFits(bindings, interval)}`;
    return sql`select ${column('records.position')} as record, ${fits} as fits from ${rows} where ${readable} and ${timeRange(prefix, bounds)} and ${beginsBeforeEnd(bindings, interval.from)}`;
  });
  return sql.join(selects, sql` union all `);
};

/**
 * The source of a search's candidates. It is an index with the order of creation, for all records of the type or for
 * one condition, or a list of everything that one condition finds.
 */
export type CandidateSource =
  | { readonly from: 'type' }
  | { readonly from: 'index'; readonly conditionIndex: number }
  | { readonly from: 'list'; readonly conditionIndex: number; readonly records: readonly number[] };

const valuesIn = (list: RawBuilder<string>) => sql`(select value from json_each(${list}))`;

/** Whether a term is one that criteria match. SQLite builds an index of each list, once for all records. */
const matchesCriteria = ({
  isAny,
  systems,
  codes,
  pairs,
}: Omit<ReturnType<Bindings['token']>, 'parameter'>) =>
  sql<SqlBool>`(${isAny} or ${column('terms.system')} in ${valuesIn(systems)} or ${column('terms.code')} in ${valuesIn(codes)}
    or (${column('terms.system')}, ${column('terms.code')}) in (select value ->> 0, value ->> 1 from json_each(${pairs})))`;

const termsTable = sql.table('terms');

/** Whether a found record has a term of a kind that fits, in the table of terms or a join with it. */
const hasTerm = (
  kind: 'token' | 'reference' | 'string',
  parameter: RawBuilder<string>,
  { table, fits }: { readonly table: RawBuilder<unknown>; readonly fits: RawBuilder<SqlBool> },
) =>
  sql<SqlBool>`exists (select 1 from ${entriesTable} cross join ${table} where ${column('entries.record')} = ${candidateRecord}
    and ${column('terms.term')} = ${column('entries.term')} and ${withoutIndex(column('terms.parameter'))} = ${parameter} and ${withoutIndex(column('terms.kind'))} = ${sql.lit(kind)} and ${fits})`;

/** Whether a condition holds for a found record. It reads few entries of the record, however long a list is. */
export const conditionHolds = (
  bindings: Bindings,
  conditions: readonly ResolvedCondition[],
  index: number,
): RawBuilder<SqlBool> => {
  const condition = conditions[index];
  switch (condition?.on) {
    case 'id':
      return sql`exists (select 1 from ${recordsTable} where ${column('records.position')} = ${candidateRecord} and ${withoutIndex(column('records.id'))} ${bindings.equalsAny(index)})`;
    case 'patient':
      return sql`exists (select 1 from ${recordsTable} where ${column('records.position')} = ${candidateRecord} and ${withoutIndex(column('records.patient_id'))} ${bindings.equalsAny(index)})`;
    case 'term': {
      const entryTerm = column('entries.term');
      const term = condition.anyOf.length === 1 ? entryTerm : withoutIndex(entryTerm);
      return sql`exists (select 1 from ${entriesTable} where ${column('entries.record')} = ${candidateRecord} and ${term} ${bindings.equalsAny(index)})`;
    }
    case 'token': {
      const { parameter, ...criteria } = bindings.token(index);
      return hasTerm('token', parameter, { table: termsTable, fits: matchesCriteria(criteria) });
    }
    case 'string': {
      const { parameter, ranges } = bindings.words(index);
      return hasTerm('string', parameter, {
        table: sql`${termsTable} cross join ${listTable(ranges)}`,
        fits: sql`${column('terms.code')} >= asked."from" and ${column('terms.code')} < asked.until`,
      });
    }
    case 'entry':
      return hasTerm(condition.kind, bindings.entry(index), { table: termsTable, fits: sql`true` });
    case 'date':
      return dateConditionHolds(
        bindings.dates(index),
        condition.anyOf,
        datesOfRecord(candidateRecord, bindings.term(index)),
      );
    case 'at':
      return dateConditionHolds(bindings.dates(index), condition.anyOf, timeOfRecord(candidateRecord));
    case 'not':
      return sql`not ${conditionHolds(bindings, conditions.with(index, condition.condition), index)}`;
    case undefined:
      throw new Error('There is no such condition.');
  }
};

/** The records after (or before) a position, in (or against) the order of their creation, at most `width` of them. */
export const selectCandidates = (
  bindings: Bindings,
  source: CandidateSource,
  conditions: readonly ResolvedCondition[],
  {
    behind,
    width,
    isBackwards,
  }: {
    readonly behind: RawBuilder<number>;
    readonly width: RawBuilder<number>;
    readonly isBackwards: boolean;
  },
): RawBuilder<unknown> => {
  const readable = sql`${column('records.type')} = ${bindings.type} and ${column('records.readable')} = 1`;
  const stretch = (position: RawBuilder<unknown>) =>
    isBackwards
      ? sql`${position} < ${behind} order by ${position} desc limit ${width}`
      : sql`${position} > ${behind} order by ${position} limit ${width}`;
  if (source.from === 'type') {
    return sql`select ${column('records.position')} as record from ${recordsTable} where ${readable} and ${stretch(column('records.position'))}`;
  }
  if (source.from === 'list') throw new Error('A list is not a part of the database.');
  return conditions[source.conditionIndex]?.on === 'patient'
    ? sql`select ${column('records.position')} as record from ${recordsTable} where ${column('records.patient_id')} ${bindings.equalsAny(source.conditionIndex)} and ${readable} and ${stretch(column('records.position'))}`
    : sql`select ${column('entries.record')} as record from ${entriesTable} where ${column('entries.term')} ${bindings.equalsAny(source.conditionIndex)} and ${column('entries.from')} = 0 and ${column('entries.until')} = 0 and ${stretch(column('entries.record'))}`;
};

/**
 * The entries that an index finds for a condition, and whether each one `fits`. A record occurs once for each entry.
 * Returns null if no index can find them.
 */
export const selectByIndex = (
  bindings: Bindings,
  conditions: readonly ResolvedCondition[],
  index: number,
): RawBuilder<unknown> | null => {
  const condition = conditions[index];
  const isList = alternativesOf(condition).length > 1;
  const type = column('records.type');
  const readable = sql<SqlBool>`${isList ? withoutIndex(type) : type} = ${bindings.type} and ${column('records.readable')} = 1`;
  switch (condition?.on) {
    case 'id':
      return sql`select ${column('records.position')} as record, 1 as fits from ${recordsTable} where ${column('records.id')} ${bindings.equalsAny(index)} and ${readable}`;
    case 'patient':
      return sql`select ${column('records.position')} as record, 1 as fits from ${recordsTable} where ${column('records.patient_id')} ${bindings.equalsAny(index)} and ${readable}`;
    case 'term':
      return sql`select ${column('entries.record')} as record, 1 as fits from ${entriesTable} where ${column('entries.term')} ${bindings.equalsAny(index)}`;
    case 'date':
      return selectDatesByIndex(bindings.dates(index), condition.anyOf, bindings.term(index));
    case 'at':
      return selectTimesByIndex(
        bindings.dates(index),
        condition.anyOf,
        sql<SqlBool>`${type} = ${bindings.type} and ${column('records.readable')} = 1`,
      );
    default:
      return null;
  }
};
