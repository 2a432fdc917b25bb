import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Bindings } from './bindings.ts';
import { dateHolds, datesInStretches } from './date-conditions.ts';
import type { NumberedCondition } from './search.ts';

/**
 * Where a search takes its candidates from: from an index that has them in the order of their creation, of all records of the
 * type or by the condition at a place, or from a list, which all that the condition at a place finds was put into.
 */
export type Source =
  | { readonly from: 'type' }
  | { readonly from: 'index'; readonly at: number }
  | { readonly from: 'list'; readonly at: number; readonly records: readonly number[] };

const found = sql<number>`found.record`;

/** Keeps SQLite from an index that begins with the column, where it would guess wrong. */
const unindexed = <T>(column: RawBuilder<T>) => sql<T>`+${column}`;

const records = sql`${sql.table('records')} as records`;
const entries = sql`${sql.table('entries')} as entries`;

/** Whether a term is one that a list of criteria asks for. */
const isAsked = (list: RawBuilder<string>) => sql<SqlBool>`exists (select 1 from json_each(${list}) as asked
  where coalesce(asked.value ->> 0, terms.system) = terms.system and coalesce(asked.value ->> 1, terms.code) = terms.code)`;

/** Whether the condition at a place holds of the record that was found. Of one record, few entries are read, however long a list is. */
export const holdsOfFound = (
  bindings: Bindings,
  conditions: readonly NumberedCondition[],
  at: number,
): RawBuilder<SqlBool> => {
  const condition = conditions[at];
  switch (condition?.on) {
    case 'id':
      return sql`exists (select 1 from ${records} where records.position = ${found} and ${unindexed(sql`records.id`)} ${bindings.among(at)})`;
    case 'patient':
      return sql`exists (select 1 from ${records} where records.position = ${found} and ${unindexed(sql`records.patient_id`)} ${bindings.among(at)})`;
    case 'term': {
      const term = condition.anyOf.length === 1 ? sql`entries.term` : unindexed(sql`entries.term`);
      return sql`exists (select 1 from ${entries} where entries.record = ${found} and ${term} ${bindings.among(at)})`;
    }
    case 'token': {
      const { parameter, list } = bindings.token(at);
      return sql`exists (select 1 from ${entries} cross join ${sql.table('terms')} as terms where entries.record = ${found}
        and terms.term = entries.term and ${unindexed(sql`terms.parameter`)} = ${parameter} and ${unindexed(sql`terms.kind`)} = 'token' and ${isAsked(list)})`;
    }
    case 'date':
      return dateHolds(bindings.dates(at), condition.anyOf, found);
    case undefined:
      throw new Error('There is no such condition.');
  }
};

/** Some records in the order of their creation, or the other way round: those `behind` a position, no more than a `width`. */
export const candidatesFrom = (
  bindings: Bindings,
  source: Source,
  conditions: readonly NumberedCondition[],
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
    return sql`select records.position as record from ${records} where ${readable} and ${stretch(sql`records.position`)}`;
  }
  if (source.from === 'list') throw new Error('A list is no part of the database.');
  return conditions[source.at]?.on === 'patient'
    ? sql`select records.position as record from ${records} where records.patient_id ${bindings.among(source.at)} and ${readable} and ${stretch(sql`records.position`)}`
    : sql`select entries.record from ${entries} where entries.term ${bindings.among(source.at)} and ${stretch(sql`entries.record`)}`;
};

/** What an index finds for the condition at a place, and whether it `fits`: a record as often as one of its entries does; null where no index serves it. */
export const foundByIndex = (
  bindings: Bindings,
  conditions: readonly NumberedCondition[],
  at: number,
): RawBuilder<unknown> | null => {
  const condition = conditions[at];
  const isList = (condition?.anyOf.length ?? 0) > 1;
  const type = sql`records.type`;
  const readable = sql`${isList ? unindexed(type) : type} = ${bindings.type} and records.readable = 1`;
  switch (condition?.on) {
    case 'id':
      return sql`select records.position as record, 1 as fits from ${records} where records.id ${bindings.among(at)} and ${readable}`;
    case 'patient':
      return sql`select records.position as record, 1 as fits from ${records} where records.patient_id ${bindings.among(at)} and ${readable}`;
    case 'term':
      return sql`select entries.record, 1 as fits from ${entries} where entries.term ${bindings.among(at)}`;
    case 'date':
      return datesInStretches(bindings.dates(at), condition.anyOf);
    default:
      return null;
  }
};
