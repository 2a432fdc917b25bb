import type { SearchMatch, TimedMatch, TimeOrder } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from '../database.ts';
import { selectReadableCount } from '../record-reader.ts';
import { column, type QueryBuilder } from '../schema.ts';
import { type Placeholders, prepareStatement, type Statement } from '../statement.ts';
import { createBindings, createStatementsByShape, shapeOf, shapesOf } from './bindings.ts';
import type { Criteria, ResolvedCondition, ResolvedQuery } from './plan-search.ts';
import {
  type CandidateSource,
  conditionHolds,
  selectByIndex,
  selectCandidates,
  timeOfDates,
  timeOfVersion,
} from './select-candidates.ts';

/** Which candidates a slice looks at, and how it reports them. */
type SliceOptions = {
  readonly behind: number;
  /** The most candidates. */
  readonly width: number;
  /** Whether the matches are listed, or only counted. */
  readonly isListed: boolean;
};

/** Some candidates of a search: the number that was looked at, the last of them, and those that match. */
type Slice = {
  readonly passed: number;
  readonly last: number;
  readonly matched: number;
  readonly positions: readonly number[];
};

/** The statements of a search. Each is prepared once for all searches of its shape, unless the shape is long. */
export type SearchStatements = {
  /** Reads the slices of one search. The statements of a slice are prepared with the first of its kind. */
  readonly slicer: (
    search: ResolvedQuery,
    source: CandidateSource,
    isBackwards: boolean,
  ) => (options: SliceOptions) => Slice;
  /**
   * The number of entries that an index finds for a condition, counted up to the cap; null if no index can find them.
   */
  readonly countUpTo: (cap: number, search: ResolvedQuery, index: number) => number | null;
  /** The records that an index finds for a condition, in the order of creation, if there are no more than the cap. */
  readonly listRecords: (search: ResolvedQuery, index: number) => readonly number[];
  /** The number of records of a type. */
  readonly countRecords: (type: string) => number;
  readonly findPosition: (type: string, id: string) => number | null;
  /** The first records that the only condition of a search finds by an index with the order of creation. */
  readonly readFirst: (search: ResolvedQuery, width: number) => readonly SearchMatch[];
  /** The times by which records are ordered, in the order of their positions. */
  readonly readTimes: (positions: readonly number[], order: ResolvedOrder) => readonly TimedMatch[];
  /** The records at some positions, at most `maxRecordsPerRead`, in the order of their creation. */
  readonly readMatches: (positions: readonly number[]) => readonly SearchMatch[];
};

/** The order of a search. */
export type ResolvedOrder = Pick<TimeOrder, 'on' | 'isDescending'> & {
  /** The number of the term of the dates; null if no record has such a date, or if the order is not by dates. */
  readonly term: number | null;
};

type SliceArgs = Criteria &
  Pick<SliceOptions, 'behind' | 'width'> & {
    /** Placeholders for a list, as JSON. */
    readonly candidates: string;
  };
type FirstArgs = Criteria & { readonly width: number };
type CappedQuery = ResolvedQuery & { readonly cap: number };
type SliceRow = Omit<Slice, 'positions'> & { readonly positions: string | null };
type SliceStatement = Statement<SliceArgs, SliceRow>;

/**
 * The most records of a page that one statement reads. It is not the whole page, because a page may end by its bytes
 * long before.
 */
export const maxRecordsPerRead = 16;

/** The numbers of records for which there are statements. */
const readSizes = [11, maxRecordsPerRead];

/**
 * The search with only one of its conditions. Statements that count it are shared by all searches with this condition.
 */
const withOneCondition = (search: ResolvedQuery, index: number): ResolvedQuery => ({
  ...search,
  conditions: search.conditions.slice(index, index + 1),
});

const prepareSql = <Args, Row>(
  database: SqliteDatabase,
  db: QueryBuilder,
  build: (placeholder: Placeholders<Args>) => RawBuilder<Row>,
) =>
  prepareStatement<Args, Row>(database, (placeholder) => ({
    compile: () => build(placeholder).compile(db),
  }));

