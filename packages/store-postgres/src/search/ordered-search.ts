import type { OrderedQuery, SearchPage, TimeOrder } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { termId } from '../schema.ts';
import { createStatement, type Placeholder, type QueryBuilder, type Statement } from '../statement.ts';
import { isOfCharts, isOfIndexes, selectListed } from './large-chart.ts';
import type { IsPreparedShape } from './prepared-shapes.ts';
import { type ResolvedQuery, resolveQuery, shapeOfQuery } from './resolve-query.ts';
import {
  createStatementCache,
  emptyPage,
  isKeyOfChart,
  limitOf,
  narrowMatches,
  offsetOf,
  positionBefore,
  type SearchRow,
  selectMatches,
  toSearchPage,
} from './search-statement.ts';

/** An ordered query with the ids of terms. */
type ResolvedOrder = ResolvedQuery & {
  readonly order: TimeOrder;
  /** The time after which the page begins. */
  readonly time: number | null;
};

const resolveOrder = ({ order, start, ...query }: OrderedQuery): ResolvedOrder | null => {
  const resolved = resolveQuery({ ...query, start });
  return resolved && { ...resolved, order, time: 'time' in start ? start.time : null };
};

/** The parts of an ordered query on which its SQL depends, as a text. */
const shapeOfOrder = (query: ResolvedOrder): string =>
  `${query.order.on} ${query.order.isDescending} ${query.time === null} ${shapeOfQuery(query)}`;

/** A date counts from its start, and in descending order from its end. */
const boundOf = ({ isDescending }: TimeOrder) => (isDescending ? sql`"until"` : sql`"from"`);
const firstOf = ({ isDescending }: TimeOrder) => (isDescending ? sql`max` : sql`min`);

const dateTerm = ({ type, order }: ResolvedOrder): string | null =>
  order.on === 'date'
    ? termId({ type, kind: 'date', parameter: order.parameter, system: '', code: '' })
    : null;

/** Selects the keys of all matches, and the time by which each is ordered, from the rows of charts. */
const selectRowTimes = (
  placeholder: Placeholder<ResolvedOrder>,
  shape: ResolvedOrder,
): RawBuilder<unknown> => {
  const { order } = shape;
  const rows = narrowMatches(placeholder, shape);
  if (order.on === 'at')
    return sql`select searchable.record, searchable.patient_id, searchable.at as time from ${rows}`;
  return sql`select searchable.record, searchable.patient_id, (
      select ${firstOf(order)}(dates.${boundOf(order)})
      from unnest(searchable.date_terms, searchable.date_from, searchable.date_until) as dates (term, "from", "until")
      where dates.term = ${placeholder('uuid', dateTerm)}
    ) as time from ${rows}`;
};

/** Selects the same of the records of `listed`, from indexes only. */
const selectListedTimes = (placeholder: Placeholder<ResolvedOrder>, shape: ResolvedOrder) => {
  const { order } = shape;
  if (order.on === 'at') return sql`select record, patient_id, at as time from listed`;
  // A join would be slow if PostgreSQL expects few rows.
  return sql`
    select record, max(patient_id) as patient_id, ${firstOf(order)}(time) as time from (
      select record, patient_id, null::bigint as time, true as is_match from listed
      union all
      select dates.record, null, dates.${boundOf(order)}, false from ${placeholder.rows('dates')} as dates
      where dates.term = ${placeholder('uuid', dateTerm)} and ${isOfCharts(placeholder, shape, 'dates')}
    ) as found group by record having bool_or(is_match)`;
};

/** Whether a match comes after the end of the page before, whose time is null or not. */
const isAfterEnd = (placeholder: Placeholder<ResolvedOrder>, { order, time }: ResolvedOrder) => {
  const position = positionBefore(placeholder);
  if (time === null) return sql<SqlBool>`time is null and record > ${position}`;
  const end = placeholder('bigint', (query) => query.time);
  const isLater = sql.raw(order.isDescending ? '<' : '>');
  return sql<SqlBool>`${position} is not null
    and (time ${isLater} ${end} or time is null or (time = ${end} and record > ${position}))`;
};

/** Creates the statement for all ordered searches with the shape of a query. */
const createOrderedStatement = (
  builder: QueryBuilder,
  shape: ResolvedOrder,
  { isPrepared }: { readonly isPrepared: boolean },
): Statement<ResolvedOrder, SearchRow> =>
  createStatement<ResolvedOrder, SearchRow>(
    builder,
    'search',
    (placeholder) => {
      const order = sql`time ${sql.raw(shape.order.isDescending ? 'desc' : 'asc')} nulls last, record`;
      const lists = isOfIndexes(shape) ? selectListed(placeholder, shape) : null;
      const rows = selectRowTimes(placeholder, shape);
      const matches =
        lists === null
          ? rows
          : sql`${selectListedTimes(placeholder, shape)}
              ${lists.mustCompare === null ? sql`` : sql`union all ${rows} and ${lists.mustCompare}`}`;
      return sql`
        with ${lists === null ? sql`` : sql`${lists.parts},`} matched as materialized (${matches}), page as (
          select record, patient_id, row_number() over (order by ${order}) as place from (
            select * from matched
            where ${'after' in shape.start ? isAfterEnd(placeholder, shape) : sql`true`}
            order by ${order} limit ${limitOf(placeholder)} offset ${offsetOf(placeholder)}
          ) as sorted
        )
        ${selectMatches(placeholder, {
          total: shape.withTotal ? sql`(select count(*) from matched)` : sql`null::bigint`,
          isKeyOfPage: isKeyOfChart,
        })}`;
    },
    { isPrepared },
  );

/** Creates the search whose matches are ordered by a time. */
export const createSearchInOrder = (
  builder: QueryBuilder,
  { reader, isPreparedShape }: { readonly reader: Reader; readonly isPreparedShape: IsPreparedShape },
): ((query: OrderedQuery) => Promise<SearchPage>) => {
  const statements = createStatementCache<Statement<ResolvedOrder, SearchRow>>();
  return async (query) => {
    const resolved = resolveOrder(query);
    if (resolved === null) return emptyPage(query);
    const shape = shapeOfOrder(resolved);
    const isPrepared = isPreparedShape(shape);
    const statement = statements(`${isPrepared} ${shape}`, () =>
      createOrderedStatement(builder, resolved, { isPrepared }),
    );
    return toSearchPage(await reader(statement, resolved), query);
  };
};
