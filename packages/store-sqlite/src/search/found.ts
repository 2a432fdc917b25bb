import { type AliasableExpression, type Expression, type RawBuilder, sql } from 'kysely';
import { readableOf } from '../counts.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { datesFound } from './dates-found.ts';
import type { Places } from './places.ts';
import type { Lead, NumberedCondition } from './search.ts';

/** Records by their positions. */
type Found = AliasableExpression<{ record: number }>;

const readable = sql.lit(1);
const found = sql.ref<number>('found.record');

/** Keeps SQLite from an index that begins with the column. */
const unindexed = <T>(column: Expression<T>) => sql<T>`+${column}`;

/** Whether ids or patients are asked for, and by lists alone. */
const isLedByLists = (conditions: readonly NumberedCondition[]): boolean => {
  const named = conditions.filter(({ on }) => on === 'id' || on === 'patient');
  return named.length > 0 && named.every(({ anyOf }) => anyOf.length > 1);
};

/**
 * The SQL of searches of one shape.
 *
 * SQLite guesses how many rows a condition leaves. Where it guesses wrong, it is kept from the index that it would take.
 */
export const foundBy = (db: QueryBuilder, places: Places, conditions: readonly NumberedCondition[]) => {
  const records = (): Found => {
    const type = sql.ref<string>('records.type');
    const patientId = sql.ref<string | null>('records.patient_id');
    const byLists = isLedByLists(conditions);
    // An id leads to one record, and a patient to many.
    const byIds = byLists && conditions.some(({ on }) => on === 'id');
    const ofPatient = byIds ? unindexed(patientId) : patientId;
    let found = db
      .selectFrom('records')
      .select('records.position as record')
      .where(byLists ? unindexed(type) : type, '=', places.type)
      .where('records.readable', '=', readable);
    for (const [at, { on }] of conditions.entries()) {
      if (on !== 'id' && on !== 'patient') continue;
      const { operator, value } = places.among<string>(at);
      found = found.where(on === 'id' ? sql.ref('records.id') : ofPatient, operator, value);
    }
    return found;
  };

  /**
   * The entries by which a condition on terms holds: of all records, or of one. Of one, SQLite would look for each term of
   * a list, however long, rather than read the few entries that the record has.
   */
  const entries = (at: number, record: Expression<number> | null) => {
    const { operator, value } = places.among<number>(at);
    const term = sql.ref<number>('entries.term');
    const select = db.selectFrom('entries').select('entries.record');
    return record === null
      ? select.where(term, operator, value)
      : select
          .where(operator === 'in' ? unindexed(term) : term, operator, value)
          .where('entries.record', '=', record);
  };

  /** The entries by which a condition holds, of all records or of one; null where it is of the records themselves. */
  const entriesFor = (at: number, record: Expression<number> | null): Found | null => {
    const asked = conditions[at];
    if (asked?.on === 'term') return entries(at, record);
    return asked?.on === 'date' ? datesFound(db, places.dates(at), asked.anyOf, record) : null;
  };

  /** What the lead comes by: a record as often as one of its entries fits. */
  const passed = (lead: Lead): Found => (lead === 'records' ? null : entriesFor(lead, null)) ?? records();

  /** All that the lead finds, each record once. */
  const leading = (lead: Lead): Found => {
    const asked = lead === 'records' ? undefined : conditions[lead];
    if (asked === undefined || (asked.on === 'term' && asked.anyOf.length === 1)) return passed(lead);
    return db.selectFrom(passed(lead).as('passed')).select('passed.record').distinct();
  };

  /** All records of which every condition holds, each once. */
  const all = (lead: Lead) => {
    let matching = db.selectFrom(leading(lead).as('found')).select('found.record');
    for (const at of conditions.keys()) {
      const entriesToo = at === lead ? null : entriesFor(at, found);
      if (entriesToo !== null) matching = matching.where(({ exists }) => exists(entriesToo));
    }
    return matching;
  };

  /** How many there are in all. Of a whole type, most are counted already. */
  const total = (lead: Lead): RawBuilder<number> =>
    conditions.length === 0
      ? readableOf(db, places.type)
      : sql`(${db.selectFrom(all(lead).as('counted')).select(({ fn }) => fn.countAll<number>().as('total'))})`;

  return { passed, all, total };
};
