import { sql } from 'kysely';
import { errorColumn } from '../postgres-errors.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Placeholder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { PlacedGroup } from './feed-head.ts';
import { headLockTimeout, lockTimeout } from './lock-head.ts';
import { joinRecords, placedColumns, versionRows, writes } from './write-parts.ts';

/** The checks that do not hold. */
const selectUnmet = ({ table }: QueryBuilder, placeholder: Placeholder<PlacedGroup>) => sql`
  select from unnest(
    ${placeholder('text[]', ({ checks }) => checks.map(({ type }) => encodeText(type)))},
    ${placeholder('text[]', ({ checks }) => checks.map(({ id }) => encodeText(id)))},
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
  /** Whether the statement is the whole transaction. It is for new records, whose keys refuse what is not new. */
  readonly autocommits: boolean;
};

/** The setting by which a statement sees that its transaction has begun. */
export const transactionSetting = { 'clinical_records.transaction': 'begun' } as const;

/** Whether a write has failed because the end of the feed is not where it was expected. */
export const isHeadMoved = (cause: unknown): boolean => errorColumn(cause) === 'head.digest';

/**
 * Creates the statement that writes a group of commits behind the end of the feed.
 *
 * It locks the end of the feed first, so nothing else is committed meanwhile. If the end is not the expected one, its digest is
 * set to null, which fails. So the statement has seen all that was committed before, even if it had to wait. The position is
 * set to null, which fails, too, unless every record has the expected version.
 */
export const createWriteStatement = (builder: QueryBuilder, shape: WriteShape): Statement<PlacedGroup> => {
  const { table } = builder;
  const [[setting, begun] = []] = Object.entries(transactionSetting);
  return createStatement<PlacedGroup>(builder, (placeholder) => {
    const start = placeholder('bigint', ({ head }) => head.position);
    const isReady = shape.autocommits
      ? sql`true`
      : sql`current_setting(${sql.lit(setting)}, true) = ${sql.lit(begun)}
          and not exists (${selectUnmet(builder, placeholder)})`;
    return sql`
      with moved as (
        update ${table('head')}
        set position = case when ${isReady} then ${placeholder('bigint', ({ end }) => end.position)} end,
          digest = case
            when position = ${start} and digest = ${placeholder('text', ({ head }) => head.digest)}
              and fence = ${placeholder('bigint', ({ head }) => head.fence)}
            then ${placeholder('text', ({ end }) => end.digest)}
          end
        ${shape.autocommits ? sql`where set_config('lock_timeout', ${sql.lit(`${lockTimeout}`)}, true) is not null` : sql``}
        returning set_config('lock_timeout', ${sql.lit(`${headLockTimeout}`)}, true)
      ), ending as materialized (
        select from moved limit 1
      ), numbered as (
        select written.*, ${start} + n as position from ending cross join ${versionRows(placeholder)}
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
