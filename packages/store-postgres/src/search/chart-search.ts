import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createGroupedSelect } from '../read/grouped-select.ts';
import type { Reader } from '../reader.ts';
import { encodePatient, encodeText } from '../text.ts';
import { isFirstPage, type ResolvedQuery } from './resolve-query.ts';
import { type FirstMatch, largestMatch } from './search-statement.ts';

/** The most searches in a query. Their pages are in memory together. */
const maxGroup = 16;

/** The largest page of a search that shares a query with others. */
const maxCount = 100;

/** The patient of a search for all records of a type in a chart; null for another search. */
const patientOf = ({ conditions: [condition, ...others] }: ResolvedQuery): string | null => {
  if (condition?.on !== 'patient' || others.length > 0) return null;
  const [patient = null, ...alternatives] = condition.anyOf;
  return alternatives.length === 0 ? patient : null;
};

/** Whether a query is for the first page of the records of a type in one chart. */
export const isChartSearch = (query: ResolvedQuery): boolean =>
  patientOf(query) !== null && isFirstPage(query) && query.count <= maxCount;

/** Creates the search for the first matches in a chart, one more than the page has. */
export const createChartSearch = (
  builder: QueryBuilder,
  reader: Reader,
): ((query: ResolvedQuery) => Promise<readonly FirstMatch[]>) => {
  const { table } = builder;
  return createGroupedSelect<ResolvedQuery, FirstMatch, readonly FirstMatch[]>(builder, reader, {
    parts: {
      type: ['text', ({ type }) => encodeText(type)],
      patient_id: ['text', (query) => encodePatient(patientOf(query))],
      limit: ['bigint', ({ count }) => count + 1],
      largest: ['bigint', (query) => Math.floor(largestMatch(query) / maxGroup)],
    },
    select: (asked) => sql`
      select asked.n::integer as n, found.id, found.version, found.at, found.resource
      from ${asked} cross join lateral (
        select searchable.record, searchable.id, searchable.version, searchable.at,
          case when octet_length(searchable.resource) <= asked.largest then searchable.resource end as resource
        from ${table('searchable')} as searchable
        where searchable.patient_id = asked.patient_id and searchable.type = asked.type
        order by searchable.record
        limit asked."limit"
      ) as found
      order by asked.n, found.record`,
    toResult: (rows) => rows,
    maxGroup,
  });
};
