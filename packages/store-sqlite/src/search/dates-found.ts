import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Schema } from '../schema.ts';
import { dateAlternatives, type Wanted } from './date-alternatives.ts';
import type { DatesWanted } from './dates-wanted.ts';
import type { Places } from './places.ts';

const listed: Wanted = {
  from: sql.ref('wanted.from'),
  until: sql.ref('wanted.until'),
  after: sql.ref('wanted.after'),
};

const term = sql.ref<number>('dates.term');
const { or } = expressionBuilder<Schema, 'dates'>();

/**
 * The entries on dates that lie as one of the alternatives of a condition says: of all records, or of one.
 *
 * Of all records, each alternative is a select of its own, with its range of an index, whatever SQLite would guess of them
 * together. Of one record, no range is needed.
 * The times of one prefix are a list, however many: `distinct` has SQLite take it apart once, and a cross join stays in its
 * order, so that the list is gone through for each entry of the one record, or the index for each time.
 */
export const datesFound = (
  db: QueryBuilder,
  places: ReturnType<Places['dates']>,
  asked: readonly DatesWanted[],
  record: Expression<number> | null,
) => {
  const rowsOf = (list: Expression<string>) => {
    const times = sql<object>`(select distinct value ->> 0 as "from", value ->> 1 as "until", value ->> 2 as "after" from json_each(${list}))`;
    const wanted = times.as<'wanted'>(sql.ref('wanted'));
    return record === null
      ? db.selectFrom(wanted).crossJoin('dates').select('dates.record')
      : db.selectFrom('dates').crossJoin(wanted).select('dates.record');
  };
  // Of one record, no index that begins with the term.
  const among =
    record === null
      ? sql<SqlBool>`${term} = ${places.term}`
      : sql<SqlBool>`+${term} = ${places.term} and ${sql.ref('dates.record')} = ${record}`;
  const [first, ...others] = asked.flatMap(({ prefix, anyOf }, at) => {
    const isList = anyOf.length > 1;
    const rows = isList ? rowsOf(places.times(at)) : db.selectFrom('dates').select('dates.record');
    const lie = dateAlternatives(prefix, isList ? listed : places.time(at));
    return (record === null ? lie : [or(lie)]).map((lies) => rows.where(among).where(lies));
  });
  if (first === undefined) throw new Error('A condition has no alternative.');
  return others.reduce((all, other) => all.unionAll(other), first);
};
