import type { OrderedQuery, SearchPage, TimeOrder } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { termId } from '../schema.ts';
import { createStatement, type Placeholder, type QueryBuilder, type Statement } from '../statement.ts';
import { type ConditionOf, isOfPatients } from './conditions.ts';
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

const dateTerm = ({ type, order }: ResolvedOrder): string | null =>
  order.on === 'date'
    ? termId({ type, kind: 'date', parameter: order.parameter, system: '', code: '' })
    : null;

/** Selects the keys of all matches, and the time by which each is ordered. */
const selectTimes = (placeholder: Placeholder<ResolvedOrder>, shape: ResolvedOrder): RawBuilder<unknown> => {
  const { order, conditions } = shape;
  const keys = sql`select searchable.record, searchable.patient_id`;
  const rows = narrowMatches(placeholder, shape);
  if (order.on === 'at') return sql`${keys}, searchable.at as time from ${rows}`;
  const term = placeholder('uuid', dateTerm);
  const bound = order.isDescending ? sql`"until"` : sql`"from"`;
  const first = order.isDescending ? sql`max` : sql`min`;
  const areAllPatients = conditions.every(({ on }) => on === 'patient');
  // The rows are read for the conditions, and have the dates.
  if (!areAllPatients)
    return sql`${keys}, (
      select ${first}(dates.${bound}) from unnest(searchable.date_terms, searchable.date_from, searchable.date_until)
        as dates (term, "from", "until")
      where dates.term = ${term}
    ) as time from ${rows}`;
  // Two indexes have all that is needed of a chart. A join of them would be slow if PostgreSQL expects few rows.
  const isOfChart = conditions.flatMap((condition, index) => {
    const conditionOf: ConditionOf = (query) => query.conditions[index];
    return condition.on === 'patient' ? [isOfPatients(placeholder, condition, conditionOf, 'dates')] : [];
  });
  return sql`
    select record, patient_id, ${first}(time) as time from (
      ${keys}, null::bigint as time from ${rows}
      union all
      select dates.record, dates.patient_id, dates.${bound} from ${placeholder.rows('dates')} as dates
      where dates.term = ${term} and ${sql.join(isOfChart, sql` and `)}
    ) as found group by record, patient_id`;
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
      return sql`
        with matched as materialized (${selectTimes(placeholder, shape)}), page as (
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