const sliceSql =
  (
    { conditions }: ResolvedQuery,
    source: CandidateSource,
    { isBackwards, isListed }: { readonly isBackwards: boolean; readonly isListed: boolean },
  ) =>
  (placeholder: Placeholders<SliceArgs>) => {
    const bindings = createBindings(placeholder, conditions);
    const candidates =
      source.from === 'list'
        ? sql`select value as record from json_each(${placeholder.of('candidates')})`
        : selectCandidates(bindings, source, conditions, {
            behind: placeholder.of('behind'),
            width: placeholder.of('width'),
            isBackwards,
          });
    const checkedConditions = [...conditions.keys()].filter(
      (index) => source.from === 'type' || index !== source.conditionIndex,
    );
    const matchFilter =
      checkedConditions.length === 0
        ? sql``
        : sql`filter (where ${sql.join(
            checkedConditions.map((index) => conditionHolds(bindings, conditions, index)),
            sql` and `,
          )})`;
    const last = isBackwards ? sql`min(found.record)` : sql`max(found.record)`;
    const outputColumns = isListed
      ? sql`0 as matched, json_group_array(found.record) ${matchFilter} as positions`
      : sql`count(*) ${matchFilter} as matched, null as positions`;
    return sql<SliceRow>`select count(*) as passed, ${last} as last, ${outputColumns} from (${candidates}) as found`;
  };

const createSlicer = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['slicer'] => {
  const slices = createStatementsByShape<Map<boolean, SliceStatement>>();
  return (search, source, isBackwards) => {
    const { type, conditions } = search;
    const from = source.from === 'type' ? 'type' : `${source.from} ${source.conditionIndex}`;
    const prepared = slices(`${from} ${isBackwards ? '<' : '>'} ${shapesOf(conditions)}`, () => new Map());
    const statementFor = (isListed: boolean): SliceStatement => {
      const statement: SliceStatement =
        prepared.get(isListed) ??
        prepareSql(database, db, sliceSql(search, source, { isBackwards, isListed }));
      prepared.set(isListed, statement);
      return statement;
    };
    return ({ behind, width, isListed }) => {
      const statement = statementFor(isListed);
      const candidates =
        source.from === 'list'
          ? JSON.stringify(source.records.filter((record) => record > behind).slice(0, width))
          : '[]';
      const row = statement.first({ type, conditions, behind, width, candidates });
      const positions = (JSON.parse(row?.positions ?? '[]') as number[]).sort((a, b) =>
        isBackwards ? b - a : a - b,
      );
      return {
        passed: row?.passed ?? 0,
        last: row?.last ?? 0,
        matched: isListed ? positions.length : (row?.matched ?? 0),
        positions,
      };
    };
  };
};

/** Selects the records that an index finds for the only condition of a search. */
const selectFound = <Args extends ResolvedQuery>(
  { conditions }: ResolvedQuery,
  placeholder: Placeholders<Args>,
) => selectByIndex(createBindings(placeholder, conditions), conditions, 0);

const createCountUpTo = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['countUpTo'] => {
  const counts = createStatementsByShape<Statement<CappedQuery, { readonly counted: number }>>();
  return (cap, search, index) => {
    const single = withOneCondition(search, index);
    if (['token', 'string', 'entry', 'not'].includes(search.conditions[index]?.on ?? '')) return null;
    const statement = counts(shapeOf(single.conditions[0] as ResolvedCondition), () =>
      prepareSql(
        database,
        db,
        (placeholder: Placeholders<CappedQuery>) =>
          sql<{
            counted: number;
          }>`select count(*) as counted from (select 1 from (${selectFound(single, placeholder)}) limit ${placeholder.of('cap')})`,
      ),
    );
    return statement.first({ ...single, cap })?.counted ?? 0;
  };
};

const createListRecords = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['listRecords'] => {
  const lists = createStatementsByShape<Statement<ResolvedQuery, { readonly record: number }>>();
  return (search, index) => {
    const single = withOneCondition(search, index);
    const statement = lists(shapeOf(single.conditions[0] as ResolvedCondition), () =>
      prepareSql(
        database,
        db,
        (placeholder: Placeholders<ResolvedQuery>) =>
          sql<{
            record: number;
          }>`select distinct record from (${selectFound(single, placeholder)}) where fits order by record`,
      ),
    );
    return statement.all(single).map(({ record }) => record);
  };
};

