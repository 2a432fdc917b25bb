import type { Match } from '@clinical-records/core';
import { type RawBuilder, sql } from 'kysely';
import { type BoundedCache, boundedCache } from '../bounded-cache.ts';
import { readableOf } from '../counts.ts';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { type Given, prepare, type Statement } from '../statement.ts';
import { bindingsOf } from './bindings.ts';
import { candidatesFrom, foundByIndex, holdsOfFound, type Source } from './candidates.ts';
import type { NumberedCondition, Search } from './search.ts';

/** Which candidates a slice looks at, and how it tells of them. */
export type SliceOptions = {
  readonly behind: number;
  /** The most candidates. */
  readonly width: number;
  readonly isBackwards: boolean;
  /** Whether the matches are listed, or only counted. */
  readonly isListed: boolean;
};

/** Some candidates of a search: how many were looked at, the last of them, and those that match. */
export type Slice = {
  readonly passed: number;
  readonly last: number;
  readonly matched: number;
  readonly positions: readonly number[];
};

/** The statements of a search, each prepared once for all searches of its shape, unless that is a long one. */
export type SearchStatements = {
  readonly slice: (search: Search, source: Source, options: SliceOptions) => Slice;
  /** How many entries an index finds for a condition, counted no further than the cap; null where no index serves it. */
  readonly countUpTo: (cap: number, search: Search, at: number) => number | null;
  /** The records that an index finds for a condition, in the order of their creation, if it has no more than the cap of them. */
  readonly listOf: (search: Search, at: number) => readonly number[];
  /** How many records of a type there are. */
  readonly countOfType: (type: string) => number;
  readonly positionOf: (type: string, id: string) => number | null;
  /** The records at some positions, `readTogether` at most, in the order of their creation. */
  readonly matchesAt: (positions: readonly number[]) => readonly Match[];
};

type SliceArgs = Search & Pick<SliceOptions, 'behind' | 'width'> & { readonly candidates: string };
type Capped = Search & { readonly cap: number };
type SliceRow = Omit<Slice, 'positions'> & { readonly positions: string | null };

/** How many records of a page are read by one statement: not all, for a page may end by its bytes long before. */
export const readTogether = 16;

/** For how many records there are statements. */
const readSizes = [11, readTogether];

/** Conditions of equal shape are asked for by the same SQL. */
const shapeOf = (condition: NumberedCondition): string => {
  if (condition.on === 'date') {
    return condition.anyOf.map(({ prefix, anyOf }) => (anyOf.length === 1 ? prefix : `${prefix}s`)).join();
  }
  return condition.anyOf.length === 1 && condition.on !== 'token' ? condition.on : `${condition.on}s`;
};

const distinctShapes = 128;

/** The longest shape whose statements are kept: a longer one seldom comes twice, and each of its statements is large. */
const longestShape = 64;

const statementsByShape = <S>(): BoundedCache<S>['get'] => {
  const kept = boundedCache<S>(distinctShapes);
  return (shape, make) => (shape.length > longestShape ? make() : kept.get(shape, make));
};

/** A search by one of the conditions, so that what is counted of it is prepared once, whatever else is asked for. */
const byOnly = (search: Search, at: number): Search => ({
  ...search,
  conditions: search.conditions.slice(at, at + 1),
});

