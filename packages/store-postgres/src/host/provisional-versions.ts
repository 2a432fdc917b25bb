import { hashContent } from '@clinical-records/core/store';
import { sql } from 'kysely';
import { firstProvisionalPosition, nextProvisionalPosition } from '../schema.ts';
import { createStatement, type QueryBuilder, type Statement } from '../statement.ts';
import { sha256 } from '../write/feed-head.ts';
import type { NumberedVersion } from '../write/prepared-commit.ts';
import {
  type DigestedVersion,
  joinRecords,
  placedColumns,
  versionRows,
  writes,
} from '../write/write-statement.ts';

/** A version whose digest is the hash of its content, until it has its position. */
export const withContentHash = (version: NumberedVersion): DigestedVersion => ({
  ...version,
  digest: hashContent(sha256, { ...version.content, version: version.before + 1 }),
});

/** Creates the statement that writes versions with provisional positions. */
export const createProvisionalWriteStatement = (
  builder: QueryBuilder,
  shape: { readonly hasNext: boolean },
): Statement<{ readonly versions: readonly DigestedVersion[] }> =>
  createStatement(
    builder,
    (placeholder) => sql`
      with numbered as materialized (
        select written.*, ${nextProvisionalPosition(builder)} as position
        from (select * from ${versionRows(placeholder)} order by n) as written
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, shape)}
      ), ${writes(builder, shape)}
      select`,
  );

/**
 * Creates the statement that gives all provisional versions their places behind the end of the feed, whose row the
 * transaction has locked. Those of other transactions are invisible, and so are those that the host has undone.
 *
 * Every row that it changes belongs to a record that the transaction has locked, but the end of the feed and the counts,
 * which nobody else changes meanwhile. So it waits for nobody.
 */
export const createAssignPositions = (builder: QueryBuilder): Statement<null> => {
  const { table } = builder;
  return createStatement(
    builder,
    () => sql`
      with recursive provisional as materialized (
        select position, record, patient_id, type, id, version, digest,
          row_number() over (order by position) as n
        from ${table('versions')} where position >= ${firstProvisionalPosition}
      ), ending as materialized (
        select position, digest from ${table('head')} limit 1
      ), chain (n, digest) as (
        select 0::bigint, digest from ending
        union all
        select n + 1, encode(sha256(convert_to(
          chain.digest || ' ' || (ending.position + n + 1) || ' ' || encode(substring(
            (select string_agg(decode(digest, 'hex'), '' order by n) from provisional) from (n * 32 + 1)::integer for 32
          ), 'hex'), 'UTF8')), 'hex')
        from chain, ending where n < (select count(*) from provisional)
      ), placed as materialized (
        select provisional.*, ending.position + n as place, chain.digest as link
        from provisional join chain using (n) cross join ending
      ), moved as (
        update ${table('head')} as head
        set position = ending.position + (select count(*) from placed),
          digest = (select digest from chain order by n desc limit 1)
        from ending
      ), places as materialized (
        -- The place of each version, and that of the first version of its record. A join of the versions with each other
        -- would compare each with all.
        select placed.*, coalesce(first_place, record) as record_place, first_place is not null as is_new
        from (
          select placed.*, min(place) filter (where position = record) over (partition by record) as first_place
          from placed
        ) as placed
      ), moved_versions as (
        update ${table('versions')} as versions
        set position = places.place, record = places.record_place, digest = places.link
        from places where versions.position = places.position and versions.patient_id = places.patient_id
      ), moved_records as (
        update ${table('records')} as records
        set position = places.record_place, current = places.place
        from places
        where records.id = places.id and records.type = places.type and records.current = places.position
      ), found as materialized (
        select searchable.*, places.place, places.record_place, places.is_new
        from places join ${table('searchable')} as searchable
          on searchable.patient_id = places.patient_id and searchable.type = places.type
            and searchable.record = places.record
        where searchable.current = places.position
      ), moved_searchable as (
        update ${table('searchable')} as searchable
        set record = found.record_place, current = found.place
        from found
        where searchable.patient_id = found.patient_id and searchable.type = found.type
          and searchable.record = found.record
      ), moved_entries as (
        update ${table('entries')} as entries
        set record = found.record_place
        from (select record, patient_id, record_place, unnest(terms) as term from found where is_new) as found
        where entries.term = found.term and entries.record = found.record and entries.patient_id = found.patient_id
      ), moved_dates as (
        update ${table('dates')} as dates
        set record = found.record_place
        from (
          select record, patient_id, record_place,
            unnest(date_terms) as term, unnest(date_from) as "from", unnest(date_until) as "until"
          from found where is_new
        ) as found
        where dates.term = found.term and dates."from" = found."from" and dates."until" = found."until"
          and dates.record = found.record and dates.patient_id = found.patient_id
      ), replaced as (
        -- What the records were before the transaction.
        select versions.type, versions.resource
        from placed join ${table('versions')} as versions on versions.position = placed.record
        where placed.version = 2 and placed.record < ${firstProvisionalPosition}
        union all
        select versions.type, versions.resource
        from placed join ${table('versions')} as versions
          on versions.record = placed.record and versions.version = placed.version - 1 and versions.version > 1
        where versions.position < ${firstProvisionalPosition}
      ), recounted as (
        insert into ${table('counts')} (type, readable)
        select type, sum(readable) from (
          select type, count(*) as readable from found group by type
          union all
          select type, -count(*) from replaced where resource is not null group by type
        ) as changed
        group by type having sum(readable) <> 0 order by type
        on conflict (type) do update set readable = counts.readable + excluded.readable
      )
      select`,
  );
};
