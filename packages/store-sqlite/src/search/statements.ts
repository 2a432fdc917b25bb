import type { Match } from '@clinical-records/core';
import { sql } from 'kysely';
import { type BoundedCache, boundedCache } from '../bounded-cache.ts';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { type Given, prepare, type Statement } from '../statement.ts';
import { foundBy } from './found.ts';
import { placesIn } from './places.ts';
import type { Lead, NumberedCondition, Search } from './search.ts';

type Counted = { readonly total: number };
/** From which side the place of a page is counted. */
type Side = 'start' | 'end';
type Capped = Search & { readonly cap: number };

/** The statements of a search, each prepared once for all searches of its shape, unless that is a long one. */
export type SearchStatements = {
  readonly page: (search: Search, lead: Lead, from: Side) => Match[];
  readonly total: (search: Search, lead: Lead) => number;
  /** How many records the lead comes by, some more than once, counted no further than the cap. */
  readonly countUpTo: (cap: number, search: Search, lead: Lead) => number;
};

/** Conditions of equal shape are asked for by the same SQL. */
const shapeOf = (condition: NumberedCondition): string => {
  if (condition.on === 'date') {
    return condition.anyOf.map(({ prefix, anyOf }) => (anyOf.length === 1 ? prefix : `${prefix}s`)).join();
  }
  return condition.anyOf.length === 1 ? condition.on : `${condition.on}s`;
};

const startOf = ({ start }: Search) => ('offset' in start ? 'offset' : 'after');
const offsetOf = ({ start }: Search): number => ('offset' in start ? start.offset : 0);
const afterOf = ({ start }: Search): number => ('after' in start ? start.after : 0);

const distinctShapes = 128;

/** The longest shape whose statements are kept: a longer one seldom comes twice, and each of its statements is large. */
const longestShape = 64;

const statementsByShape = <S>(): BoundedCache<S>['get'] => {
  const kept = boundedCache<S>(distinctShapes);
  return (shape, make) => (shape.length > longestShape ? make() : kept.get(shape, make));
};

export const searchStatements = (database: SqliteDatabase, db: QueryBuilder): SearchStatements => {
  const pages = statementsByShape<Statement<Search, Match>>();
  const totals = statementsByShape<Statement<Search, Counted>>();
  const counts = statementsByShape<Statement<Capped, Counted>>();

  const keyOf = ({ conditions }: Search, lead: Lead) => `${lead} ${conditions.map(shapeOf).join(' ')}`;

  const foundOf = ({ conditions }: Search, given: Given<Search>) =>
    foundBy(db, placesIn(given, conditions), conditions);

  const pageOf = (search: Search, lead: Lead, from: Side) => (given: Given<Search>) => {
    const { all, total } = foundOf(search, given);
    const [count, offset] = [given.of('count'), given.from(offsetOf)];
    const ordered = all(lead).orderBy('found.record', from === 'end' ? 'desc' : 'asc');
    const placed = () => {
      if (startOf(search) === 'after') {
        return ordered.where('found.record', '>', given.from(afterOf)).limit(count);
      }
      if (from === 'start') return ordered.limit(count).offset(offset);
      const rest = sql<number>`max(0, ${total(lead)} - ${offset})`;
      return ordered
        .limit(sql<number>`min(${rest}, ${count})`)
        .offset(sql<number>`max(0, ${rest} - ${count})`);
    };
    return db
      .selectFrom(placed().as('page'))
      .innerJoin('records', 'records.position', 'page.record')
      .select(['records.position', 'records.id', 'records.resource'])
      .$narrowType<{ resource: string }>()
      .orderBy('page.record');
  };

  const totalOf = (search: Search, lead: Lead) => (given: Given<Search>) =>
    db.selectNoFrom(foundOf(search, given).total(lead).as('total'));

  const countOf = (search: Search, lead: Lead) => (given: Given<Capped>) => {
    const passed = db.selectFrom(foundOf(search, given).passed(lead).as('passed')).select('passed.record');
    return db
      .selectFrom(passed.limit(given.of('cap')).as('counted'))
      .select(({ fn }) => fn.countAll<number>().as('total'));
  };

  return {
    page: (search, lead, from) => {
      const key = `${startOf(search)} ${from} ${keyOf(search, lead)}`;
      return pages(key, () => prepare(database, pageOf(search, lead, from))).all(search);
    },
    total: (search, lead) => {
      const statement = totals(keyOf(search, lead), () => prepare(database, totalOf(search, lead)));
      return statement.first(search)?.total ?? 0;
    },
    countUpTo: (cap, search, lead) => {
      const statement = counts(keyOf(search, lead), () => prepare(database, countOf(search, lead)));
      return statement.first({ ...search, cap })?.total ?? 0;
    },
  };
};
