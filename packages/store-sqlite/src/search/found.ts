import type { Query } from '@clinical-records/core';
import { type AliasableExpression, type Expression, type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Given } from '../statement.ts';
import type { Criteria } from './criteria.ts';
import { datesMatch } from './date-condition.ts';

/** A query and what it asks for: the arguments of every statement that searches. */
export type Search = { readonly query: Query; readonly criteria: readonly Criteria[] };

/** Where a search begins: at the entries that one of its criteria finds, or at the records themselves. */
export type Lead = number | 'records';

/** Records by their positions. */
export type Found = AliasableExpression<{ record: number }>;

/** The SQL of searches of one shape: `criteria` are those of the first such search, and stand for their form alone. */
export const foundBy = (db: QueryBuilder, given: Given<Search>, criteria: readonly Criteria[]) => {
  const among = <T>(at: number): { operator: '=' | 'in'; value: RawBuilder<T> } =>
    criteria[at]?.anyOf.length === 1
      ? { operator: '=', value: sql<T>`${given((search) => search.criteria[at]?.anyOf[0])}` }
      : {
          operator: 'in',
          value: sql<T>`(select value from json_each(${given((search) => JSON.stringify(search.criteria[at]?.anyOf))}))`,
        };

  const timeOf = (at: number) => (alternative: number, end: 'from' | 'until') =>
    given(({ criteria }): number => {
      const asked = criteria[at];
      return asked?.on === 'date' ? (asked.anyOf[alternative]?.[end] ?? 0) : 0;
    });

  const termOf = (at: number) =>
    given(({ criteria }): number => {
      const asked = criteria[at];
      return asked?.on === 'date' ? asked.term : 0;
    });

  const records = (): Found => {
    let found = db
      .selectFrom('records')
      .select('records.position as record')
      .where(
        'records.type',
        '=',
        given(({ query }) => query.type),
      )
      .where('records.resource', 'is not', null);
    for (const [at, { on }] of criteria.entries()) {
      const { operator, value } = among<string>(at);
      if (on === 'id') found = found.where('records.id', operator, value);
      if (on === 'patient') found = found.where('records.patient_id', operator, value);
    }
    return found;
  };

  const entries = (at: number) => {
    const { operator, value } = among<number>(at);
    return db.selectFrom('entries').select('entries.record').where('entries.term', operator, value);
  };

  const dates = (at: number, asked: Extract<Criteria, { on: 'date' }>) =>
    db
      .selectFrom('dates')
      .select('dates.record')
      .where('dates.term', '=', termOf(at))
      .where(datesMatch(asked.anyOf, timeOf(at)));

  /** All that the lead finds, each record once. */
  const leading = (lead: Lead): Found => {
    const asked = lead === 'records' ? undefined : criteria[lead];
    if (lead === 'records' || asked === undefined) return records();
    if (asked.on === 'date') return dates(lead, asked).distinct();
    return asked.anyOf.length === 1 ? entries(lead) : entries(lead).distinct();
  };

  /** The entries of the record by which another condition holds too; null where the lead has seen to it. */
  const entriesFor = (at: number, record: Expression<number>) => {
    const asked = criteria[at];
    if (asked?.on === 'term') return entries(at).where('entries.record', '=', record);
    if (asked?.on === 'date') return dates(at, asked).where('dates.record', '=', record);
    return null;
  };

  /** All records of which every condition holds, each once. */
  const all = (lead: Lead) => {
    let found = db.selectFrom(leading(lead).as('found')).select('found.record');
    for (const at of criteria.keys()) {
      const entriesToo = at === lead ? null : entriesFor(at, sql.ref<number>('found.record'));
      if (entriesToo !== null) found = found.where(({ exists }) => exists(entriesToo));
    }
    return found;
  };

  return { leading, all };
};
