import type { SearchMatch } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { bytesBefore } from '../read/record-reader.ts';
import { createStatement, type Placeholder, type QueryBuilder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { conditionSql } from './conditions.ts';
import {
  hasManyTerms,
  isNarrow,
  isOfKnownSize,
  largestPage,
  type ResolvedCondition,
  type ResolvedQuery,
} from './resolve-query.ts';

/** A match of the page. Without matches, one row has the total. */
export type SearchRow = { readonly total: number | null } & (SearchMatch | { readonly id: null });

const lastPosition = sql.lit(Number.MAX_SAFE_INTEGER);

/** The parts of the statement of a search. */
const searchParts = (
  builder: QueryBuilder,
  placeholder: Placeholder<ResolvedQuery>,
  shape: ResolvedQuery,
) => {
  const { table } = builder;
  const type = placeholder<string>('text', (query) => encodeText(query.type));
  const hasPatient = shape.conditions.some(({ on }) => on === 'patient');
  /** Whether a side table leads to the rows for which a condition holds. */
  const isLed = ({ on }: ResolvedCondition): boolean => !isNarrow(shape) || (on === 'id' && !hasPatient);
  const conditions = shape.conditions.flatMap((condition, index) => {
    const { holds, leads } = conditionSql(
      builder,
      placeholder,
      condition,
      ({ conditions }) => conditions[index],
    );
    if (!isLed(condition)) return [holds];
    // To compare many terms with those of each row would take long, and the side table says as much.
    return hasManyTerms(condition) ? [leads] : [holds, leads];
  });
  const limit = placeholder<number>('bigint', ({ count }) => count + 1);
  return {
    type,
    limit,
    /** The rows of all matches. */
    matches: sql`${table('searchable')} as searchable where ${sql.join([sql`searchable.type = ${type}`, ...conditions], sql` and `)}`,
    /**
     * The resources of the rows of `page`, each looked up by itself, however many PostgreSQL expects. The row that exceeds the
     * bytes of the page shows that more follow, so the bytes are those of the rows before the one before.
     */
    resources: sql`
      select page.*, found.*,
        ${bytesBefore(sql`octet_length(found.resource)`, sql`page.record`, 2)} as bytes_before
      from page cross join lateral (
        select searchable.version, searchable.at, searchable.resource from ${table('searchable')} as searchable
        where searchable.patient_id = page.patient_id and searchable.type = ${type}
          and searchable.record = page.record
        limit 1
      ) as found`,
    // An encoded text has at most twice as many bytes. `takeMatches` compares those of the text itself.
    isOnPage: sql`measured.bytes_before is null or measured.bytes_before <= ${placeholder(
      'bigint',
      ({ maxBytes }) => 2 * (maxBytes ?? Number.MAX_SAFE_INTEGER),
    )}`,
  };
};

/** A match. Its resource is null if it is so large that the page must be measured. */
export type FirstMatch = Omit<SearchMatch, 'resource'> & { readonly resource: string | null };

/** The largest resource of which a page with one match too many surely has room for all. */
const largestMatch = ({ maxBytes, count }: ResolvedQuery): number =>
  Math.floor((maxBytes ?? Number.MAX_SAFE_INTEGER) / (count + 1));

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
    (placeholder) => {
      const { matches, limit } = searchParts(builder, placeholder, shape);
      const largest = placeholder('bigint', largestMatch);
      return sql`
        select searchable.id, searchable.version, searchable.at,
          case when octet_length(searchable.resource) <= ${largest} then searchable.resource end as resource
        from ${matches} order by searchable.record limit ${limit}`;
    },
    { isPrepared },
  );

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
  const page = isOfKnownSize(shape)
    ? sql`(select * from matched where ${isAfter} order by record limit ${sql.lit(largestPage(shape) + 1)}) as first`
    : sql`matched where ${isAfter}`;
  return sql`
    with matched as ${sql.raw(shape.withTotal && !isCounted ? 'materialized' : 'not materialized')} (
      select searchable.record, searchable.patient_id, searchable.id from ${matches}
    ), page as (
      select * from ${page} order by record limit ${limit} offset ${offset}
    )
    select ${total()} as total, measured.id, measured.version, measured.at, measured.resource
    from (select) as one left join (${resources}) as measured on ${isOnPage}
    order by measured.record`;
};

/**
 * Creates the statement for all searches with the shape of a query. It finds the page, and the number of all matches,
 * at one moment.
 */
export const createSearchStatement = (
  builder: QueryBuilder,
  shape: ResolvedQuery,
  { hasCounts, isPrepared }: { readonly hasCounts: boolean; readonly isPrepared: boolean },
): Statement<ResolvedQuery, SearchRow> => {
  const isOfType = shape.conditions.length === 0;
  return createStatement<ResolvedQuery, SearchRow>(
    builder,
    (placeholder) => selectPage(builder, placeholder, shape, { isCounted: isOfType && hasCounts }),
    { isPrepared },
  );
};
