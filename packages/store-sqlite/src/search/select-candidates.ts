import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Bindings } from './bindings.ts';
import { dateConditionHolds, datesOfRecord, selectDatesByIndex, timeOfRecord } from './date-conditions.ts';
import type { ResolvedCondition } from './plan-search.ts';

/**
 * The source of a search's candidates. It is an index with the order of creation, for all records of the type or for
 * one condition, or a list of everything that one condition finds.
 */
export type CandidateSource =
  | { readonly from: 'type' }
  | { readonly from: 'index'; readonly at: number }
  | { readonly from: 'list'; readonly at: number; readonly records: readonly number[] };

const candidateRecord = sql<number>`found.record`;

/** Keeps SQLite from using an index that begins with the column, where its estimate would be wrong. */
const withoutIndex = <T>(column: RawBuilder<T>) => sql<T>`+${column}`;

const recordsTable = sql`${sql.table('records')} as records`;
const entriesTable = sql`${sql.table('entries')} as entries`;

const valuesIn = (list: RawBuilder<string>) => sql`(select value from json_each(${list}))`;

/** Whether a term is one that criteria match. SQLite builds an index of each list, once for all records. */
const matchesCriteria = ({ isAny, systems, codes, pairs }: ReturnType<Bindings['token']>) =>
  sql<SqlBool>`(${isAny} or terms.system in ${valuesIn(systems)} or terms.code in ${valuesIn(codes)}
    or (terms.system, terms.code) in (select value ->> 0, value ->> 1 from json_each(${pairs})))`;

/** Whether a condition holds for a found record. It reads few entries of the record, however long a list is. */
export const conditionHolds = (
  bindings: Bindings,
  conditions: readonly ResolvedCondition[],
  at: number,
): RawBuilder<SqlBool> => {
  const condition = conditions[at];
  switch (condition?.on) {
    case 'id':
      return sql`exists (select 1 from ${recordsTable} where records.position = ${candidateRecord} and ${withoutIndex(sql`records.id`)} ${bindings.equalsAny(at)})`;
    case 'patient':
      return sql`exists (select 1 from ${recordsTable} where records.position = ${candidateRecord} and ${withoutIndex(sql`records.patient_id`)} ${bindings.equalsAny(at)})`;
    case 'term': {
      const term = condition.anyOf.length === 1 ? sql`entries.term` : withoutIndex(sql`entries.term`);
      return sql`exists (select 1 from ${entriesTable} where entries.record = ${candidateRecord} and ${term} ${bindings.equalsAny(at)})`;
    }
    case 'token': {
      const tokenBindings = bindings.token(at);
      return sql`exists (select 1 from ${entriesTable} cross join ${sql.table('terms')} as terms where entries.record = ${candidateRecord}
        and terms.term = entries.term and ${withoutIndex(sql`terms.parameter`)} = ${tokenBindings.parameter} and ${withoutIndex(sql`terms.kind`)} = 'token' and ${matchesCriteria(tokenBindings)})`;
    }
    case 'date':
      return dateConditionHolds(
        bindings.dates(at),
        condition.anyOf,
        datesOfRecord(candidateRecord, bindings.term(at)),
      );
    case 'at':
      return dateConditionHolds(bindings.dates(at), condition.anyOf, timeOfRecord(candidateRecord));
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
  const readable = sql`records.type = ${bindings.type} and records.readable = 1`;
  const stretch = (position: RawBuilder<number>) =>
    isBackwards
      ? sql`${position} < ${behind} order by ${position} desc limit ${width}`
      : sql`${position} > ${behind} order by ${position} limit ${width}`;
  if (source.from === 'type') {
    return sql`select records.position as record from ${recordsTable} where ${readable} and ${stretch(sql`records.position`)}`;
  }
  if (source.from === 'list') throw new Error('A list is not a part of the database.');
  return conditions[source.at]?.on === 'patient'
    ? sql`select records.position as record from ${recordsTable} where records.patient_id ${bindings.equalsAny(source.at)} and ${readable} and ${stretch(sql`records.position`)}`
    : sql`select entries.record from ${entriesTable} where entries.term ${bindings.equalsAny(source.at)} and ${stretch(sql`entries.record`)}`;
};

/**
 * The entries that an index finds for a condition, and whether each one `fits`. A record occurs once for each entry.
 * Returns null if no index can find them.
 */
export const selectByIndex = (
  bindings: Bindings,
  conditions: readonly ResolvedCondition[],
  at: number,
): RawBuilder<unknown> | null => {
  const condition = conditions[at];
  const isList = (condition?.anyOf.length ?? 0) > 1;
  const type = sql`records.type`;
  const readable = sql`${isList ? withoutIndex(type) : type} = ${bindings.type} and records.readable = 1`;
  switch (condition?.on) {
    case 'id':
      return sql`select records.position as record, 1 as fits from ${recordsTable} where records.id ${bindings.equalsAny(at)} and ${readable}`;
    case 'patient':
      return sql`select records.position as record, 1 as fits from ${recordsTable} where records.patient_id ${bindings.equalsAny(at)} and ${readable}`;
    case 'term':
      return sql`select entries.record, 1 as fits from ${entriesTable} where entries.term ${bindings.equalsAny(at)}`;
    case 'date':
      return selectDatesByIndex(bindings.dates(at), condition.anyOf, bindings.term(at));
    default:
      return null;
  }
};
