import { type RawBuilder, sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import { quoteName } from '../schema.ts';
import type { QueryBuilder } from '../statement.ts';
import type { Layout } from './migrations.ts';

/** How long the COMMIT of a host waits for that of another transaction. PostgreSQL ends no COMMIT by its `statement_timeout`. */
const placeLockTimeout = '5s';

/**
 * Gives the versions that a transaction of a host has written for a tenant their places behind the end of its feed, and locks
 * that until the transaction has ended.
 *
 * Every other row that it changes belongs to a record that the transaction has locked, or is one of the counts, which nobody
 * else changes meanwhile. So it waits for nobody else. Versions of other transactions are invisible, and so are those that the
 * host has undone.
 */
const place = `
declare
  last bigint;
  link text;
  positions bigint[];
  firsts bigint[];
  patient_ids text[];
  types text[];
  ids text[];
  numbers integer[];
  digests text[];
  links text[];
  has_terms boolean;
  is_read_only boolean;
begin
  select position, digest, read_only into last, link, is_read_only from head where head.tenant = clinic for update;
  if not found then
    raise exception 'The tenant of this transaction has been removed.' using errcode = 'foreign_key_violation';
  end if;
  if is_read_only then
    raise exception 'The tenant of this transaction is read-only at the moment. Run the transaction again.'
      using errcode = 'serialization_failure';
  end if;

  -- It is planned for this transaction. A plan for any of them would expect a third of all versions.
  execute 'select array_agg(position), array_agg(record), array_agg(patient_id), array_agg(type), array_agg(id),
      array_agg(version), array_agg(digest)
    from (select * from versions where tenant = $1 and position >= $2 order by position) as written'
    into positions, firsts, patient_ids, types, ids, numbers, digests using clinic, first_position;
  for n in 1 .. cardinality(positions) loop
    link := encode(sha256(convert_to(link || ' ' || last + n || ' ' || digests[n], 'UTF8')), 'hex');
    links[n] := link;
  end loop;
  update head set position = last + cardinality(links), digest = link where head.tenant = clinic;

  with placed as materialized (
    -- The place of each version, and that of the first version of its record. A join of the versions with each other would
    -- compare each with all.
    select placed.*, coalesce(first_place, record) as record_place, first_place is not null as is_new
    from (
      select placed.*, last + n as place,
        min(last + n) filter (where placed.position = placed.record) over (partition by placed.record) as first_place
      from unnest(positions, firsts, patient_ids, types, ids, numbers, links)
        with ordinality as placed (position, record, patient_id, type, id, version, link, n)
    ) as placed
  ), replaced as materialized (
    -- What the records were before the transaction.
    select versions.type, versions.resource
    from placed join versions on versions.tenant = clinic and versions.position = placed.record
    where placed.version = 2 and placed.record < first_position
    union all
    select versions.type, versions.resource
    from placed join versions
      on versions.tenant = clinic and versions.record = placed.record
        and versions.version = placed.version - 1 and versions.version > 1
    where versions.position < first_position
  ), moved_versions as (
    update versions set position = placed.place, record = placed.record_place, digest = placed.link
    from placed where versions.tenant = clinic and versions.position = placed.position
  ), moved_records as (
    update records set position = placed.record_place, current = placed.place
    from placed
    where records.tenant = clinic and records.id = placed.id and records.type = placed.type
      and records.current = placed.position
  ), indexed as materialized (
    select searchable.*, placed.place, placed.record_place, placed.is_new
    from placed join searchable
      on searchable.tenant = clinic and searchable.patient_id = placed.patient_id
        and searchable.type = placed.type and searchable.record = placed.record
    where searchable.current = placed.position
  ), moved_searchable as (
    update searchable set record = indexed.record_place, current = indexed.place
    from indexed
    where searchable.tenant = clinic and searchable.patient_id = indexed.patient_id
      and searchable.type = indexed.type and searchable.record = indexed.record
  ), moved_entries as (
    update entries set record = found.record_place
    from (select record, patient_id, record_place, unnest(terms) as term from indexed where is_new) as found
    where entries.tenant = clinic and entries.term = found.term and entries.record = found.record
      and entries.patient_id = found.patient_id
  ), moved_dates as (
    update dates set record = found.record_place
    from (
      select record, patient_id, record_place,
        unnest(date_terms) as term, unnest(date_from) as "from", unnest(date_until) as "until"
      from indexed where is_new
    ) as found
    where dates.tenant = clinic and dates.term = found.term and dates."from" = found."from" and dates."until" = found."until"
      and dates.record = found.record and dates.patient_id = found.patient_id
  ), recounted as (
    -- Joined with another table of the tenant, the rows are inserted on its server.
    insert into counts (tenant, type, readable)
    select head.tenant, type, sum(readable) from (
      select type, count(*) as readable from indexed group by type
      union all
      select type, -count(*) from replaced where resource is not null group by type
    ) as changed join head on head.tenant = clinic
    group by head.tenant, type having sum(readable) <> 0 order by type
    on conflict (tenant, type) do update set readable = counts.readable + excluded.readable
  )
  select not exists (
    -- Citus needs a column.
    select 1 from (select unnest(terms || date_terms) as term from indexed) as used
    where not exists (select from terms where terms.tenant = clinic and terms.term = used.term)
  ) into has_terms;

  if not has_terms then
    raise exception 'An erasure has deleted index entries that this transaction needs. Run the transaction again.'
      using errcode = 'serialization_failure';
  end if;
end`;

/**
 * The body of the trigger that places what a transaction of a host has written, for each of its tenants in the order of their
 * numbers, so that two transactions do not wait for each other. It runs last: after the deferred constraints of the host, which
 * may wait for others.
 *
 * It finds the tables beside that of its trigger, because a schema can be renamed.
 */
const placeAtCommit = `
declare
  written record;
begin
  perform set_config('search_path', format('pg_catalog, %I, pg_temp', tg_table_schema), true);
  if new.stage = 1 then
    insert into host_transactions (transaction, tenant, stage, first) values (new.transaction, new.tenant, 2, new.first);
    return null;
  end if;
  for written in
    select tenant, first from host_transactions where transaction = new.transaction and stage = 2 order by tenant
  loop
    perform place(written.tenant, written.first);
  end loop;
  delete from host_transactions where transaction = new.transaction;
  return null;
end`;

/** The body of the function that does so for some tenants. It is called before the COMMIT. */
const placeBeforeCommit = `
declare
  clinic integer;
  first_position bigint;
begin
  for clinic in select distinct unnest(clinics) order by 1 loop
    delete from host_transactions where tenant = clinic and transaction = pg_current_xact_id()
      returning first into first_position;
    -- Otherwise the host has undone what it had written, unless there is no feed, so that it could write nothing.
    if found or not exists (select from head where head.tenant = clinic) then
      perform place(clinic, first_position);
    end if;
  end loop;
end`;

/** Places what the transaction has written for some tenants of distributed tables. It is the last query before the COMMIT. */
export const placeQuery = (schema: string, tenants: readonly number[]): PostgresQuery => ({
  text: `select ${quoteName(schema)}.place_all($1::integer[])`,
  values: [tenants],
});

/**
 * The statements that make a COMMIT place what `records.in(…)` has written. Each such write adds a row to `host_transactions`,
 * unless the transaction has one of the tenant. The deferred trigger on it runs at the end of the transaction. Distributed tables
 * have no triggers, but a function that `inTransaction` calls.
 */
export const createPlaceFunctions = (
  { schema, table }: QueryBuilder,
  { isDistributed }: Layout,
): readonly RawBuilder<unknown>[] => {
  const name = sql.id(schema, 'place_all');
  const triggered = () => [
    // It may run under any role that the host has set, and changes nothing but the tables of its schema. Its rows are found by
    // their keys, however many PostgreSQL expects.
    sql`create function ${name}() returns trigger language plpgsql security definer
      set search_path = pg_catalog, pg_temp
      set lock_timeout = ${sql.lit(placeLockTimeout)}
      set jit = off
      set plan_cache_mode = force_generic_plan
      set enable_seqscan = off
      set enable_hashjoin = off
      set enable_mergejoin = off
      as ${sql.lit(placeAtCommit)}`,
    sql`revoke all on function ${sql.id(schema, 'place')}(integer, bigint) from public`,
    sql`revoke all on function ${name}() from public`,
    sql`create constraint trigger place_all after insert on ${table('host_transactions')}
      deferrable initially deferred for each row execute function ${name}()`,
  ];
  const called = () => [
    sql`create function ${name}(clinics integer[]) returns void language plpgsql
      set search_path = pg_catalog, ${sql.id(schema)}, pg_temp
      as ${sql.lit(placeBeforeCommit)}`,
  ];
  return [
    sql`create table ${table('host_transactions')} (
      transaction xid8 not null,
      tenant integer not null,
      stage smallint not null,
      first bigint not null,
      primary key (transaction, tenant, stage)
    )`,
    sql`create function ${sql.id(schema, 'place')}(clinic integer, first_position bigint) returns void language plpgsql
      as ${sql.lit(place)}`,
    ...(isDistributed ? called() : triggered()),
  ];
};