const createReadFirst = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['readFirst'] => {
  const firsts = createStatementsByShape<Statement<FirstArgs, SearchMatch>>();
  return (search, width) => {
    const { type, conditions } = search;
    const statement = firsts(shapesOf(conditions), () =>
      prepareSql(database, db, (placeholder: Placeholders<FirstArgs>) => {
        const bindings = createBindings(placeholder, conditions);
        const candidates = selectCandidates(bindings, { from: 'index', conditionIndex: 0 }, conditions, {
          behind: sql.lit(0),
          width: placeholder.of('width'),
          isBackwards: false,
        });
        const columns = (['records.id', 'records.version', 'records.at', 'records.resource'] as const).map(
          column,
        );
        return sql<SearchMatch>`select ${sql.join(columns)} from (${candidates}) as found
          cross join ${sql.table('records')} on ${column('records.position')} = found.record order by found.record`;
      }),
    );
    return statement.all({ type, conditions, width });
  };
};

// A placeholder for each record costs less than parsing a JSON array. No record has position 0.
const matchesIn = (db: QueryBuilder, readSize: number) => (placeholder: Placeholders<readonly number[]>) =>
  db
    .selectFrom('records')
    .select(['id', 'version', 'at', 'resource'])
    .$narrowType<{ resource: string }>()
    .where(
      'position',
      'in',
      [...Array(readSize).keys()].map((index) => placeholder.from((positions) => positions[index] ?? 0)),
    )
    .orderBy('position');

const createReadMatches = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['readMatches'] => {
  const reads = createStatementsByShape<Statement<readonly number[], SearchMatch>>();
  return (positions) => {
    const readSize = readSizes.find((size) => size >= positions.length) ?? maxRecordsPerRead;
    return reads(`${readSize}`, () =>
      prepareStatement<readonly number[], SearchMatch>(database, matchesIn(db, readSize)),
    ).all(positions);
  };
};

const createReadTimes = (database: SqliteDatabase, db: QueryBuilder): SearchStatements['readTimes'] => {
  type Args = { readonly positions: string; readonly term: number | null };
  const reads = createStatementsByShape<Statement<Args, TimedMatch>>();
  return (positions, { on, isDescending, term }) => {
    const statement = reads(`${on} ${isDescending}`, () =>
      prepareSql(database, db, (placeholder: Placeholders<Args>) => {
        const listed = sql`json_each(${placeholder.of('positions')})`;
        const time =
          on === 'at' ? timeOfVersion : timeOfDates(placeholder.of('term'), isDescending ? 'last' : 'first');
        return sql<TimedMatch>`select value as place, ${time} as time from ${listed}`;
      }),
    );
    return statement.all({ positions: JSON.stringify(positions), term });
  };
};

export const createSearchStatements = (database: SqliteDatabase, db: QueryBuilder): SearchStatements => {
  const ofType = prepareStatement<{ readonly type: string }, { readonly counted: number }>(
    database,
    (placeholder) => db.selectNoFrom(selectReadableCount(db, placeholder.of('type')).as('counted')),
  );
  const position = prepareStatement<
    { readonly type: string; readonly id: string },
    { readonly position: number }
  >(database, (placeholder) =>
    db
      .selectFrom('records')
      .select('position')
      .where('type', '=', placeholder.of('type'))
      .where('id', '=', placeholder.of('id')),
  );

  return {
    slicer: createSlicer(database, db),
    countUpTo: createCountUpTo(database, db),
    listRecords: createListRecords(database, db),
    countRecords: (type) => ofType.first({ type })?.counted ?? 0,
    findPosition: (type, id) => position.first({ type, id })?.position ?? null,
    readFirst: createReadFirst(database, db),
    readTimes: createReadTimes(database, db),
    readMatches: createReadMatches(database, db),
  };
};
