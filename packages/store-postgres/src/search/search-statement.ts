import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { bytesBefore } from '../read/version-row.ts';
import { createStatement, type Placeholder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { conditionSql } from './conditions.ts';
import { isFirstPage, isNarrow, type ResolvedQuery } from './resolve-query.ts';

/** A match of the page. Without matches, one row has the total. */
export type SearchRow = { readonly total: number | null } & (
  | { readonly id: string; readonly resource: string }
  | { readonly id: null }
);

const lastPosition = sql.lit(Number.MAX_SAFE_INTEGER);

/** The parts of the statement of a search. */
const searchParts = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
) => {
  const { table } = builder;
  const type = placeholder<string>('text', (query) => encodeText(query.type));
  const conditions = shape.conditions.map((one, at) => conditionSql(builder, placeholder, one, at));
  const hasPatient = shape.conditions.some(({ on }) => on === 'patient');
  const leads = shape.conditions.flatMap(({ on }, at) => {
    const isNeeded = isNarrow(shape) ? on === 'id' && !hasPatient : true;
    return isNeeded ? [conditions[at]?.leads ?? sql`true`] : [];
  });
  const holds = [sql`searchable.type = ${type}`, ...conditions.map((condition) => condition.holds), ...leads];
  const limit = placeholder<number>('bigint', ({ count }) => count + 1);
  return {
    type,
    limit,
    /** The rows of all matches. */
    matches: sql`${table('searchable')} as searchable where ${sql.join(holds, sql` and `)}`,
    /**
     * The resources of the rows of `page`. The row that exceeds the bytes of the page shows that more follow, so the
     * bytes are those of the rows before the one before.
     */
    resources: sql`
      select page.*, versions.resource,
        ${bytesBefore(sql`octet_length(versions.resource)`, sql`page.record`, 2)} as bytes_before
      from page join ${table('versions')} as versions
        on versions.position = page.current and versions.patient_id = page.patient_id`,
    isOnPage: sql`measured.bytes_before is null or measured.bytes_before <= ${placeholder(
      'bigint',
      ({ maxBytes }) => maxBytes ?? Number.MAX_SAFE_INTEGER,
    )}`,
  };
};

const columns = sql`searchable.record, searchable.current, searchable.patient_id, searchable.id`;

/**
 * The first page of a search that looks at few records. They are counted as they are read. Without a row, there is no
 * match.
 */
const selectFirstPage = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
): RawBuilder<SearchRow> => {
  const { matches, limit, resources, isOnPage } = searchParts(builder, placeholder, shape);
  const total = sql.raw(shape.withTotal ? 'count(*) over ()' : 'null::bigint');
  return sql`
    with page as (
      select ${columns}, ${total} as total from ${matches} order by record limit ${limit}
    )
    select total, id, resource from (${resources}) as measured where ${isOnPage} order by record`;
};

/** Any page. The first row has the total, even if there is no match on the page. */
const selectPage = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
  { isCounted }: { readonly isCounted: boolean },
): RawBuilder<SearchRow> => {
  const { table } = builder;
  const { type, matches, limit, resources, isOnPage } = searchParts(builder, placeholder, shape);
  const total = () => {
    if (!shape.withTotal) return sql`null::bigint`;
    return isCounted
      ? sql`coalesce((select readable from ${table('counts')} where type = ${type}), 0)`
      : sql`(select count(*) from matched)`;
  };
  const isAfter =
    'after' in shape.start
      ? sql`record > coalesce((
          select position from ${table('records')}
          where id = ${placeholder('text', ({ start }) => encodeText('after' in start ? start.after : ''))}
            and type = ${type}
        ), ${lastPosition})`
      : sql`true`;
  const offset = placeholder('bigint', ({ start }) => ('offset' in start ? start.offset : 0));
  return sql`
    with matched as ${sql.raw(shape.withTotal && !isCounted ? 'materialized' : 'not materialized')} (
      select ${columns} from ${matches}
    ), page as (
      select * from matched where ${isAfter} order by record limit ${limit} offset ${offset}
    )
    select ${total()} as total, measured.id, measured.resource
    from (select) as one left join (${resources}) as measured on ${isOnPage}
    order by measured.record`;
};

/**
 * Creates the statement for all searches with the shape of a query. It finds the page, and the number of all matches,
 * at one moment.
 *
 * A search that names patients or ids is prepared: its plan does not depend on its values. The plan of another one
 * does, because some terms are frequent and others rare. So it is planned each time.
 */
export const createSearchStatement = (
  builder: QueryBuilder,
  shape: ResolvedQuery,
  { hasCounts }: { readonly hasCounts: boolean },
): Statement<ResolvedQuery, SearchRow> => {
  const isOfType = shape.conditions.length === 0;
  return createStatement<ResolvedQuery, SearchRow>(
    builder,
    (placeholder) =>
      isNarrow(shape) && isFirstPage(shape)
        ? selectFirstPage(builder, placeholder, shape)
        : selectPage(builder, placeholder, shape, { isCounted: isOfType && hasCounts }),
    { isPrepared: isNarrow(shape) || isOfType },
  );
};
