import type { SearchMatch } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { createGroup } from '../read/grouped-select.ts';
import type { Reader } from '../readers.ts';
import { createStatement, type QueryBuilder } from '../statement.ts';
import { encodePatient, encodeText, joinTexts } from '../text.ts';
import { isFirstPage, type ResolvedQuery } from './resolve-query.ts';

/** The most searches in a query. Their pages are in memory together. */
const maxGroup = 16;

/** The largest page of a search that shares a query with others. */
const maxCount = 100;

/** The most bytes of such a page. */
const maxBytes = 65_536;

/** The patient of a search for all records of a type in a chart; null for another search. */
const chartOf = ({ conditions: [condition, ...others] }: ResolvedQuery): string | null => {
  if (condition?.on !== 'patient' || others.length > 0) return null;
  const [patient = null, ...alternatives] = condition.anyOf;
  return alternatives.length === 0 ? patient : null;
};

/** Whether a query is for the first page of the records of a type in one chart. */
export const isChartSearch = (query: ResolvedQuery): boolean =>
  chartOf(query) !== null && isFirstPage(query) && query.count <= maxCount;

/** The page of a search, column by column, and the number of all matches. Without matches, or if it is too large, columns are null. */
type PageRow = Readonly<Record<'ids' | 'versions' | 'times' | 'resources', readonly string[] | null>> & {
  readonly total: number;
};

/** The first matches of a search, one more than its page has if there are so many, and the number of all. */
export type FirstMatches = { readonly matches: readonly SearchMatch[]; readonly total: number };

/** The matches of a page; null if it is too large. */
const toFirstMatches = ({ ids, versions, times, resources, total }: PageRow): FirstMatches | null => {
  if (ids === null) return { matches: [], total };
  if (resources?.length !== ids.length) return null;
  const matches = resources.map((resource, index) => ({
    id: ids[index] ?? '',
    version: Number(versions?.[index]),
    at: Number(times?.[index]),
    resource,
  }));
  return { matches, total };
};

/**
 * Creates the search for the first matches in a chart; null if they are too large. Several searches share a query, which returns
 * a row for each. `searchOne` runs a search by itself.
 */
export const createChartSearch = (
  builder: QueryBuilder,
  reader: Reader,
  searchOne: (query: ResolvedQuery) => Promise<FirstMatches | null>,
): ((query: ResolvedQuery) => Promise<FirstMatches | null>) => {
  const list = (column: RawBuilder<unknown>) => joinTexts(column, sql`record`);
  const resources = list(sql`resource`);
  const selectPages = createStatement<readonly ResolvedQuery[], PageRow>(builder, 'search', (placeholder) => {
    const types = placeholder('text[]', (queries) => queries.map(({ type }) => encodeText(type)));
    const patients = placeholder('text[]', (queries) =>
      queries.map((query) => encodePatient(chartOf(query))),
    );
    const limits = placeholder('bigint[]', (queries) => queries.map(({ count }) => count + 1));
    const chart = sql`${placeholder.rows('searchable')} as searchable
      where searchable.patient_id = asked.patient_id and searchable.type = asked.type`;
    return sql`
      select page.*
      from unnest(${types}, ${patients}, ${limits}) with ordinality as asked (type, patient_id, "limit", n)
      cross join lateral (
        select ${list(sql`id`)} as ids, ${list(sql`version::text`)} as versions, ${list(sql`at::text`)} as times,
          case when octet_length(${resources}) <= ${sql.lit(maxBytes)} then ${resources} end as resources,
          case when count(*) < asked."limit" then count(*) else (select count(*) from ${chart}) end as total
        from (
          select searchable.record, searchable.id, searchable.version, searchable.at,
            case when octet_length(searchable.resource) <= ${sql.lit(maxBytes)} then searchable.resource end as resource
          from ${chart}
          order by searchable.record
          limit asked."limit"
        ) as found
      ) as page
      order by asked.n`;
  });
  return createGroup({
    answerOne: searchOne,
    answerAll: async (queries) => (await reader(selectPages, queries)).map(toFirstMatches),
    maxGroup,
  });
};
