import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Placeholder, type Statement } from '../statement.ts';
import { selectLockedHead } from './lock-head.ts';
import {
  joinRecords,
  type NumberedVersion,
  placedColumns,
  versionHashes,
  versionRows,
  writes,
} from './write-parts.ts';
import { nextNumber, type Writer } from './writer.ts';

/** A record, and the version that it must have; 0 if it must not exist. */
export type ExactVersionCheck = { readonly type: string; readonly id: string; readonly version: number };

/** The versions of a group of commits, and what they expect of other records. */
export type Group = {
  readonly versions: readonly NumberedVersion[];
  readonly checks: readonly ExactVersionCheck[];
  readonly writer: Writer;
};

/** The checks that do not hold. */
const selectUnmet = ({ table }: QueryBuilder, placeholder: Placeholder<Group>) => sql`
  select from unnest(
    ${placeholder('text[]', ({ checks }) => checks.map(({ type }) => type))},
    ${placeholder('text[]', ({ checks }) => checks.map(({ id }) => id))},
    ${placeholder('integer[]', ({ checks }) => checks.map(({ version }) => version))}
  ) as expected (type, id, version)
  left join ${table('records')} as records on records.id = expected.id and records.type = expected.type
  where coalesce(records.version, 0) <> expected.version`;

const countNew = sql`select type, count(*) from placed where resource is not null group by type order by type`;

const countChanges = sql`
  select type, sum(readable) from (
    select type, count(*) as readable from placed where resource is not null group by type
    union all select type, -count(*) from replaced group by type
  ) as changed
  group by type having sum(readable) <> 0 order by type`;

/** The purpose of a write statement. */
type WriteShape = {
  /** Whether some of the versions follow an earlier one. */
  readonly hasNext: boolean;
  /** Whether the statement is the whole transaction, and locks the end of the feed. */
  readonly autocommits: boolean;
};

/**
 * Creates the statement that writes a group of commits behind the end of the feed, whose row the transaction has
 * locked. So nothing else is committed meanwhile, and the statement sees all that was committed before.
 *
 * The row of the end is set to null, which fails, unless every record has the expected version, and the transaction is
 * the next one of its writer. The number is set by the same statement, so it shows what became of all of it.
 *
 * A statement that autocommits locks the end of the feed itself. Of what was committed while it waited for that, it sees
 * only the end of the feed. So it is for versions of new records, without other expectations: their keys refuse what is
 * not new.
 */
export const createWriteStatement = (builder: QueryBuilder, shape: WriteShape): Statement<Group> => {
  const { table } = builder;
  return createStatement<Group>(builder, (placeholder) => {
    const count = placeholder('bigint', ({ versions }) => versions.length);
    const hashes = versionHashes(placeholder);
    return sql`
      with recursive written as materialized (
        select * from ${versionRows(placeholder)}
      ), ending as materialized (
        ${shape.autocommits ? selectLockedHead(builder) : sql`select position, digest from ${table('head')} limit 1`}
      ), chain (n, digest) as (
        select 0::bigint, digest from ending
        union all
        select n + 1, encode(sha256(convert_to(
          chain.digest || ' ' || (ending.position + n + 1) || ' '
            || encode(substring(${hashes} from (n * 32 + 1)::integer for 32), 'hex'), 'UTF8')), 'hex')
        from chain, ending where n < ${count}
      ), unmet as (
        ${shape.autocommits ? sql`select where false` : selectUnmet(builder, placeholder)}
      ), advanced as (
        update ${table('writers')} set number = ${placeholder('bigint', ({ writer }) => nextNumber(writer))}
        where writer = ${placeholder('uuid', ({ writer }) => writer.id)}
          and number = ${placeholder('bigint', ({ writer }) => writer.number)}
          ${shape.autocommits ? sql`` : sql`and current_setting('clinical_records.transaction', true) = writer::text`}
        returning number
      ), moved as (
        update ${table('head')} as head
        set position = case
            when exists (select from advanced) and not exists (select from unmet) then ending.position + ${count}
          end,
          digest = (select digest from chain where n = ${count})
        from ending
      ), numbered as (
        select written.*, ending.position + n as position, chain.digest
        from written join chain using (n) cross join ending
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, shape)}
      ), ${writes(builder, shape)}, recounted as (
        insert into ${table('counts')} (type, readable)
        ${shape.hasNext ? countChanges : countNew}
        on conflict (type) do update set readable = counts.readable + excluded.readable
      )
      select`;
  });
};
