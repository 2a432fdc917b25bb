import { type RawBuilder, sql } from 'kysely';
import { errorColumn } from '../postgres-errors.ts';
import { toTime } from '../schema.ts';
import {
  createStatement,
  type Placeholder,
  type QueryBuilder,
  type SqlType,
  type Statement,
} from '../statement.ts';
import { encodeText } from '../text.ts';
import type { PlacedGroup } from './feed-head.ts';
import type { NumberedVersion } from './prepared-commit.ts';
import { headLockTimeout, lockTimeout } from './waiting.ts';

/** An array of PostgreSQL as a text. */
export const arrayOf = (items: readonly (string | number)[]): string => `{${items.join()}}`;

/** A version with what its row has as its digest. */
export type DigestedVersion = NumberedVersion & { readonly digest: string };

/** A list that a statement gets as one value: the name of its column, its type, and how an item is read. */
export type ListColumn<Item> = readonly [name: string, type: SqlType, read: (item: Item) => unknown];

/** The lists in which versions are written. */
export const versionLists: readonly ListColumn<DigestedVersion>[] = [
  ['type', 'text[]', ({ type }) => type],
  ['id', 'text[]', ({ id }) => id],
  ['patient_id', 'text[]', ({ patientId }) => patientId],
  ['at', 'bigint[]', ({ at }) => at],
  ['by', 'text[]', ({ by }) => by],
  ['state', 'text[]', ({ state }) => state],
  ['resource', 'text[]', ({ resource }) => resource],
  ['digest', 'text[]', ({ digest }) => digest],
  ['before', 'integer[]', ({ before }) => before],
  ['terms', 'text[]', ({ terms }) => arrayOf(terms)],
  ['date_terms', 'text[]', ({ dateTerms }) => arrayOf(dateTerms)],
  ['date_from', 'text[]', ({ dateFrom }) => arrayOf(dateFrom)],
  ['date_until', 'text[]', ({ dateUntil }) => arrayOf(dateUntil)],
];

/** The versions of some lists as rows, numbered from 1. */
export const versionsFrom = (lists: readonly RawBuilder<unknown>[]) => {
  const names = [...versionLists.map(([name]) => name), 'n'].map((name) => sql.ref(name));
  return sql`unnest(${sql.join(lists)}) with ordinality as written (${sql.join(names)})`;
};

/** The versions as rows, numbered from 1. */
export const versionRows = <Args extends { readonly versions: readonly DigestedVersion[] }>(
  placeholder: Placeholder<Args>,
) =>
  versionsFrom(versionLists.map(([, type, read]) => placeholder(type, ({ versions }) => versions.map(read))));

/** The index entries of rows that have the columns of `searchable`, as rows of `entries` without the tenant. */
export const entriesOf = (rows: RawBuilder<unknown>) =>
  sql`select unnest(terms::uuid[]) as term, record, patient_id from ${rows}`;

/** Their dates, as rows of `dates` without the tenant. */
export const datesOf = (rows: RawBuilder<unknown>) => sql`
  select unnest(date_terms::uuid[]) as term, unnest(date_from::bigint[]) as "from",
    unnest(date_until::bigint[]) as "until", record, patient_id
  from ${rows}`;

/**
 * The parts that delete the index entries of the rows `before` that those `after` lack. Compared each with each, 300 entries
 * took 90 ms.
 */
export const deletesOfEntries = (
  { table }: QueryBuilder,
  tenant: RawBuilder<number>,
  before: RawBuilder<unknown>,
  after: RawBuilder<unknown>,
) => sql`
    old_entries as (
      delete from ${table('entries')} as entries using (${entriesOf(before)} except ${entriesOf(after)}) as old
      where entries.tenant = ${tenant} and entries.term = old.term and entries.record = old.record
        and entries.patient_id = old.patient_id
    ), old_dates as (
      delete from ${table('dates')} as dates using (${datesOf(before)} except ${datesOf(after)}) as old
      where dates.tenant = ${tenant} and dates.term = old.term and dates."from" = old."from"
        and dates."until" = old."until" and dates.record = old.record and dates.patient_id = old.patient_id
    )`;

