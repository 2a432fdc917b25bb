import { type SearchMatch, type SearchPage, takeMatches } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { bytesBefore } from '../read/record-reader.ts';
import { createStatement, type Placeholder, type QueryBuilder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { type ConditionOf, conditionHolds, hasName } from './conditions.ts';
import { isFilteredByIndexes, selectIsLarge, selectListed } from './large-chart.ts';
import { selectBroadMatches } from './lists.ts';
import { isBroad, isOfKnownSize, largestPage, type ResolvedQuery } from './resolve-query.ts';

/** A match of the page. Without matches, one row has the total. */
export type SearchRow = { readonly total: number | null } & (SearchMatch | { readonly id: null });

/** The page that rows are. */
export const toSearchPage = (
  rows: readonly SearchRow[],
  query: Pick<ResolvedQuery, 'count' | 'maxBytes' | 'withTotal'>,
): SearchPage => {
  const matches = rows.flatMap((row) =>
    row.id === null ? [] : [{ id: row.id, version: row.version, at: row.at, resource: row.resource }],
  );
  return { ...takeMatches(matches, query), total: query.withTotal ? (rows[0]?.total ?? 0) : null };
};

/** The page of a search that cannot have a match. */
export const emptyPage = ({ withTotal }: Pick<ResolvedQuery, 'withTotal'>): SearchPage => ({
  matches: [],
  hasMore: false,
  total: withTotal ? 0 : null,
});

/** The most shapes of which statements are kept. Beyond that, all are forgotten. */
const maxShapes = 1000;

/** Keeps the statements of searches by the shapes of these. */
export const createStatementCache = <S>(): ((shape: string, create: () => S) => S) => {
  const statements = new Map<string, S>();
  return (shape, create) => {
    const existing = statements.get(shape);
    if (existing !== undefined) return existing;
    if (statements.size >= maxShapes) statements.clear();
    const created = create();
    statements.set(shape, created);
    return created;
  };
};

const lastPosition = sql.lit(Number.MAX_SAFE_INTEGER);

export const limitOf = (placeholder: Placeholder<ResolvedQuery>) =>
  placeholder<number>('bigint', ({ count }) => count + 1);

const typeOf = (placeholder: Placeholder<ResolvedQuery>) =>
  placeholder<string>('text', (query) => encodeText(query.type));

/** The rows of all matches of a search that is not broad. */
export const narrowMatches = (
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
): RawBuilder<unknown> => {
  const hasPatient = shape.conditions.some(({ on }) => on === 'patient');
  const conditions = shape.conditions.map((condition, index) => {
    const conditionOf: ConditionOf = (query) => query.conditions[index];
    return condition.on === 'id' && !hasPatient
      ? hasName(placeholder, conditionOf)
      : conditionHolds(placeholder, condition, conditionOf);
  });
  const isOfType = sql<SqlBool>`searchable.type = ${typeOf(placeholder)}`;
  return sql`${placeholder.rows('searchable')} as searchable where ${sql.join([isOfType, ...conditions], sql` and `)}`;
};

/** A match. Its resource is null if it is so large that the page must be measured. All of it is null if the chart is large. */
export type FirstMatch =
  | (Omit<SearchMatch, 'resource'> & { readonly resource: string | null })
  | { readonly id: null; readonly resource: null };

/** The largest resource of which a page with one match too many surely has room for all. */
const largestMatch = ({ maxBytes, count }: ResolvedQuery): number =>
  Math.floor((maxBytes ?? Number.MAX_SAFE_INTEGER) / (count + 1));

/** Whether all matches of a search are needed, and indexes have those of a large chart. Without a total, the first rows are enough. */
const mayLeaveOutRows = (shape: ResolvedQuery): boolean => shape.withTotal && isFilteredByIndexes(shape);

/**
 * Creates the statement for the first matches of a query, one more than the page has, without their number. It costs
 * half as much as the statement for any page.
 */
export const createFirstMatchesStatement = (
  builder: QueryBuilder,
  shape: ResolvedQuery,
  { isPrepared }: { readonly isPrepared: boolean },
): Statement<ResolvedQuery, FirstMatch> =>
  createStatement<ResolvedQuery, FirstMatch>(
    builder,
    'search',
    (placeholder) => {
      const largest = placeholder('bigint', largestMatch);
      const select = (where: RawBuilder<unknown>) => sql<FirstMatch>`
        select searchable.id, searchable.version, searchable.at,
          case when octet_length(searchable.resource) <= ${largest} then searchable.resource end as resource
        from ${narrowMatches(placeholder, shape)} ${where}
        order by searchable.record limit ${limitOf(placeholder)}`;
      if (!mayLeaveOutRows(shape)) return select(sql``);
      return sql<FirstMatch>`
        with size as materialized (${selectIsLarge(placeholder, shape)})
        (${select(sql`and not (select is_large from size)`)})
        union all select null, null, null, null from size where is_large`;
    },
    { isPrepared },
  );

/**
 * Selects the total and the matches of `page`, whose rows have a `place`. Each resource is looked up by itself, however many
 * PostgreSQL expects. The row that exceeds the bytes of the page shows that more follow, so the bytes are those of the rows before the one
 * before. The first row has the total, even if there is no match on the page.
 */
export const selectMatches = (
  placeholder: Placeholder<ResolvedQuery>,
  { total, isKeyOfPage }: { readonly total: RawBuilder<unknown>; readonly isKeyOfPage: RawBuilder<SqlBool> },
): RawBuilder<SearchRow> => {
  // An encoded text has at most twice as many bytes. `takeMatches` compares those of the text itself.
  const maxBytes = placeholder('bigint', (query) => 2 * (query.maxBytes ?? Number.MAX_SAFE_INTEGER));
  return sql`
    select ${total} as total, measured.id, measured.version, measured.at, measured.resource
    from (select) as one left join (
      select page.place, found.*,
        ${bytesBefore(sql`octet_length(found.resource)`, sql`page.place`, 2)} as bytes_before
      from page cross join lateral (
        select searchable.id, searchable.version, searchable.at, searchable.resource
        from ${placeholder.rows('searchable')} as searchable
        where ${isKeyOfPage} and searchable.type = ${typeOf(placeholder)} and searchable.record = page.record
        limit 1
      ) as found
    ) as measured on measured.bytes_before is null or measured.bytes_before <= ${maxBytes}
    order by measured.place`;
};

/** The position of the record after which a page begins; null if it does not begin after one that exists. */
export const positionBefore = (placeholder: Placeholder<ResolvedQuery>): RawBuilder<number> => sql`(
  select position from ${placeholder.rows('records')} as records
  where id = ${placeholder('text', ({ start }) => encodeText('after' in start ? start.after : ''))}
    and type = ${typeOf(placeholder)}
)`;

export const offsetOf = (placeholder: Placeholder<ResolvedQuery>): RawBuilder<number> =>
  placeholder('bigint', ({ start }) => ('offset' in start ? start.offset : 0));

export const isKeyOfChart = sql<SqlBool>`searchable.patient_id = page.patient_id`;

/** Any page. */
const selectPage = (
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
  { isCounted, shortList }: { readonly isCounted: boolean; readonly shortList: number | null },
): RawBuilder<SearchRow> => {
  const total = () => {
    if (!shape.withTotal) return sql`null::bigint`;
    return isCounted
      ? sql`coalesce((select readable from ${placeholder.rows('counts')} as counts where type = ${typeOf(placeholder)}), 0)`
      : sql`(select count(*) from matched)`;
  };
  const isAfter =
    'after' in shape.start
      ? sql<SqlBool>`record > coalesce(${positionBefore(placeholder)}, ${lastPosition})`
      : sql<SqlBool>`true`;
  const page = isOfKnownSize(shape)
    ? sql`(select * from matched where ${isAfter} order by record limit ${sql.lit(largestPage(shape) + 1)}) as first`
    : sql`matched where ${isAfter}`;
  const lists = mayLeaveOutRows(shape) ? selectListed(placeholder, shape) : null;
  const rows = () =>
    sql`select searchable.record, searchable.patient_id from ${narrowMatches(placeholder, shape)}`;
  const listed = sql`select record, patient_id from listed`;
  const inCharts = () => {
    if (lists === null) return rows();
    return lists.mustCompare === null ? listed : sql`${listed} union all ${rows()} and ${lists.mustCompare}`;
  };
  const matches = isBroad(shape)
    ? selectBroadMatches(placeholder, shape, {
        shortList,
        isInRange: shape.withTotal ? sql`true` : isAfter,
      })
    : inCharts();
  return sql`
    with ${lists === null ? sql`` : sql`${lists.parts},`} matched as ${sql.raw(shape.withTotal && !isCounted ? 'materialized' : 'not materialized')} (
      ${matches}
    ), page as (
      select *, record as place from ${page}
      order by record limit ${limitOf(placeholder)} offset ${offsetOf(placeholder)}
    )
    ${selectMatches(placeholder, {
      total: total(),
      isKeyOfPage: isBroad(shape) ? sql<SqlBool>`true` : isKeyOfChart,
    })}`;
};

/**
 * Creates the statement for all searches with the shape of a query. It finds the page, and the number of all matches,
 * at one moment.
 */
export const createSearchStatement = (
  builder: QueryBuilder,
  shape: ResolvedQuery,
  {
    hasCounts,
    isPrepared,
    shortList,
  }: { readonly hasCounts: boolean; readonly isPrepared: boolean; readonly shortList: number | null },
): Statement<ResolvedQuery, SearchRow> => {
  const isOfType = shape.conditions.length === 0;
  return createStatement<ResolvedQuery, SearchRow>(
    builder,
    'search',
    (placeholder) => selectPage(placeholder, shape, { isCounted: isOfType && hasCounts, shortList }),
    { isPrepared },
  );
};
