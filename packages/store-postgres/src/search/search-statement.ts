import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { bytesBefore } from '../read/version-row.ts';
import { createStatement, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { conditionSql } from './conditions.ts';
import { isNarrow, type ResolvedQuery } from './resolve-query.ts';

/** A match of the page. Without matches, one row has the total. */
export type SearchRow = { readonly total: number | null } & (
  | { readonly id: string; readonly resource: string }
  | { readonly id: null }
);

const lastPosition = sql.lit(Number.MAX_SAFE_INTEGER);

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
  const { table } = builder;
  const narrow = isNarrow(shape);
  const isOfType = shape.conditions.length === 0;
  return createStatement<ResolvedQuery, SearchRow>(
    builder,
    (placeholder) => {
      const type = placeholder('text', (query) => encodeText(query.type));
      const conditions = shape.conditions.map((one, at) => conditionSql(builder, placeholder, one, at));
      const hasPatient = shape.conditions.some(({ on }) => on === 'patient');
      const leads = shape.conditions.flatMap(({ on }, at) => {
        const isNeeded = narrow ? on === 'id' && !hasPatient : true;
        return isNeeded ? [conditions[at]?.leads ?? sql`true`] : [];
      });
      const isCounted = isOfType && hasCounts;
      const total = () => {
        if (!shape.withTotal) return sql`null`;
        return isCounted
          ? sql`coalesce((select readable from ${table('counts')} where type = ${type}), 0)`
          : sql`(select count(*) from matched)`;
      };
      const { start } = shape;
      const after =
        'after' in start
          ? sql`record > coalesce((
              select position from ${table('records')}
              where id = ${placeholder('text', (query) => encodeText('after' in query.start ? query.start.after : ''))}
                and type = ${type}
            ), ${lastPosition})`
          : sql`true`;
      const offset = placeholder('bigint', (query) => ('offset' in query.start ? query.start.offset : 0));
      // The row that exceeds the bytes of the page shows that more follow.
      return sql`
        with matched as ${sql.raw(shape.withTotal && !isCounted ? 'materialized' : 'not materialized')} (
          select searchable.record, searchable.current, searchable.patient_id, searchable.id
          from ${table('searchable')} as searchable
          where ${sql.join([sql`searchable.type = ${type}`, ...conditions.map(({ holds }) => holds), ...leads], sql` and `)}
        ), page as (
          select * from matched where ${after} order by record
          limit ${placeholder('bigint', ({ count }) => count + 1)} offset ${offset}
        )
        select ${total()} as total, measured.id, measured.resource
        from (select) as one
        left join (
          select page.record, page.id, versions.resource,
            ${bytesBefore(sql`octet_length(versions.resource)`, sql`page.record`, 2)} as bytes_before
          from page join ${table('versions')} as versions
            on versions.position = page.current and versions.patient_id = page.patient_id
        ) as measured on measured.bytes_before is null or measured.bytes_before <= ${placeholder('bigint', ({ maxBytes }) => maxBytes ?? Number.MAX_SAFE_INTEGER)}
        order by measured.record`;
    },
    { isPrepared: narrow || isOfType },
  );
};