/** Adds the number of the tenant to rows that are inserted, as their last column. */
export type AddTenant = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * Citus inserts rows that it joins with another table of the tenant on the server of the tenant. All others it would first send to each
 * server, and then commit on all of them.
 */
export const addTenant =
  ({ table, tenant }: QueryBuilder, number: RawBuilder<number>): AddTenant =>
  (rows) =>
    tenant.isDistributed
      ? sql`select added.*, head.tenant from (${rows}) as added join ${table('head')} as head on head.tenant = ${number}`
      : sql`select added.*, ${number} from (${rows}) as added`;

/**
 * The parts that write `placed` versions: rows of versions with their positions, digests, and the records that they
 * belong to. With `hasNext`, some follow an earlier version, whose index entries are removed unless they remain.
 */
export const writes = (
  builder: QueryBuilder,
  tenant: RawBuilder<number>,
  { hasNext }: { readonly hasNext: boolean },
) => {
  const { table } = builder;
  const isFound = sql`placed.resource is not null`;
  const found = sql`placed where ${isFound}`;
  const ifNext = (part: RawBuilder<unknown>) => (hasNext ? part : sql``);
  const withTenant = addTenant(builder, tenant);
  const first = sql`
    new_versions as (
      insert into ${table('versions')}
        (position, record, version, committed, patient_id, type, id, by, digest, state, resource, tenant)
      ${withTenant(sql`
        select position, record, before + 1 as version, ${toTime(sql`at`)} as committed, patient_id, type, id, by, digest,
          state, resource
        from placed`)}
    ), new_records as (
      insert into ${table('records')} (type, id, patient_id, position, current, version, tenant)
      ${withTenant(sql`
        select type, id, patient_id, position, position as current, 1 as version from placed where before = 0`)}
    ), new_searchable as (
      insert into ${table('searchable')}
        (record, current, patient_id, type, id, version, committed, resource,
          terms, date_terms, date_from, date_until, tenant)
      ${withTenant(sql`
        select record, position as current, patient_id, type, id, before + 1 as version, ${toTime(sql`at`)} as committed,
          resource, terms::uuid[] as terms, date_terms::uuid[] as date_terms, date_from::bigint[] as date_from,
          date_until::bigint[] as date_until
        from ${found}`)}
      ${ifNext(sql`on conflict (tenant, patient_id, type, record) do update set
        current = excluded.current, version = excluded.version, committed = excluded.committed, resource = excluded.resource,
        terms = excluded.terms, date_terms = excluded.date_terms,
        date_from = excluded.date_from, date_until = excluded.date_until`)}
    ), new_entries as (
      insert into ${table('entries')} (term, record, patient_id, tenant)
      ${withTenant(entriesOf(found))}
      ${ifNext(sql`on conflict do nothing`)}
    ), new_dates as (
      insert into ${table('dates')} (term, "from", "until", record, patient_id, tenant)
      ${withTenant(datesOf(found))}
      ${ifNext(sql`on conflict do nothing`)}
    )`;
  if (!hasNext) return first;
  // It reads before the others write: on Citus, each part sees what those before it have written.
  return sql`
    replaced as materialized (
      select searchable.*, ${isFound} and placed.patient_id = searchable.patient_id as remains
      from placed join ${table('searchable')} as searchable
        on searchable.tenant = ${tenant} and searchable.patient_id = placed.old_patient_id
          and searchable.type = placed.type and searchable.record = placed.record
      where placed.before > 0
    ), ${first}, next_records as (
      update ${table('records')} as records
      set current = placed.position, version = placed.before + 1, patient_id = placed.patient_id
      from placed
      where placed.before > 0 and records.tenant = ${tenant} and records.id = placed.id
        and records.type = placed.type
    ), old_searchable as (
      delete from ${table('searchable')} as searchable using replaced
      where not replaced.remains and searchable.tenant = ${tenant}
        and searchable.patient_id = replaced.patient_id and searchable.type = replaced.type and searchable.record = replaced.record
    ), ${deletesOfEntries(builder, tenant, sql`replaced`, found)}`;
};