export const searchStatements = (database: SqliteDatabase, db: QueryBuilder): SearchStatements => {
  const slices = statementsByShape<Statement<SliceArgs, SliceRow>>();
  const counts = statementsByShape<Statement<Capped, { readonly counted: number }>>();
  const reads = statementsByShape<Statement<readonly number[], Match>>();
  const lists = statementsByShape<Statement<Search, { readonly record: number }>>();

  const prepareSql = <Args, Row>(build: (given: Given<Args>) => RawBuilder<unknown>) =>
    prepare<Args, Row>(database, (given) => ({ compile: () => build(given).compile(db) }) as never);

  const sliceOf =
    ({ conditions }: Search, source: Source, { isBackwards, isListed }: SliceOptions) =>
    (given: Given<SliceArgs>) => {
      const bindings = bindingsOf(given, conditions);
      const candidates =
        source.from === 'list'
          ? sql`select value as record from json_each(${given.of('candidates')})`
          : candidatesFrom(bindings, source, conditions, {
              behind: given.of('behind'),
              width: given.of('width'),
              isBackwards,
            });
      const compared = [...conditions.keys()].filter((at) => source.from === 'type' || at !== source.at);
      const holding =
        compared.length === 0
          ? sql``
          : sql`filter (where ${sql.join(
              compared.map((at) => holdsOfFound(bindings, conditions, at)),
              sql` and `,
            )})`;
      const last = isBackwards ? sql`min(found.record)` : sql`max(found.record)`;
      const told = isListed
        ? sql`0 as matched, json_group_array(found.record) ${holding} as positions`
        : sql`count(*) ${holding} as matched, null as positions`;
      return sql`select count(*) as passed, ${last} as last, ${told} from (${candidates}) as found`;
    };

  const foundOf = (search: Search, given: Given<Search>) =>
    foundByIndex(bindingsOf(given, search.conditions), search.conditions, 0);

  const ofType = prepare<{ readonly type: string }, { readonly counted: number }>(database, (given) =>
    db.selectNoFrom(readableOf(db, given.of('type')).as('counted')),
  );
  const position = prepare<{ readonly type: string; readonly id: string }, { readonly position: number }>(
    database,
    (given) =>
      db
        .selectFrom('records')
        .select('position')
        .where('type', '=', given.of('type'))
        .where('id', '=', given.of('id')),
  );
  // A place for each costs less than a JSON array that is taken apart; no record is at 0.
  const matchesIn = (places: number) => (given: Given<readonly number[]>) =>
    db
      .selectFrom('records')
      .select(['id', 'resource'])
      .$narrowType<{ resource: string }>()
      .where(
        'position',
        'in',
        [...Array(places).keys()].map((at) => given.from((positions) => positions[at] ?? 0)),
      )
      .orderBy('position');

  return {
    slice: (search, source, options) => {
      const { behind, width, isBackwards, isListed } = options;
      const from = source.from === 'type' ? 'type' : `${source.from} ${source.at}`;
      const key = `${from} ${isBackwards ? '<' : '>'}${isListed ? 'l' : 'c'} ${search.conditions.map(shapeOf).join(' ')}`;
      const statement = slices(key, () => prepareSql(sliceOf(search, source, options)));
      const candidates =
        source.from === 'list' ? source.records.filter((record) => record > behind).slice(0, width) : [];
      const row = statement.first({ ...search, behind, width, candidates: JSON.stringify(candidates) });
      const positions = (JSON.parse(row?.positions ?? '[]') as number[]).sort((a, b) =>
        isBackwards ? b - a : a - b,
      );
      return {
        passed: row?.passed ?? 0,
        last: row?.last ?? 0,
        matched: isListed ? positions.length : (row?.matched ?? 0),
        positions,
      };
    },
    countUpTo: (cap, search, at) => {
      const one = byOnly(search, at);
      if (search.conditions[at]?.on === 'token') return null;
      const statement = counts(shapeOf(one.conditions[0] as NumberedCondition), () =>
        prepareSql(
          (given: Given<Capped>) =>
            sql`select count(*) as counted from (select 1 from (${foundOf(one, given as never)}) limit ${given.of('cap')})`,
        ),
      );
      return statement.first({ ...one, cap })?.counted ?? 0;
    },
    listOf: (search, at) => {
      const one = byOnly(search, at);
      const statement = lists(shapeOf(one.conditions[0] as NumberedCondition), () =>
        prepareSql(
          (given: Given<Search>) =>
            sql`select distinct record from (${foundOf(one, given)}) where fits order by record`,
        ),
      );
      return statement.all(one).map(({ record }) => record);
    },
    countOfType: (type) => ofType.first({ type })?.counted ?? 0,
    positionOf: (type, id) => position.first({ type, id })?.position ?? null,
    matchesAt: (positions) => {
      const places = readSizes.find((size) => size >= positions.length) ?? readTogether;
      return reads(`${places}`, () => prepare<readonly number[], Match>(database, matchesIn(places))).all(
        positions,
      );
    },
  };
};