/** The record that a version belongs to, and its patient before. */
export const placedColumns = ({ hasNext }: { readonly hasNext: boolean }) =>
  hasNext
    ? sql`coalesce(records.position, numbered.position) as record, coalesce(records.patient_id, '') as old_patient_id`
    : sql`numbered.position as record, '' as old_patient_id`;

export const joinRecords = (
  { table }: QueryBuilder,
  tenant: RawBuilder<number>,
  { hasNext }: { readonly hasNext: boolean },
) =>
  hasNext
    ? sql`left join ${table('records')} as records
        on numbered.before > 0 and records.tenant = ${tenant} and records.id = numbered.id
          and records.type = numbered.type`
    : sql``;

/** The checks that do not hold. */
const selectUnmet = (placeholder: Placeholder<PlacedGroup>) => sql`
  select from unnest(
    ${placeholder('text[]', ({ checks }) => checks.map(({ type }) => encodeText(type)))},
    ${placeholder('text[]', ({ checks }) => checks.map(({ id }) => encodeText(id)))},
    ${placeholder('integer[]', ({ checks }) => checks.map(({ version }) => version))}
  ) as expected (type, id, version)
  left join ${placeholder.rows('records')} as records on records.id = expected.id and records.type = expected.type
  where coalesce(records.version, 0) <> expected.version`;

const countNew = sql`
  select type, count(*) as readable from placed where resource is not null group by type order by type`;

const countChanges = sql`
  select type, sum(readable) as readable from (
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
export const isHeadMoved = (cause: unknown): boolean =>
  /^head(_\d+)?\.digest$/.test(errorColumn(cause) ?? '');

/**
 * Creates the statement that writes a group of commits behind the end of the feed.
 *
 * It locks the end of the feed first, so nothing else is committed until its end, and it has seen all that was committed before, even
 * if it had to wait. If the end is not the expected one, or the tenant is read-only, the digest is set to null, which fails. The
 * position is set to null, which fails, too, unless every record has the expected version. If there is no feed, because the tenant
 * has been removed, the statement divides by zero.
 */
export const createWriteStatement = (builder: QueryBuilder, shape: WriteShape): Statement<PlacedGroup> => {
  const { table } = builder;
  const [[setting, begun] = []] = Object.entries(transactionSetting);
  return createStatement<PlacedGroup>(builder, 'commit', (placeholder) => {
    const tenant = placeholder.tenant();
    const start = placeholder('bigint', ({ head }) => head.position);
    const hasBegun = sql`current_setting(${sql.lit(setting)}, true) = ${sql.lit(begun)} and`;
    const isReady = sql`${shape.autocommits ? sql`` : hasBegun} not exists (${selectUnmet(placeholder)})`;
    return sql`
      with moved as (
        update ${table('head')}
        set position = (select ${placeholder('bigint', ({ end }) => end.position)} where ${isReady}),
          digest = case
            when position = ${start} and digest = ${placeholder('text', ({ head }) => head.digest)}
              and fence = ${placeholder('bigint', ({ head }) => head.fence)} and not read_only
            then ${placeholder('text', ({ end }) => end.digest)}
          end
        where tenant = ${tenant}
          ${shape.autocommits ? sql`and set_config('lock_timeout', ${sql.lit(`${lockTimeout}`)}, true) is not null` : sql``}
        returning tenant
      ), limited as materialized (
        select set_config('lock_timeout', ${sql.lit(`${headLockTimeout}`)}, true) from moved
      ), numbered as (
        select written.*, ${start} + n as position  from ${versionRows(placeholder)}
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, tenant, shape)}
      ), ${writes(builder, tenant, shape)}, recounted as (
        insert into ${table('counts')} (type, readable, tenant)
        ${addTenant(builder, tenant)(shape.hasNext ? countChanges : countNew)}
        on conflict (tenant, type) do update set readable = counts.readable + excluded.readable
      )
      select 1 / count(*) from limited`;
  });
};
