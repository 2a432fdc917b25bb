begin;
set local lock_timeout = 100;
create schema if not exists "clinical_records";
create table if not exists "clinical_records"."migrations" (version integer primary key);
commit;

begin;
set local lock_timeout = 100;
create table "clinical_records"."tenants" (
      tenant integer primary key,
      name text collate "C" not null,
      removed timestamptz
    ) with (autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create unique index tenants_by_name on "clinical_records"."tenants" (name) where removed is null;
create table "clinical_records"."head" (
      tenant integer primary key references "clinical_records"."tenants",
      position bigint not null default 0,
      digest text collate "C" not null default '',
      fence bigint not null default 0,
      read_only boolean not null default false
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

  with created as (
    insert into "clinical_records"."tenants" (tenant, name)
    select coalesce(max(tenant) + 1, 0), 'default' from "clinical_records"."tenants"
    returning tenant
  )
  insert into "clinical_records"."head" (tenant) select tenant from created;
create sequence "clinical_records"."provisional_positions" start with 4503599627370496 maxvalue 9007199254740991;
create table "clinical_records"."records" (
      type text collate "C" not null,
      id text collate "C" not null,
      patient_id text collate "C" not null,
      position bigint not null,
      current bigint not null,
      version integer not null,
      tenant integer not null,
      primary key (tenant, id, type)
    ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create table "clinical_records"."versions" (
      position bigint not null,
      record bigint not null,
      version integer not null,
      tenant integer not null,
      committed timestamptz not null,
      patient_id text collate "C" not null,
      type text collate "C" not null,
      id text collate "C" not null,
      by text collate "C",
      digest text collate "C" not null,
      state text collate "C" not null,
      resource text collate "C" check (resource is null or resource::json is not null),
      primary key (tenant, position)) with (toast_tuple_target = 8160, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create index versions_by_time on "clinical_records"."versions" (tenant, type, committed);
create unique index versions_by_record on "clinical_records"."versions" (tenant, record, version) where version > 1;
create function "clinical_records"."tenant_number"(named text) returns integer language sql stable security definer set search_path = pg_catalog, pg_temp begin atomic select tenant from "clinical_records"."tenants" where tenants.name = named and removed is null; end;
create table "clinical_records"."terms" (
      tenant integer not null,
      row_id uuid not null default gen_random_uuid(),
      term uuid not null,
      type text collate "C" not null,
      kind text collate "C" not null,
      parameter text collate "C" not null,
      system text collate "C" not null,
      code text collate "C" not null,
      primary key (tenant, row_id)
    );
create index terms_by_term on "clinical_records"."terms" (tenant, term);
create index terms_by_code on "clinical_records"."terms" (tenant, code, parameter, type);
create index terms_by_system on "clinical_records"."terms" (tenant, parameter, type, system);
create index terms_by_word on "clinical_records"."terms" (tenant, parameter, type, code) where kind = 'string';
create table "clinical_records"."searchable" (
      record bigint not null,
      current bigint not null,
      patient_id text collate "C" not null,
      type text collate "C" not null,
      id text collate "C" not null,
      version integer not null,
      tenant integer not null,
      committed timestamptz not null,
      resource text collate "C" check (resource is null or resource::json is not null) not null,
      terms uuid[] not null,
      date_terms uuid[] not null,
      date_from bigint[] not null,
      date_until bigint[] not null,
      -- With the time, so that a chart is put in the order of its changes without its rows.
      primary key (tenant, patient_id, type, record) include (committed)) with (toast_tuple_target = 8160, fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create index searchable_by_type on "clinical_records"."searchable" (tenant, type, record);
create index searchable_by_name on "clinical_records"."searchable" (tenant, id, type);
create table "clinical_records"."entries" (
      term uuid not null,
      record bigint not null,
      tenant integer not null,
      patient_id text collate "C" not null,
      primary key (tenant, term, record, patient_id)) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
alter table "clinical_records"."entries" alter column term set statistics 1000;
create table "clinical_records"."dates" (
      term uuid not null,
      record bigint not null,
      "from" bigint not null,
      "until" bigint not null,
      tenant integer not null,
      patient_id text collate "C" not null,
      primary key (tenant, term, "from", "until", record, patient_id)) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 1000);
create index long_dates_by_until on "clinical_records"."dates" (tenant, term, "until", "from")
      where "until" - "from" > 90000000;
create index dates_by_chart on "clinical_records"."dates" (tenant, patient_id, term, record) include ("from", "until");
create table "clinical_records"."counts" (
      tenant integer not null,
      type text collate "C" not null,
      readable bigint not null,
      primary key (tenant, type)
    ) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
create table "clinical_records"."indexed_parameters" (
      tenant integer primary key,
      version integer not null,
      texts jsonb not null
    );
create table "clinical_records"."host_transactions" (
      transaction xid8 not null,
      tenant integer not null,
      stage smallint not null,
      first bigint not null,
      primary key (transaction, tenant, stage)
    );
create function "clinical_records"."place"(clinic integer, first_position bigint) returns void language plpgsql
      as '
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
    raise exception ''The tenant of this transaction has been removed.'' using errcode = ''foreign_key_violation'';
  end if;
  if is_read_only then
    raise exception ''The tenant of this transaction is read-only at the moment. Run the transaction again.''
      using errcode = ''serialization_failure'';
  end if;

  -- It is planned for this transaction. A plan for any of them would expect a third of all versions.
  execute ''select array_agg(position), array_agg(record), array_agg(patient_id), array_agg(type), array_agg(id),
      array_agg(version), array_agg(digest)
    from (select * from versions where tenant = $1 and position >= $2 order by position) as written''
    into positions, firsts, patient_ids, types, ids, numbers, digests using clinic, first_position;
  for n in 1 .. cardinality(positions) loop
    link := encode(sha256(convert_to(link || '' '' || last + n || '' '' || digests[n], ''UTF8'')), ''hex'');
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
    raise exception ''An erasure has deleted index entries that this transaction needs. Run the transaction again.''
      using errcode = ''serialization_failure'';
  end if;
end';
create function "clinical_records"."place_all"() returns trigger language plpgsql security definer
      set search_path = pg_catalog, pg_temp
      set lock_timeout = '5s'
      set jit = off
      set plan_cache_mode = force_generic_plan
      set enable_seqscan = off
      set enable_hashjoin = off
      set enable_mergejoin = off
      as '
declare
  written record;
begin
  perform set_config(''search_path'', format(''pg_catalog, %I, pg_temp'', tg_table_schema), true);
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
end';
revoke all on function "clinical_records"."place"(integer, bigint) from public;
revoke all on function "clinical_records"."place_all"() from public;
create constraint trigger place_all after insert on "clinical_records"."host_transactions"
      deferrable initially deferred for each row execute function "clinical_records"."place_all"();
create function "clinical_records"."erase"(
      clinic integer, types text[], ids text[], numbers integer[], states text[]
    ) returns void language sql security definer set search_path = pg_catalog, pg_temp begin atomic 
      with prior as materialized (
        select records.position as record, given.version, given.state
        from unnest(types, ids, numbers, states) as given (type, id, version, state)
        join "clinical_records"."records" as records
          on records.tenant = clinic and records.id = given.id and records.type = given.type
        where given.state ~ '^\{"erased":"[0-9a-f]{64}"\}$'
      ), first as (
        -- The first version of a record is found by its position.
        update "clinical_records"."versions" as versions set state = prior.state, resource = null
        from prior
        where prior.version = 1 and versions.tenant = clinic and versions.position = prior.record
      )
      update "clinical_records"."versions" as versions set state = prior.state, resource = null
      from prior
      where prior.version > 1 and versions.version > 1
        and versions.tenant = clinic and versions.record = prior.record and versions.version = prior.version;
      delete from "clinical_records"."terms" as terms
      where terms.tenant = clinic
        and not exists (
          select from "clinical_records"."entries" as entries where entries.tenant = clinic and entries.term = terms.term
        )
        and not exists (
          select from "clinical_records"."dates" as dates where dates.tenant = clinic and dates.term = terms.term
        ); end;
revoke all on function "clinical_records"."erase"(integer, text[], text[], integer[], text[]) from public;
create function "clinical_records"."write_in_transaction"(own_schema text, clinic integer, own_transaction text, longest_wait bigint, named_types text[], named_ids text[], expected integer[], changed integer, own_term uuid[], own_type text[], own_kind text[], own_parameter text[], own_system text[], own_code text[], new_type text[], new_id text[], new_patient_id text[], new_at bigint[], new_by text[], new_state text[], new_resource text[], new_digest text[], new_before integer[], new_terms text[], new_date_terms text[], new_date_from text[], new_date_until text[]) returns jsonb
      language plpgsql
      set search_path = pg_catalog, pg_temp
      set jit = off
      set plan_cache_mode = force_generic_plan
      as '
declare
  answer jsonb := jsonb_build_object(
    ''id'', pg_current_xact_id()::text, ''isolation'', current_setting(''transaction_isolation'')
  );
  former_lock_timeout text := current_setting(''lock_timeout'');
  ref record;
  actual integer[];
  code text;
  is_read_only boolean;
begin
  if answer->>''isolation'' <> ''read committed''
    or answer->>''id'' is distinct from coalesce(own_transaction, current_setting(''clinical_records.joined'', true))
  then return answer || ''{"result": "elsewhere"}''; end if;
  perform set_config(''search_path'', format(''pg_catalog, %I, pg_temp'', own_schema), true);
  perform set_config(''clinical_records.tenant'', clinic::text, true);
  select read_only into is_read_only from head where tenant = clinic;
  if not found then return answer || ''{"result": "removed"}''; end if;
  if is_read_only and changed > 0 then return answer || ''{"result": "read-only"}''; end if;
  begin
    perform set_config(''lock_timeout'', least(longest_wait,
      nullif(extract(epoch from former_lock_timeout::interval) * 1000, 0))::bigint::text, true);

    insert into records (tenant, type, id, patient_id, position, current, version)
    select clinic, type, id, '''', 0, 0, 0 from unnest(named_types, named_ids) as named (type, id)
    order by id collate "C", type collate "C"
    on conflict do nothing;
    delete from records using unnest(named_types, named_ids) as named (type, id)
    where records.tenant = clinic and records.id = named.id and records.type = named.type and records.version = 0;
    for ref in
      select type, id, bool_or(n <= changed) as is_changed
      from unnest(named_types, named_ids) with ordinality as given (type, id, n)
      group by type, id order by id collate "C", type collate "C"
    loop
      if ref.is_changed
      then perform from records where tenant = clinic and id = ref.id and type = ref.type for no key update;
      else perform from records where tenant = clinic and id = ref.id and type = ref.type for share;
      end if;
    end loop;
    select array_agg(coalesce(records.version, 0) order by named.n) into actual
    from unnest(named_types, named_ids) with ordinality as named (type, id, n)
    left join records on records.tenant = clinic and records.id = named.id and records.type = named.type;

    if exists (select from unnest(expected, actual) as version (expected, actual) where version.expected <> version.actual)
    then
      answer := answer || jsonb_build_object(''result'', ''conflict'', ''actual'', actual);
    else
      answer := answer || ''{"result": "written"}'';
      if changed > 0 then
        
  insert into "terms" (tenant, term, type, kind, parameter, system, code)
  select clinic, added.* from unnest(own_term, own_type, own_kind, own_parameter, own_system, own_code) as added (term, type, kind, parameter, system, code)
  where not exists (select from (select * from terms where tenant = clinic) as terms where terms.term = added.term) and true;
        
  with numbered as materialized (
    select written.*, nextval(''provisional_positions'') as position from (select * from unnest(new_type, new_id, new_patient_id, new_at, new_by, new_state, new_resource, new_digest, new_before, new_terms, new_date_terms, new_date_from, new_date_until) with ordinality as written ("type", "id", "patient_id", "at", "by", "state", "resource", "digest", "before", "terms", "date_terms", "date_from", "date_until", "n") order by n) as written
  ), placed as materialized (
    select numbered.*, coalesce(records.position, numbered.position) as record, coalesce(records.patient_id, '''') as old_patient_id from numbered left join "records" as records
        on numbered.before > 0 and records.tenant = clinic and records.id = numbered.id
          and records.type = numbered.type
  ), 
    replaced as materialized (
      select searchable.*, placed.resource is not null and placed.patient_id = searchable.patient_id as remains
      from placed join "searchable" as searchable
        on searchable.tenant = clinic and searchable.patient_id = placed.old_patient_id
          and searchable.type = placed.type and searchable.record = placed.record
      where placed.before > 0
    ), 
    new_versions as (
      insert into "versions"
        (position, record, version, committed, patient_id, type, id, by, digest, state, resource, tenant)
      select added.*, clinic from (
        select position, record, before + 1 as version, timestamptz ''epoch'' + at * interval ''1 millisecond'' as committed, patient_id, type, id, by, digest,
          state, resource
        from placed) as added
    ), new_records as (
      insert into "records" (type, id, patient_id, position, current, version, tenant)
      select added.*, clinic from (
        select type, id, patient_id, position, position as current, 1 as version from placed where before = 0) as added
    ), new_searchable as (
      insert into "searchable"
        (record, current, patient_id, type, id, version, committed, resource,
          terms, date_terms, date_from, date_until, tenant)
      select added.*, clinic from (
        select record, position as current, patient_id, type, id, before + 1 as version, timestamptz ''epoch'' + at * interval ''1 millisecond'' as committed,
          resource, terms::uuid[] as terms, date_terms::uuid[] as date_terms, date_from::bigint[] as date_from,
          date_until::bigint[] as date_until
        from placed where placed.resource is not null) as added
      on conflict (tenant, patient_id, type, record) do update set
        current = excluded.current, version = excluded.version, committed = excluded.committed, resource = excluded.resource,
        terms = excluded.terms, date_terms = excluded.date_terms,
        date_from = excluded.date_from, date_until = excluded.date_until
    ), new_entries as (
      insert into "entries" (term, record, patient_id, tenant)
      select added.*, clinic from (select unnest(terms::uuid[]) as term, record, patient_id from placed where placed.resource is not null) as added
      on conflict do nothing
    ), new_dates as (
      insert into "dates" (term, "from", "until", record, patient_id, tenant)
      select added.*, clinic from (
  select unnest(date_terms::uuid[]) as term, unnest(date_from::bigint[]) as "from",
    unnest(date_until::bigint[]) as "until", record, patient_id
  from placed where placed.resource is not null) as added
      on conflict do nothing
    ), next_records as (
      update "records" as records
      set current = placed.position, version = placed.before + 1, patient_id = placed.patient_id
      from placed
      where placed.before > 0 and records.tenant = clinic and records.id = placed.id
        and records.type = placed.type
    ), old_searchable as (
      delete from "searchable" as searchable using replaced
      where not replaced.remains and searchable.tenant = clinic
        and searchable.patient_id = replaced.patient_id and searchable.type = replaced.type and searchable.record = replaced.record
    ), 
    old_entries as (
      delete from "entries" as entries using (select unnest(terms::uuid[]) as term, record, patient_id from replaced except select unnest(terms::uuid[]) as term, record, patient_id from placed where placed.resource is not null) as old
      where entries.tenant = clinic and entries.term = old.term and entries.record = old.record
        and entries.patient_id = old.patient_id
    ), old_dates as (
      delete from "dates" as dates using (
  select unnest(date_terms::uuid[]) as term, unnest(date_from::bigint[]) as "from",
    unnest(date_until::bigint[]) as "until", record, patient_id
  from replaced except 
  select unnest(date_terms::uuid[]) as term, unnest(date_from::bigint[]) as "from",
    unnest(date_until::bigint[]) as "until", record, patient_id
  from placed where placed.resource is not null) as old
      where dates.tenant = clinic and dates.term = old.term and dates."from" = old."from"
        and dates."until" = old."until" and dates.record = old.record and dates.patient_id = old.patient_id
    ), begun as materialized (
    select pg_current_xact_id() as transaction, 1 as stage, min(position) as first from placed having count(*) > 0
  ), transaction as (
    insert into "host_transactions" (transaction, stage, first, tenant)
    select added.*, clinic from (select * from begun) as added
    on conflict do nothing
  ) select '''' into code;
      end if;
    end if;
    perform set_config(''lock_timeout'', former_lock_timeout, true);
    return answer;
  exception when query_canceled or others then
    get stacked diagnostics code = returned_sqlstate;
    return answer || jsonb_build_object(''result'', ''failed'', ''code'', code, ''message'', sqlerrm);
  end;
end';
revoke all on function "clinical_records"."write_in_transaction"(text,integer,text,bigint,text[],text[],integer[],integer,uuid[],text[],text[],text[],text[],text[],text[],text[],text[],bigint[],text[],text[],text[],text[],integer[],text[],text[],text[],text[]) from public;
comment on table "clinical_records"."tenants" is 'The clinics that share these tables. createTenant adds one, removeTenant removes one with all of its rows.';
comment on column "clinical_records"."tenants"."tenant" is 'Number by which all rows of the tenant are found. It is never used again.';
comment on column "clinical_records"."tenants"."name" is 'Name of the tenant. Once it is removed, another one may have it.';
comment on column "clinical_records"."tenants"."removed" is 'When the tenant was removed; null if it was not.';
comment on table "clinical_records"."head" is 'The end of the feed of each tenant. A commit locks its row, and so takes the next positions.';
comment on column "clinical_records"."head"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."head"."position" is 'Position of the last version.';
comment on column "clinical_records"."head"."digest" is 'Digest of the last version, and so of all before: SHA-256, in hex.';
comment on column "clinical_records"."head"."fence" is 'Raised to make a transaction fail whose outcome is in doubt, and by each erasure.';
comment on column "clinical_records"."head"."read_only" is 'Whether nothing is committed for the tenant at the moment: see setTenantReadOnly.';
comment on table "clinical_records"."records" is 'Every record by its name.';
comment on column "clinical_records"."records"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."records"."type" is 'Type of the record, such as Immunization, or an internal one such as a note.';
comment on column "clinical_records"."records"."id" is 'Id of the record, unique among those of its type.';
comment on column "clinical_records"."records"."patient_id" is 'Patient whose chart has the record; '''' if it is in none.';
comment on column "clinical_records"."records"."position" is 'Position of the first version of the record. It stays, and is the order of creation.';
comment on column "clinical_records"."records"."current" is 'Position of the current version.';
comment on column "clinical_records"."records"."version" is 'Number of the current version.';
comment on table "clinical_records"."versions" is 'Every version as it was committed: the feed, and the history of each record. Only an erasure changes a row.';
comment on column "clinical_records"."versions"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."versions"."position" is 'Place of the version in the feed: 1, 2, 3 … From 2^52 on while the transaction of a host is open.';
comment on column "clinical_records"."versions"."record" is 'Position of the first version of the record. It stays, and is the order of creation.';
comment on column "clinical_records"."versions"."version" is 'Number of the version: 1 for the first of its record.';
comment on column "clinical_records"."versions"."committed" is 'When the version was committed.';
comment on column "clinical_records"."versions"."patient_id" is 'Patient whose chart has the record; '''' if it is in none.';
comment on column "clinical_records"."versions"."type" is 'Type of the record, such as Immunization, or an internal one such as a note.';
comment on column "clinical_records"."versions"."id" is 'Id of the record.';
comment on column "clinical_records"."versions"."by" is 'The person who committed the version, such as Practitioner/12; null if that is not known.';
comment on column "clinical_records"."versions"."digest" is 'SHA-256 of the version and of the digest before, in hex. records.verify computes it again.';
comment on column "clinical_records"."versions"."state" is 'The version in the form from which its resource derives, as JSON.';
comment on column "clinical_records"."versions"."resource" is 'The FHIR-style resource as JSON, as it is returned; null if no read returns one.';
comment on table "clinical_records"."searchable" is 'The current resource of each record that has one, with the terms and the dates by which it is found.';
comment on column "clinical_records"."searchable"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."searchable"."patient_id" is 'Patient whose chart has the record; '''' if it is in none.';
comment on column "clinical_records"."searchable"."type" is 'Type of the record, such as Immunization, or an internal one such as a note.';
comment on column "clinical_records"."searchable"."record" is 'Position of the first version of the record. It stays, and is the order of creation.';
comment on column "clinical_records"."searchable"."id" is 'Id of the record.';
comment on column "clinical_records"."searchable"."current" is 'Position of the current version.';
comment on column "clinical_records"."searchable"."version" is 'Number of the current version.';
comment on column "clinical_records"."searchable"."committed" is 'When the version was committed.';
comment on column "clinical_records"."searchable"."resource" is 'The FHIR-style resource as JSON, as it is returned.';
comment on column "clinical_records"."searchable"."terms" is 'Terms of its codes, references and words.';
comment on column "clinical_records"."searchable"."date_terms" is 'Terms of its dates, one for each interval.';
comment on column "clinical_records"."searchable"."date_from" is 'Beginnings of these intervals, in milliseconds since 1970.';
comment on column "clinical_records"."searchable"."date_until" is 'Ends of these intervals, exclusive, in milliseconds since 1970.';
comment on table "clinical_records"."entries" is 'The terms of searchable as rows, for searches that name no patient.';
comment on column "clinical_records"."entries"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."entries"."term" is 'Hash of the content of a term, from terms.';
comment on column "clinical_records"."entries"."record" is 'Position of the first version of the record. It stays, and is the order of creation.';
comment on column "clinical_records"."entries"."patient_id" is 'Patient whose chart has the record; '''' if it is in none.';
comment on table "clinical_records"."dates" is 'The dates of searchable as rows, for searches that name no patient.';
comment on column "clinical_records"."dates"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."dates"."term" is 'Hash of the content of a term, from terms.';
comment on column "clinical_records"."dates"."from" is 'Beginning of the interval, in milliseconds since 1970.';
comment on column "clinical_records"."dates"."until" is 'End of the interval, exclusive, in milliseconds since 1970.';
comment on column "clinical_records"."dates"."record" is 'Position of the first version of the record. It stays, and is the order of creation.';
comment on column "clinical_records"."dates"."patient_id" is 'Patient whose chart has the record; '''' if it is in none.';
comment on table "clinical_records"."terms" is 'The meaning of each term. An erasure deletes those that no record has any more.';
comment on column "clinical_records"."terms"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."terms"."row_id" is 'Key for replication.';
comment on column "clinical_records"."terms"."term" is 'Hash of the content, by which other tables name the term. Seldom, two rows have the same.';
comment on column "clinical_records"."terms"."type" is 'Type of the records that have the term.';
comment on column "clinical_records"."terms"."kind" is 'token, reference, string or date.';
comment on column "clinical_records"."terms"."parameter" is 'Search parameter, such as code.';
comment on column "clinical_records"."terms"."system" is 'System of a token; type of the record that is referred to.';
comment on column "clinical_records"."terms"."code" is 'Code of a token; id of the record that is referred to; word.';
comment on table "clinical_records"."counts" is 'How many records of each type have a resource.';
comment on column "clinical_records"."counts"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."counts"."type" is 'Type of the record, such as Immunization, or an internal one such as a note.';
comment on column "clinical_records"."counts"."readable" is 'Number of records.';
comment on table "clinical_records"."indexed_parameters" is 'How the terms and dates of a tenant were made. The first write and records.reindex set it.';
comment on column "clinical_records"."indexed_parameters"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."indexed_parameters"."version" is 'Counts the changes, so that a replica shows whether it has them.';
comment on column "clinical_records"."indexed_parameters"."texts" is 'Text of each search parameter, such as Goal.code, that says how all records are indexed by it.';
comment on table "clinical_records"."host_transactions" is 'Open transactions of the host that have written. A deferred trigger gives their versions places at the COMMIT.';
comment on column "clinical_records"."host_transactions"."tenant" is 'Number of the tenant, from tenants.';
comment on column "clinical_records"."host_transactions"."transaction" is 'Id of the transaction.';
comment on column "clinical_records"."host_transactions"."stage" is '1 until the deferred constraints of the host have run, then 2.';
comment on column "clinical_records"."host_transactions"."first" is 'First position of what the transaction has written for the tenant.';
comment on table "clinical_records"."migrations" is 'Steps of the schema that have been made.';
comment on column "clinical_records"."migrations"."version" is 'Version of the schema that the step has made.';
insert into "clinical_records"."migrations" (version) values (16);
commit;

begin;
create schema if not exists "clinical_records";
create table "clinical_records".audit_events (
      tenant integer not null,
      position bigint not null,
      at bigint not null,
      by text collate "C",
      patient_id text collate "C",
      digest text collate "C" not null,
      access text not null,
      primary key (tenant, position)
    );
create index audit_events_by_patient on "clinical_records".audit_events (tenant, patient_id, position) where patient_id is not null;
create index audit_events_by_user on "clinical_records".audit_events (tenant, by, position) where by is not null;
create function "clinical_records".refuse_audit_change() returns trigger language plpgsql as 'begin raise exception ''An audit log is never changed.''; end';
create table "clinical_records".audit_start (
      tenant integer not null,
      position bigint not null,
      digest text collate "C" not null,
      primary key (tenant, position)
    );
create trigger append_only before update or truncate on "clinical_records".audit_events
        for each statement execute function "clinical_records".refuse_audit_change();
create trigger append_only before update or truncate on "clinical_records".audit_start
        for each statement execute function "clinical_records".refuse_audit_change();
create function "clinical_records".refuse_audit_removal() returns trigger language plpgsql as 'begin
        if exists (
          select from removed
          where position > coalesce((select max(position) from "clinical_records".audit_start as start where start.tenant = removed.tenant), 0)
        ) then raise exception ''An audit log is never changed.''; end if;
        return null;
      end';
create trigger only_before_start after delete on "clinical_records".audit_events referencing old table as removed
      for each statement execute function "clinical_records".refuse_audit_removal();
create trigger last_stays after delete on "clinical_records".audit_start referencing old table as removed
      for each statement execute function "clinical_records".refuse_audit_removal();
create function "clinical_records".require_audit_entry() returns trigger language plpgsql as 'begin
        if not exists (
          select from "clinical_records".audit_events where tenant = new.tenant and position = new.position and digest = new.digest
        ) then raise exception ''An audit log begins after one of its entries.''; end if;
        return new;
      end';
create trigger only_entries before insert on "clinical_records".audit_start for each row execute function "clinical_records".require_audit_entry();
create function "clinical_records".require_audit_end() returns trigger language plpgsql as 'begin
        if exists (
          select from (
            select tenant, min(position) - 1 as before, min(position) - 1 + count(*) as last from added group by tenant
          ) as ends
          where before <> greatest(
              (select max(position) from "clinical_records".audit_events as log where log.tenant = ends.tenant and position <= before),
              (select max(position) from "clinical_records".audit_start as start where start.tenant = ends.tenant),
              0
            )
            or last <> (select max(position) from "clinical_records".audit_events as log where log.tenant = ends.tenant)
        ) then raise exception ''An audit log is only appended to.''; end if;
        return null;
      end';
create trigger only_at_end after insert on "clinical_records".audit_events referencing new table as added
      for each statement execute function "clinical_records".require_audit_end();
commit;

-- Without the triggers, which would refuse or repeat what is here.
set session_replication_role = replica;
delete from clinical_records.audit_events;
insert into clinical_records.audit_events
  select (json_populate_record(null::clinical_records.audit_events, row::json)).* from (values
  ($json${"tenant":0,"position":1,"at":1772352016000,"by":"Practitioner/ada","patient_id":"amy","digest":"98641cb8820802c725c0957f4c258526db9093c29eda4d66fa6da95a97e3a35a","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"CareTeam\",\"id\":\"amy\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":10,"at":1772352034000,"by":"Practitioner/ada","patient_id":"amy","digest":"93968fdf03451329b253c45e8828d6c59a6f45c92e0b5834f2f4af83a0c229fa","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"Goal/unwanted/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"unwanted\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":11,"at":1772352036000,"by":"Practitioner/ada","patient_id":"ben","digest":"8200951e6991300e6f58e1422a7c9a4d0a871996fd53f531bdff081d22421699","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"moved\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":12,"at":1772352038000,"by":"Practitioner/ada","patient_id":"amy-again","digest":"6b88791d6cd1fcfaaa15d1e920a15203f53fafeba4c26f9ae1864c85f65d4b90","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":13,"at":1772352040000,"by":"Practitioner/ada","patient_id":"eve","digest":"77a4aaaaaed80e660a7c5ffbc573663bc6d5e84b1bccb5c287f83254278ce4a2","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"of-eve\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":14,"at":1772352042000,"by":"Practitioner/ada","patient_id":"amy","digest":"b1dd82c3bcf6201cd4476af40f928425522dd47530632f0f9fcc070b542b8322","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"labOrder-draft\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":15,"at":1772352044000,"by":"Practitioner/ada","patient_id":"amy","digest":"e419d933a129f1081d0955080350d4639d8c044b2af89e24cf0b29bc2ef6589b","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"labOrder-done\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":16,"at":1772352046000,"by":"Practitioner/ada","patient_id":"amy","digest":"138b7c8adf3e17daf317812f42820f3971ebe420187ef2b30e2284ad4712b8b1","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/labOrder-done/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"labOrder-done\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":17,"at":1772352048000,"by":"Practitioner/ada","patient_id":"amy","digest":"cd0856dfd1916382a74f775ac7703413915bd931f6879ddb9ada9b952598cbac","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"labOrder-wrong\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":18,"at":1772352050000,"by":"Practitioner/ada","patient_id":"amy","digest":"9bd474c057df1e487e3f265e8277280f49f1b7e6d27b078782b4a5081caf97dd","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/labOrder-wrong/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"labOrder-wrong\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":19,"at":1772352052000,"by":"Practitioner/ada","patient_id":"amy","digest":"971ff44553ec89ac9939939e233bd23e903619019bb562149816f32c4620b551","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-draft\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":2,"at":1772352018000,"by":"Practitioner/ada","patient_id":"amy-again","digest":"dab252a6d1fe872c2b28411e9e2e6e77c1db69a967cb0e1e0cc5dfafa20ff161","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"CareTeam\",\"id\":\"amy-again\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"CareTeam\",\"id\":\"amy-again\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":20,"at":1772352054000,"by":"Practitioner/ada","patient_id":"amy","digest":"cbcd3fed6bcd4b5f130ae97210a79a653b895c1ab460cdde568ede1fd96f3099","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-done\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":21,"at":1772352056000,"by":"Practitioner/ada","patient_id":"amy","digest":"651eaf01596eb7dfa5803dd7f47a0f921846d1055734d2247e4ac95333f96b86","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/imagingOrder-done/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-done\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":22,"at":1772352058000,"by":"Practitioner/ada","patient_id":"amy","digest":"62625d217e611bf6492d97022189e9964367ec4ec2a16ef3e33f0f345a9b4851","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":23,"at":1772352060000,"by":"Practitioner/ada","patient_id":"amy","digest":"fcc3777be13a3c97b6ccd287d6d55fc04de9f0f4ed33bc3e9219c9aeee6d408f","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/imagingOrder-wrong/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":24,"at":1772352062000,"by":"Practitioner/ada","patient_id":"amy","digest":"b5fa4ddb11fc4b9f462815bbf75b36f433d6fe98ab9c362febe5e26eb84c0125","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"referral-draft\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":25,"at":1772352064000,"by":"Practitioner/ada","patient_id":"amy","digest":"cc05bcd4af935f74ad802d1611ffb7df8903ec2855140e7c83c4724ea8fdd4a8","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"referral-done\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":26,"at":1772352066000,"by":"Practitioner/ada","patient_id":"amy","digest":"9560a8db9a3ce3bcaaa009140e0cab5a51407fc5191cc5a9c70ed631e7bfe73a","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/referral-done/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"referral-done\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":27,"at":1772352068000,"by":"Practitioner/ada","patient_id":"amy","digest":"7676e8b3ee5b4fd7867ef3f214d0b5b84861d38e5a3e96ea0e4c89a0a0566186","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"referral-wrong\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":28,"at":1772352070000,"by":"Practitioner/ada","patient_id":"amy","digest":"b2056e949e41697e492d8b5b8a97fa230c3dbbbe9bbfa3a449df469e0495ea9d","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"ServiceRequest/referral-wrong/0\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"ServiceRequest\",\"id\":\"referral-wrong\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":29,"at":1772352072000,"by":"Practitioner/ada","patient_id":"amy","digest":"785588686bb3632c3a7becac9d29895ca91fc5561f0e69f8c87e82cb2a1cb825","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Immunization\",\"id\":\"shot\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":3,"at":1772352020000,"by":"Practitioner/ada","patient_id":"ben","digest":"a19bcb0dcd58e92aeafaff3f1ee9e7e0879d3a1500f4e5fe371d3370d093e814","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"CareTeam\",\"id\":\"ben\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"CareTeam\",\"id\":\"ben\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":30,"at":1772352074000,"by":"Practitioner/ada","patient_id":"amy","digest":"b40d3d88eb4d022c6a2eeae50228efc76ee447879c200b4d3691800fb5afe481","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":\"Immunization\",\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Immunization\",\"id\":\"id-2026-3\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":31,"at":1772352076000,"by":"Practitioner/ada","patient_id":"amy","digest":"eec23e3a159f11644fca7528ed77f977b4107467505ae0f9760f2fe7dafd89ef","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":\"Immunization\",\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Immunization\",\"id\":\"id-2026-5\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":32,"at":1772352078000,"by":"Practitioner/ada","patient_id":"amy","digest":"1d2cdd1e77a47fa1f1a47facccf4c0c04a31d460ef2b10285328f8f4133997ea","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"Immunization\",\"id\":\"id-2026-5\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Immunization\",\"id\":\"id-2026-5\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":33,"at":1772352081000,"by":"Practitioner/ada","patient_id":"amy","digest":"d25f565c03988404adae96f2673e1ef3ccc8248c5e2d747e52751ccf34fac7a7","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":\"AllergyIntolerance\",\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":34,"at":1772352083000,"by":"Practitioner/ada","patient_id":"amy","digest":"65b4d5aa86ca86a6583e5cac9385472646e672c69814135dd03f510daa6f946f","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":35,"at":1772352085000,"by":"Practitioner/ada","patient_id":"amy","digest":"d3d6bd240ad86ec13bbcb474b87b8b3d821c0f798c28f2a752245378909daf6f","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"Goal\",\"id\":\"moved\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"moved\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":36,"at":1772352085000,"by":"Practitioner/ada","patient_id":"ben","digest":"22d7aa0a7bf2a4f18ef3b3486c668dbeef3f0f4bdd8f8dc1065d2f384da29feb","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"Goal\",\"id\":\"moved\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[]}"}$json$),
  ($json${"tenant":0,"position":37,"at":1772352087000,"by":"Practitioner/ada","patient_id":"amy","digest":"d823dac663f9d8a7fea667113592e663e22db711c679beaa5bb9f9125083888a","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"Patient\",\"id\":\"amy-again\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-twin.0\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"amy-again\",\"version\":3}]}"}$json$),
  ($json${"tenant":0,"position":38,"at":1772352087000,"by":"Practitioner/ada","patient_id":"amy-again","digest":"c7fdeb8a355d60dbb2df4d36311534aba249ef6555d057f2cdbe113b169a4f64","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"Patient\",\"id\":\"amy-again\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[]}"}$json$),
  ($json${"tenant":0,"position":39,"at":1772352089000,"by":"Practitioner/ada","patient_id":"amy","digest":"ec64f9a6253fb24746606e37ec5d5ae08c21ac7cca9c2567bab01417c7caa21e","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"CareTeam\",\"id\":\"amy\",\"version\":3}]}"}$json$),
  ($json${"tenant":0,"position":4,"at":1772352022000,"by":"Practitioner/ada","patient_id":"amy","digest":"7355a5bf2d14923244100350d00db5ef8047ae12562ee64ad7e90c9579e0157b","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"walk\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":40,"at":1772352091000,"by":"Practitioner/ada","patient_id":"eve","digest":"43bf079fef4ed545f3ed5587e9814fe199ae1f62cd66b76f0c6b496ada054afa","access":"{\"client\":null,\"address\":null,\"interaction\":\"delete\",\"status\":null,\"requestId\":null,\"resourceType\":\"Patient\",\"id\":\"eve\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Patient\",\"id\":\"eve\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"eve\",\"version\":2},{\"type\":\"Goal\",\"id\":\"of-eve\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-eve.0\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":41,"at":1772352093000,"by":"Practitioner/ada","patient_id":"amy","digest":"9ca0bc2bbc8739d9ca4124235f0778566b5cb865674dba7fc2a8613b628a515a","access":"{\"client\":null,\"address\":null,\"interaction\":\"search\",\"status\":null,\"requestId\":null,\"resourceType\":\"Goal\",\"id\":null,\"query\":\"patient=amy\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"walk\",\"version\":4},{\"type\":\"Goal\",\"id\":\"moved\",\"version\":2},{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":5,"at":1772352024000,"by":"Practitioner/ada","patient_id":"amy","digest":"3cf98bc2eae67fd8154fde3208743781b0a8cd14a8acc570ad42fb17afc719fc","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"walk\",\"version\":2}]}"}$json$),
  ($json${"tenant":0,"position":6,"at":1772352026000,"by":"Practitioner/ada","patient_id":"amy","digest":"4f393fdfb74b40ca9ed4d5e7e50bc9d2edcaa58c67f051770ec7b3279e120cae","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"walk\",\"version\":3}]}"}$json$),
  ($json${"tenant":0,"position":7,"at":1772352028000,"by":"Practitioner/ada","patient_id":"amy","digest":"878284b98076620f83a76f5936fcd4adf6deae12ec2491c3847f597a5e9020c9","access":"{\"client\":null,\"address\":null,\"interaction\":\"update\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":\"Goal/walk/2\",\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"walk\",\"version\":4}]}"}$json$),
  ($json${"tenant":0,"position":8,"at":1772352030000,"by":"Practitioner/bob","patient_id":"amy","digest":"bb47adb71ad320ae40a54a982658cb009796af716d2493f4360ed25a1aaa4e6f","access":"{\"agent\":{\"reference\":\"Device/scribe\"},\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"staged\",\"version\":1}]}"}$json$),
  ($json${"tenant":0,"position":9,"at":1772352032000,"by":"Practitioner/ada","patient_id":"amy","digest":"535d4c9a61640e6f69e9c2fe86fc37b4ae0e2bbbc7e577c9b27b81cec24a4428","access":"{\"client\":null,\"address\":null,\"interaction\":\"create\",\"status\":null,\"requestId\":null,\"resourceType\":null,\"id\":null,\"query\":\"\",\"outcome\":\"success\",\"rules\":[],\"resources\":[{\"type\":\"Goal\",\"id\":\"unwanted\",\"version\":1}]}"}$json$)
  ) as rows (row);
delete from clinical_records.audit_start;
delete from clinical_records.counts;
insert into clinical_records.counts
  select (json_populate_record(null::clinical_records.counts, row::json)).* from (values
  ($json${"tenant":0,"type":"AllergyIntolerance","readable":1}$json$),
  ($json${"tenant":0,"type":"CareTeam","readable":4}$json$),
  ($json${"tenant":0,"type":"Command","readable":17}$json$),
  ($json${"tenant":0,"type":"Correction","readable":3}$json$),
  ($json${"tenant":0,"type":"Goal","readable":3}$json$),
  ($json${"tenant":0,"type":"Immunization","readable":4}$json$),
  ($json${"tenant":0,"type":"Organization","readable":1}$json$),
  ($json${"tenant":0,"type":"Patient","readable":3}$json$),
  ($json${"tenant":0,"type":"Practitioner","readable":2}$json$),
  ($json${"tenant":0,"type":"ServiceRequest","readable":9}$json$)
  ) as rows (row);
delete from clinical_records.dates;
insert into clinical_records.dates
  select (json_populate_record(null::clinical_records.dates, row::json)).* from (values
  ($json${"term":"82fd07e0-868d-9155-f555-c1b69bf1c138","record":1,"from":-628300800000,"until":-628214400000,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"aed3eb45-12a0-7545-a6ee-b1afd271266d","record":20,"from":1780272000000,"until":1780358400000,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":40,"from":1772352041000,"until":1772352041001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":42,"from":1772352043000,"until":1772352043001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":46,"from":1772352047000,"until":1772352047001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":50,"from":1772352051000,"until":1772352051001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":52,"from":1772352053000,"until":1772352053001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":56,"from":1772352057000,"until":1772352057001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":60,"from":1772352061000,"until":1772352061001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":62,"from":1772352063000,"until":1772352063001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","record":66,"from":1772352067000,"until":1772352067001,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"f8158b13-bf1f-80b3-6dc8-8dd88716e10d","record":70,"from":1759363200000,"until":1759449600000,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"f8158b13-bf1f-80b3-6dc8-8dd88716e10d","record":72,"from":1759276800000,"until":1759363200000,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"f8158b13-bf1f-80b3-6dc8-8dd88716e10d","record":75,"from":1759276800000,"until":1759363200000,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"f8158b13-bf1f-80b3-6dc8-8dd88716e10d","record":78,"from":1577836800000,"until":1609459200000,"tenant":0,"patient_id":"amy"}$json$)
  ) as rows (row);
delete from clinical_records.entries;
insert into clinical_records.entries
  select (json_populate_record(null::clinical_records.entries, row::json)).* from (values
  ($json${"term":"07de186e-2d9a-8b15-5fc9-68d8c63e3dc8","record":1,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"07de186e-2d9a-8b15-5fc9-68d8c63e3dc8","record":5,"tenant":0,"patient_id":"amy-again"}$json$),
  ($json${"term":"0841f2c5-b564-933a-9883-48fca783a94d","record":89,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"0a2fa30b-7a4b-4613-ee3c-b6bc175b1bbe","record":96,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"0b565483-742a-47cb-986b-02df1fc21235","record":2,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"0b565483-742a-47cb-986b-02df1fc21235","record":4,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"0e658c08-b588-8421-1504-350bc282cb97","record":42,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"0e658c08-b588-8421-1504-350bc282cb97","record":52,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"0e658c08-b588-8421-1504-350bc282cb97","record":62,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"0e84cca3-fe8a-2bb4-8a06-43b5e894206d","record":89,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"0fc2f2c5-c1f8-e224-4f00-728422e5737b","record":84,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"0fc2f2c5-c1f8-e224-4f00-728422e5737b","record":89,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"13f3390f-4c23-15de-fba8-6989b8e9025a","record":3,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"14528250-20d2-3f4e-f559-27e9dfe17499","record":70,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14528250-20d2-3f4e-f559-27e9dfe17499","record":72,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14528250-20d2-3f4e-f559-27e9dfe17499","record":78,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":42,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":46,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":52,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":56,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":62,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","record":66,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"15990809-1cb4-1ca0-0244-de58a73ad50d","record":25,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"15990809-1cb4-1ca0-0244-de58a73ad50d","record":47,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"15990809-1cb4-1ca0-0244-de58a73ad50d","record":57,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"15990809-1cb4-1ca0-0244-de58a73ad50d","record":67,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"1d6520a9-9ada-091d-4516-5da500ae8876","record":96,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"227e1bcc-8332-b059-b07d-b79f4fa0f3ba","record":50,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"227e1bcc-8332-b059-b07d-b79f4fa0f3ba","record":52,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"227e1bcc-8332-b059-b07d-b79f4fa0f3ba","record":56,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"2857c732-426d-3cb8-28f9-4d1cede35f2a","record":29,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"2857c732-426d-3cb8-28f9-4d1cede35f2a","record":41,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"2857c732-426d-3cb8-28f9-4d1cede35f2a","record":51,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"2857c732-426d-3cb8-28f9-4d1cede35f2a","record":61,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"2d211bc2-6c91-a9f5-2bce-a9a449587252","record":84,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"2f2e1402-20fa-ba8a-a342-779a5d31e2b0","record":29,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"31182c63-f38f-2f84-55b2-f5e86df9a76c","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"3c0cf3db-3d5e-90ef-f2d8-80be3e0a7688","record":1,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"4541f5d6-7f8f-26b2-95ed-5d36aac964c1","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":40,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":42,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":46,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":50,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":52,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":56,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":60,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":62,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"47cde7d7-3084-5cf3-3664-959091e85728","record":66,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"484b22e8-8125-9c72-d999-ee2d7a02e40e","record":4,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"484b22e8-8125-9c72-d999-ee2d7a02e40e","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"4978fae2-bdc0-1457-be91-01208ea673bf","record":19,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"4978fae2-bdc0-1457-be91-01208ea673bf","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"4f6e1345-e6ee-9609-676d-71db7cff0a9b","record":5,"tenant":0,"patient_id":"amy-again"}$json$),
  ($json${"term":"532aab3c-d64f-c97b-7788-2184d057ea37","record":31,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","record":21,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","record":23,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","record":35,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","record":37,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","record":71,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","record":40,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","record":50,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","record":60,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"60c45f24-40a3-a627-596f-ae76965f2ba0","record":9,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"677e45c7-79e4-f97f-400b-b93e118c0c07","record":1,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"68df814c-fef7-5e25-b177-948cfbc55e0f","record":89,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"694af258-ed4c-1eba-1440-11f8d581ce49","record":46,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"694af258-ed4c-1eba-1440-11f8d581ce49","record":56,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"694af258-ed4c-1eba-1440-11f8d581ce49","record":66,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","record":40,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","record":42,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","record":46,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"7fb83422-888f-b424-1b9e-361921dca6f0","record":19,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"7fb83422-888f-b424-1b9e-361921dca6f0","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"829407d5-2c76-17ab-2954-bd40203d7018","record":20,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"829407d5-2c76-17ab-2954-bd40203d7018","record":34,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"829407d5-2c76-17ab-2954-bd40203d7018","record":36,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"8451cfca-dea6-c701-bed3-c1acdc63d8e1","record":1,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"8451cfca-dea6-c701-bed3-c1acdc63d8e1","record":5,"tenant":0,"patient_id":"amy-again"}$json$),
  ($json${"term":"8ce3a79a-8bd1-9e29-b6e2-cb6fa59d14cf","record":84,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"906317cc-faee-232f-d3c0-527c8e0c4370","record":75,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"94d460d4-009c-7778-dbe6-88dea3ac4ea0","record":3,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"98f50ca1-a504-1640-76b2-adb525104a15","record":75,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"9e3b7c90-ae3d-6f1d-5db8-36884954e62d","record":72,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"a02cbb73-1e63-768b-0be0-13691fb5c54c","record":3,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"a040c557-34f0-1120-5f95-66745864022f","record":2,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"a886dc14-7e6e-1f26-bacf-a4a31aaa2f45","record":11,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"aa0c0de8-4141-d54b-5c42-0a9c175b4efe","record":70,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"aa0c0de8-4141-d54b-5c42-0a9c175b4efe","record":72,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"aa0c0de8-4141-d54b-5c42-0a9c175b4efe","record":75,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"aa0c0de8-4141-d54b-5c42-0a9c175b4efe","record":78,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"aa22a6a1-12f2-7972-f67f-3f2b7a636ffc","record":5,"tenant":0,"patient_id":"amy-again"}$json$),
  ($json${"term":"ae0f5191-19aa-86e5-acf2-e6b545a92b50","record":96,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"b0605fa4-b2f6-bb54-1d21-4d7b00388a80","record":60,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"b0605fa4-b2f6-bb54-1d21-4d7b00388a80","record":62,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"b0605fa4-b2f6-bb54-1d21-4d7b00388a80","record":66,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"b4fd8660-6a95-ffee-3df0-5a7289f6a603","record":9,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"bb7c8cba-467c-b78e-c93c-6dc770afbb53","record":11,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"bbdb06b7-9634-41a0-99a5-3bae18d7b9df","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"bc97662e-42f4-3a22-7113-152234b6d815","record":89,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"bd42bb42-e212-baef-08f2-cfcd6ee929a1","record":12,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"c00614f2-631b-40fc-f71c-71b33400a312","record":19,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"c416c5a4-5714-dcc9-23ce-eec2f2b910bd","record":20,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"d735c04a-984a-4e40-eac4-b10e5391a85b","record":20,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"d735c04a-984a-4e40-eac4-b10e5391a85b","record":34,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"d735c04a-984a-4e40-eac4-b10e5391a85b","record":36,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"dc4ac25d-ae5e-3b9d-410b-250f7970f06b","record":1,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e01dc3d5-9547-a066-6394-7579e8dedfc9","record":19,"tenant":0,"patient_id":"ben"}$json$),
  ($json${"term":"e01dc3d5-9547-a066-6394-7579e8dedfc9","record":2,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e01dc3d5-9547-a066-6394-7579e8dedfc9","record":91,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":21,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":23,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":25,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":31,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":35,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":37,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":41,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":43,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":47,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":51,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":53,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":57,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":61,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":63,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":67,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e23cdb1d-3bb4-1377-214e-1898f857652e","record":71,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e2b898be-8288-6e1d-f28b-42c754d07717","record":96,"tenant":0,"patient_id":""}$json$),
  ($json${"term":"e7e7360d-03b9-c5dd-88ba-fdbf62680358","record":43,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e7e7360d-03b9-c5dd-88ba-fdbf62680358","record":53,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e7e7360d-03b9-c5dd-88ba-fdbf62680358","record":63,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"e865f0cf-cd58-38b3-baee-648dba24e8ae","record":2,"tenant":0,"patient_id":"amy"}$json$),
  ($json${"term":"efa8b1dc-b0ff-ba04-de74-fd635c85c42f","record":3,"tenant":0,"patient_id":"ben"}$json$)
  ) as rows (row);
delete from clinical_records.head;
insert into clinical_records.head
  select (json_populate_record(null::clinical_records.head, row::json)).* from (values
  ($json${"tenant":0,"position":96,"digest":"961ee569c5cf8248a92cfbbce8a5907f298e81c1a034c0e3a63ea05e51b36862","fence":1,"read_only":false}$json$)
  ) as rows (row);
delete from clinical_records.host_transactions;
delete from clinical_records.indexed_parameters;
insert into clinical_records.indexed_parameters
  select (json_populate_record(null::clinical_records.indexed_parameters, row::json)).* from (values
  ($json${"tenant":0,"version":1,"texts":{"Goal._tag": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.tag\"}", "Patient.name": "{\"kind\":\"string\",\"rules\":1,\"version\":1}", "CareTeam._tag": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.tag\"}", "CareTeam.role": "{\"kind\":\"token\",\"rules\":1,\"version\":1}", "Goal._profile": "{\"kind\":\"profile\",\"rules\":1}", "Patient.given": "{\"kind\":\"string\",\"rules\":1,\"version\":1}", "Command.author": "{\"kind\":\"reference\",\"rules\":1,\"at\":\"author\"}", "Command.status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"status\"}", "Goal._security": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.security\"}", "Patient.family": "{\"kind\":\"string\",\"rules\":1,\"version\":1}", "Patient.gender": "{\"kind\":\"token\",\"rules\":1,\"at\":\"gender\",\"system\":\"http://hl7.org/fhir/administrative-gender\"}", "CareTeam.status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"status\",\"system\":\"http://hl7.org/fhir/care-team-status\"}", "Goal.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "Goal.start-date": "{\"kind\":\"date\",\"rules\":1,\"at\":\"startDate\",\"isSingle\":true,\"timeZone\":\"UTC\"}", "Goal.description": "{\"kind\":\"token\",\"rules\":1,\"at\":[\"description\",\"description.text\"]}", "Goal.target-date": "{\"kind\":\"date\",\"rules\":1,\"at\":\"target.dueDate\",\"timeZone\":\"UTC\"}", "CareTeam._profile": "{\"kind\":\"profile\",\"rules\":1}", "Immunization._tag": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.tag\"}", "Immunization.date": "{\"kind\":\"date\",\"rules\":1,\"at\":\"occurrenceDateTime\",\"isSingle\":true,\"timeZone\":\"UTC\"}", "Organization.name": "{\"kind\":\"string\",\"rules\":1,\"at\":\"name\"}", "Patient.birthdate": "{\"kind\":\"date\",\"rules\":1,\"at\":\"birthDate\",\"isSingle\":true,\"timeZone\":\"UTC\"}", "Practitioner.name": "{\"kind\":\"string\",\"rules\":1,\"version\":1}", "CareTeam._security": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.security\"}", "Patient.death-date": "{\"kind\":\"date\",\"rules\":1,\"at\":\"deceasedDateTime\",\"isSingle\":true,\"timeZone\":\"UTC\"}", "Patient.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "CareTeam.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "Immunization.status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"status\",\"system\":\"http://hl7.org/fhir/event-status\"}", "ServiceRequest._tag": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.tag\"}", "ServiceRequest.code": "{\"kind\":\"token\",\"rules\":1,\"at\":[\"code\",\"code.extension.valueCoding\"]}", "CareTeam.participant": "{\"kind\":\"reference\",\"rules\":1,\"at\":\"participant.member\",\"hasPresence\":true}", "Correction.corrected": "{\"kind\":\"reference\",\"rules\":1,\"version\":1}", "Goal.lifecycle-status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"lifecycleStatus\",\"system\":\"http://hl7.org/fhir/goal-status\"}", "Immunization._profile": "{\"kind\":\"profile\",\"rules\":1}", "ServiceRequest.status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"status\",\"system\":\"http://hl7.org/fhir/request-status\"}", "Immunization._security": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.security\"}", "AllergyIntolerance._tag": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.tag\"}", "AllergyIntolerance.code": "{\"kind\":\"token\",\"rules\":1,\"at\":\"code\"}", "Goal.achievement-status": "{\"kind\":\"token\",\"rules\":1,\"at\":\"achievementStatus\"}", "Immunization.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "Immunization.lot-number": "{\"kind\":\"string\",\"rules\":1,\"at\":\"lotNumber\"}", "Organization.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "Practitioner.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "ServiceRequest._profile": "{\"kind\":\"profile\",\"rules\":1}", "ServiceRequest.authored": "{\"kind\":\"date\",\"rules\":1,\"at\":\"authoredOn\",\"isSingle\":true,\"timeZone\":\"UTC\"}", "ServiceRequest.category": "{\"kind\":\"token\",\"rules\":1,\"at\":\"category\"}", "ServiceRequest.priority": "{\"kind\":\"token\",\"rules\":1,\"at\":\"priority\",\"system\":\"http://hl7.org/fhir/request-priority\"}", "ServiceRequest._security": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.security\"}", "ServiceRequest.encounter": "{\"kind\":\"reference\",\"rules\":1,\"at\":\"encounter\"}", "ServiceRequest.requester": "{\"kind\":\"reference\",\"rules\":1,\"at\":\"requester\"}", "Immunization.vaccine-code": "{\"kind\":\"token\",\"rules\":1,\"at\":[\"vaccineCode\",\"vaccineCode.extension.valueCoding\"]}", "ServiceRequest.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}", "ServiceRequest.occurrence": "{\"kind\":\"date\",\"rules\":1,\"version\":1,\"isSingle\":true,\"timeZone\":\"UTC\"}", "ServiceRequest.requisition": "{\"kind\":\"token\",\"rules\":1,\"at\":\"requisition\"}", "AllergyIntolerance._profile": "{\"kind\":\"profile\",\"rules\":1}", "Immunization.clinic-consent": "{\"kind\":\"token\",\"rules\":1,\"version\":\"https://clinic.example/consent Immunization boolean\"}", "AllergyIntolerance._security": "{\"kind\":\"token\",\"rules\":1,\"at\":\"meta.security\"}", "AllergyIntolerance.identifier": "{\"kind\":\"token\",\"rules\":1,\"at\":\"identifier\"}"}}$json$)
  ) as rows (row);
delete from clinical_records.migrations;
insert into clinical_records.migrations
  select (json_populate_record(null::clinical_records.migrations, row::json)).* from (values
  ($json${"version":16}$json$)
  ) as rows (row);
delete from clinical_records.records;
insert into clinical_records.records
  select (json_populate_record(null::clinical_records.records, row::json)).* from (values
  ($json${"type":"AllergyIntolerance","id":"id-2026-7","patient_id":"amy","position":80,"current":81,"version":2,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"amy","patient_id":"amy","position":2,"current":90,"version":3,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"amy-again","patient_id":"amy-again","position":6,"current":88,"version":3,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"amy.inactive","patient_id":"amy","position":91,"current":91,"version":1,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"ben","patient_id":"ben","position":4,"current":18,"version":2,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"ben.proposed","patient_id":"ben","position":19,"current":19,"version":1,"tenant":0}$json$),
  ($json${"type":"CareTeam","id":"eve","patient_id":"eve","position":8,"current":93,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.moved.0","patient_id":"amy","position":35,"current":83,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.of-eve.0","patient_id":"eve","position":39,"current":95,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.of-twin.0","patient_id":"amy","position":37,"current":87,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.staged.0","patient_id":"amy","position":29,"current":29,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.unwanted.0","patient_id":"amy","position":31,"current":33,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.walk.0","patient_id":"amy","position":21,"current":21,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.walk.1","patient_id":"amy","position":23,"current":23,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"Goal.walk.2","patient_id":"amy","position":25,"current":27,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"Immunization.shot.0","patient_id":"amy","position":71,"current":71,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.imagingOrder-done.0","patient_id":"amy","position":53,"current":55,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.imagingOrder-draft.0","patient_id":"amy","position":51,"current":51,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.imagingOrder-wrong.0","patient_id":"amy","position":57,"current":59,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.labOrder-done.0","patient_id":"amy","position":43,"current":45,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.labOrder-draft.0","patient_id":"amy","position":41,"current":41,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.labOrder-wrong.0","patient_id":"amy","position":47,"current":49,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.referral-done.0","patient_id":"amy","position":63,"current":65,"version":2,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.referral-draft.0","patient_id":"amy","position":61,"current":61,"version":1,"tenant":0}$json$),
  ($json${"type":"Command","id":"ServiceRequest.referral-wrong.0","patient_id":"amy","position":67,"current":69,"version":2,"tenant":0}$json$),
  ($json${"type":"Correction","id":"id-2026-10","patient_id":"","position":96,"current":96,"version":1,"tenant":0}$json$),
  ($json${"type":"Correction","id":"id-2026-8","patient_id":"","position":84,"current":84,"version":1,"tenant":0}$json$),
  ($json${"type":"Correction","id":"id-2026-9","patient_id":"","position":89,"current":89,"version":1,"tenant":0}$json$),
  ($json${"type":"Encounter","id":"visit","patient_id":"amy","position":13,"current":13,"version":1,"tenant":0}$json$),
  ($json${"type":"Goal","id":"moved","patient_id":"amy","position":34,"current":82,"version":2,"tenant":0}$json$),
  ($json${"type":"Goal","id":"of-eve","patient_id":"eve","position":38,"current":94,"version":2,"tenant":0}$json$),
  ($json${"type":"Goal","id":"of-twin","patient_id":"amy","position":36,"current":86,"version":2,"tenant":0}$json$),
  ($json${"type":"Goal","id":"staged","patient_id":"amy","position":28,"current":28,"version":1,"tenant":0}$json$),
  ($json${"type":"Goal","id":"unwanted","patient_id":"amy","position":30,"current":32,"version":2,"tenant":0}$json$),
  ($json${"type":"Goal","id":"walk","patient_id":"amy","position":20,"current":26,"version":4,"tenant":0}$json$),
  ($json${"type":"IdempotencyKey","id":"bf37e1a1b3cb00dfaa22a508f6d303e764be910f4b87e67d9d45d09ac7054ed8","patient_id":"amy","position":74,"current":74,"version":1,"tenant":0}$json$),
  ($json${"type":"Immunization","id":"id-2026-3","patient_id":"amy","position":72,"current":72,"version":1,"tenant":0}$json$),
  ($json${"type":"Immunization","id":"id-2026-5","patient_id":"amy","position":75,"current":77,"version":2,"tenant":0}$json$),
  ($json${"type":"Immunization","id":"imported","patient_id":"amy","position":78,"current":78,"version":1,"tenant":0}$json$),
  ($json${"type":"Immunization","id":"shot","patient_id":"amy","position":70,"current":70,"version":1,"tenant":0}$json$),
  ($json${"type":"Note","id":"id-2026-2","patient_id":"amy","position":73,"current":73,"version":1,"tenant":0}$json$),
  ($json${"type":"Note","id":"id-2026-4","patient_id":"amy","position":76,"current":76,"version":1,"tenant":0}$json$),
  ($json${"type":"Note","id":"id-2026-6","patient_id":"amy","position":79,"current":79,"version":1,"tenant":0}$json$),
  ($json${"type":"Note","id":"note","patient_id":"amy","position":14,"current":15,"version":2,"tenant":0}$json$),
  ($json${"type":"Organization","id":"lab","patient_id":"","position":12,"current":12,"version":1,"tenant":0}$json$),
  ($json${"type":"Patient","id":"amy","patient_id":"amy","position":1,"current":1,"version":1,"tenant":0}$json$),
  ($json${"type":"Patient","id":"amy-again","patient_id":"amy-again","position":5,"current":85,"version":2,"tenant":0}$json$),
  ($json${"type":"Patient","id":"ben","patient_id":"ben","position":3,"current":3,"version":1,"tenant":0}$json$),
  ($json${"type":"Patient","id":"eve","patient_id":"eve","position":7,"current":92,"version":2,"tenant":0}$json$),
  ($json${"type":"Practitioner","id":"ada","patient_id":"","position":9,"current":10,"version":2,"tenant":0}$json$),
  ($json${"type":"Practitioner","id":"bob","patient_id":"","position":11,"current":11,"version":1,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"imagingOrder-done","patient_id":"amy","position":52,"current":54,"version":2,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"imagingOrder-draft","patient_id":"amy","position":50,"current":50,"version":1,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"imagingOrder-wrong","patient_id":"amy","position":56,"current":58,"version":2,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"labOrder-done","patient_id":"amy","position":42,"current":44,"version":2,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"labOrder-draft","patient_id":"amy","position":40,"current":40,"version":1,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"labOrder-wrong","patient_id":"amy","position":46,"current":48,"version":2,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"referral-done","patient_id":"amy","position":62,"current":64,"version":2,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"referral-draft","patient_id":"amy","position":60,"current":60,"version":1,"tenant":0}$json$),
  ($json${"type":"ServiceRequest","id":"referral-wrong","patient_id":"amy","position":66,"current":68,"version":2,"tenant":0}$json$)
  ) as rows (row);
delete from clinical_records.searchable;
insert into clinical_records.searchable
  select (json_populate_record(null::clinical_records.searchable, row::json)).* from (values
  ($json${"record":1,"current":1,"patient_id":"amy","type":"Patient","id":"amy","version":1,"tenant":0,"committed":"2026-03-01T08:00:01+00:00","resource":"{\"resourceType\":\"Patient\",\"id\":\"amy\",\"name\":[{\"family\":\"Shaw\",\"given\":[\"Amy\"]}],\"gender\":\"female\",\"birthDate\":\"1950-02-03\"}","terms":["8451cfca-dea6-c701-bed3-c1acdc63d8e1","677e45c7-79e4-f97f-400b-b93e118c0c07","07de186e-2d9a-8b15-5fc9-68d8c63e3dc8","3c0cf3db-3d5e-90ef-f2d8-80be3e0a7688","dc4ac25d-ae5e-3b9d-410b-250f7970f06b"],"date_terms":["82fd07e0-868d-9155-f555-c1b69bf1c138"],"date_from":[-628300800000],"date_until":[-628214400000]}$json$),
  ($json${"record":11,"current":11,"patient_id":"","type":"Practitioner","id":"bob","version":1,"tenant":0,"committed":"2026-03-01T08:00:09+00:00","resource":"{\"resourceType\":\"Practitioner\",\"id\":\"bob\",\"name\":[{\"family\":\"Gray\",\"given\":[\"Bob\"]}]}","terms":["bb7c8cba-467c-b78e-c93c-6dc770afbb53","a886dc14-7e6e-1f26-bacf-a4a31aaa2f45"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":12,"current":12,"patient_id":"","type":"Organization","id":"lab","version":1,"tenant":0,"committed":"2026-03-01T08:00:11+00:00","resource":"{\"resourceType\":\"Organization\",\"id\":\"lab\",\"name\":\"Lab\"}","terms":["bd42bb42-e212-baef-08f2-cfcd6ee929a1"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":19,"current":19,"patient_id":"ben","type":"CareTeam","id":"ben.proposed","version":1,"tenant":0,"committed":"2026-03-01T08:00:19+00:00","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"ben.proposed\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam\"]},\"status\":\"proposed\",\"name\":\"Care Team for Müller, Ben 😀\",\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\",\"display\":\"Müller, Ben 😀\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}}]}","terms":["7fb83422-888f-b424-1b9e-361921dca6f0","e01dc3d5-9547-a066-6394-7579e8dedfc9","c00614f2-631b-40fc-f71c-71b33400a312","4978fae2-bdc0-1457-be91-01208ea673bf"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":2,"current":90,"patient_id":"amy","type":"CareTeam","id":"amy","version":3,"tenant":0,"committed":"2026-03-01T08:01:28+00:00","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam\"]},\"status\":\"active\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":true}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"17561000\",\"display\":\"Cardiologist\"}]}],\"member\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}]}","terms":["e865f0cf-cd58-38b3-baee-648dba24e8ae","e01dc3d5-9547-a066-6394-7579e8dedfc9","0b565483-742a-47cb-986b-02df1fc21235","a040c557-34f0-1120-5f95-66745864022f"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":20,"current":26,"patient_id":"amy","type":"Goal","id":"walk","version":4,"tenant":0,"committed":"2026-03-01T08:00:27+00:00","resource":"{\"resourceType\":\"Goal\",\"id\":\"walk\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"],\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"target\":[{\"dueDate\":\"2026-06-01\"}],\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"note\":[{\"id\":\"id-2026-1\",\"authorReference\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"time\":\"2026-03-01T08:00:23.000+00:00\",\"text\":\"Half of it\"}]}","terms":["829407d5-2c76-17ab-2954-bd40203d7018","d735c04a-984a-4e40-eac4-b10e5391a85b","c416c5a4-5714-dcc9-23ce-eec2f2b910bd"],"date_terms":["aed3eb45-12a0-7545-a6ee-b1afd271266d"],"date_from":[1780272000000],"date_until":[1780358400000]}$json$),
  ($json${"record":21,"current":21,"patient_id":"amy","type":"Command","id":"Goal.walk.0","version":1,"tenant":0,"committed":"2026-03-01T08:00:21+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.0\",\"patientId\":\"amy\",\"command\":\"Goal/walk/0\"}","terms":["56e6907f-0c38-e82b-3cd7-32251d7a0c56","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":23,"current":23,"patient_id":"amy","type":"Command","id":"Goal.walk.1","version":1,"tenant":0,"committed":"2026-03-01T08:00:23+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.1\",\"patientId\":\"amy\",\"command\":\"Goal/walk/1\"}","terms":["56e6907f-0c38-e82b-3cd7-32251d7a0c56","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":25,"current":27,"patient_id":"amy","type":"Command","id":"Goal.walk.2","version":2,"tenant":0,"committed":"2026-03-01T08:00:27+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.2\",\"patientId\":\"amy\",\"command\":\"Goal/walk/2\"}","terms":["15990809-1cb4-1ca0-0244-de58a73ad50d","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":29,"current":29,"patient_id":"amy","type":"Command","id":"Goal.staged.0","version":1,"tenant":0,"committed":"2026-03-01T08:00:29+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.staged.0\",\"patientId\":\"amy\",\"command\":\"Goal/staged/0\"}","terms":["2857c732-426d-3cb8-28f9-4d1cede35f2a","2f2e1402-20fa-ba8a-a342-779a5d31e2b0"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":3,"current":3,"patient_id":"ben","type":"Patient","id":"ben","version":1,"tenant":0,"committed":"2026-03-01T08:00:02+00:00","resource":"{\"resourceType\":\"Patient\",\"id\":\"ben\",\"name\":[{\"family\":\"Müller\",\"given\":[\"Ben 😀\"]}]}","terms":["a02cbb73-1e63-768b-0be0-13691fb5c54c","94d460d4-009c-7778-dbe6-88dea3ac4ea0","efa8b1dc-b0ff-ba04-de74-fd635c85c42f","13f3390f-4c23-15de-fba8-6989b8e9025a"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":31,"current":33,"patient_id":"amy","type":"Command","id":"Goal.unwanted.0","version":2,"tenant":0,"committed":"2026-03-01T08:00:33+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.unwanted.0\",\"patientId\":\"amy\",\"command\":\"Goal/unwanted/0\"}","terms":["532aab3c-d64f-c97b-7788-2184d057ea37","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":34,"current":82,"patient_id":"amy","type":"Goal","id":"moved","version":2,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","resource":"{\"resourceType\":\"Goal\",\"id\":\"moved\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["829407d5-2c76-17ab-2954-bd40203d7018","d735c04a-984a-4e40-eac4-b10e5391a85b"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":35,"current":83,"patient_id":"amy","type":"Command","id":"Goal.moved.0","version":2,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.moved.0\",\"patientId\":\"amy\",\"command\":\"Goal/moved/0\"}","terms":["56e6907f-0c38-e82b-3cd7-32251d7a0c56","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":36,"current":86,"patient_id":"amy","type":"Goal","id":"of-twin","version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","resource":"{\"resourceType\":\"Goal\",\"id\":\"of-twin\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["829407d5-2c76-17ab-2954-bd40203d7018","d735c04a-984a-4e40-eac4-b10e5391a85b"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":37,"current":87,"patient_id":"amy","type":"Command","id":"Goal.of-twin.0","version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.of-twin.0\",\"patientId\":\"amy\",\"command\":\"Goal/of-twin/0\"}","terms":["56e6907f-0c38-e82b-3cd7-32251d7a0c56","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":4,"current":18,"patient_id":"ben","type":"CareTeam","id":"ben","version":2,"tenant":0,"committed":"2026-03-01T08:00:19+00:00","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"ben\",\"status\":\"active\",\"name\":\"Care Team for Müller, Ben 😀\",\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\",\"display\":\"Müller, Ben 😀\"}}","terms":["0b565483-742a-47cb-986b-02df1fc21235","484b22e8-8125-9c72-d999-ee2d7a02e40e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":40,"current":40,"patient_id":"amy","type":"ServiceRequest","id":"labOrder-draft","version":1,"tenant":0,"committed":"2026-03-01T08:00:41+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:41.000+00:00\"}","terms":["5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","47cde7d7-3084-5cf3-3664-959091e85728"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352041000],"date_until":[1772352041001]}$json$),
  ($json${"record":41,"current":41,"patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-draft.0","version":1,"tenant":0,"committed":"2026-03-01T08:00:41+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-draft/0\"}","terms":["2857c732-426d-3cb8-28f9-4d1cede35f2a","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":42,"current":44,"patient_id":"amy","type":"ServiceRequest","id":"labOrder-done","version":2,"tenant":0,"committed":"2026-03-01T08:00:45+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:43.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["0e658c08-b588-8421-1504-350bc282cb97","6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352043000],"date_until":[1772352043001]}$json$),
  ($json${"record":43,"current":45,"patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-done.0","version":2,"tenant":0,"committed":"2026-03-01T08:00:45+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-done/0\"}","terms":["e7e7360d-03b9-c5dd-88ba-fdbf62680358","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":46,"current":48,"patient_id":"amy","type":"ServiceRequest","id":"labOrder-wrong","version":2,"tenant":0,"committed":"2026-03-01T08:00:49+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:47.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["694af258-ed4c-1eba-1440-11f8d581ce49","6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352047000],"date_until":[1772352047001]}$json$),
  ($json${"record":47,"current":49,"patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-wrong.0","version":2,"tenant":0,"committed":"2026-03-01T08:00:49+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-wrong/0\"}","terms":["15990809-1cb4-1ca0-0244-de58a73ad50d","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":5,"current":85,"patient_id":"amy-again","type":"Patient","id":"amy-again","version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","resource":"{\"resourceType\":\"Patient\",\"id\":\"amy-again\",\"active\":false,\"name\":[{\"family\":\"Shaw\",\"given\":[\"A.\"]}],\"link\":[{\"other\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"type\":\"replaced-by\"}]}","terms":["8451cfca-dea6-c701-bed3-c1acdc63d8e1","4f6e1345-e6ee-9609-676d-71db7cff0a9b","07de186e-2d9a-8b15-5fc9-68d8c63e3dc8","aa22a6a1-12f2-7972-f67f-3f2b7a636ffc"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":50,"current":50,"patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-draft","version":1,"tenant":0,"committed":"2026-03-01T08:00:51+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:51.000+00:00\"}","terms":["5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","227e1bcc-8332-b059-b07d-b79f4fa0f3ba","47cde7d7-3084-5cf3-3664-959091e85728"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352051000],"date_until":[1772352051001]}$json$),
  ($json${"record":51,"current":51,"patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-draft.0","version":1,"tenant":0,"committed":"2026-03-01T08:00:51+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-draft/0\"}","terms":["2857c732-426d-3cb8-28f9-4d1cede35f2a","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":52,"current":54,"patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-done","version":2,"tenant":0,"committed":"2026-03-01T08:00:55+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:53.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["0e658c08-b588-8421-1504-350bc282cb97","227e1bcc-8332-b059-b07d-b79f4fa0f3ba","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352053000],"date_until":[1772352053001]}$json$),
  ($json${"record":53,"current":55,"patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-done.0","version":2,"tenant":0,"committed":"2026-03-01T08:00:55+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-done/0\"}","terms":["e7e7360d-03b9-c5dd-88ba-fdbf62680358","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":56,"current":58,"patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-wrong","version":2,"tenant":0,"committed":"2026-03-01T08:00:59+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:57.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["694af258-ed4c-1eba-1440-11f8d581ce49","227e1bcc-8332-b059-b07d-b79f4fa0f3ba","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352057000],"date_until":[1772352057001]}$json$),
  ($json${"record":57,"current":59,"patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-wrong.0","version":2,"tenant":0,"committed":"2026-03-01T08:00:59+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-wrong/0\"}","terms":["15990809-1cb4-1ca0-0244-de58a73ad50d","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":60,"current":60,"patient_id":"amy","type":"ServiceRequest","id":"referral-draft","version":1,"tenant":0,"committed":"2026-03-01T08:01:01+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:01.000+00:00\"}","terms":["5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","b0605fa4-b2f6-bb54-1d21-4d7b00388a80","47cde7d7-3084-5cf3-3664-959091e85728"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352061000],"date_until":[1772352061001]}$json$),
  ($json${"record":61,"current":61,"patient_id":"amy","type":"Command","id":"ServiceRequest.referral-draft.0","version":1,"tenant":0,"committed":"2026-03-01T08:01:01+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-draft/0\"}","terms":["2857c732-426d-3cb8-28f9-4d1cede35f2a","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":62,"current":64,"patient_id":"amy","type":"ServiceRequest","id":"referral-done","version":2,"tenant":0,"committed":"2026-03-01T08:01:05+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:03.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["0e658c08-b588-8421-1504-350bc282cb97","b0605fa4-b2f6-bb54-1d21-4d7b00388a80","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352063000],"date_until":[1772352063001]}$json$),
  ($json${"record":63,"current":65,"patient_id":"amy","type":"Command","id":"ServiceRequest.referral-done.0","version":2,"tenant":0,"committed":"2026-03-01T08:01:05+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-done/0\"}","terms":["e7e7360d-03b9-c5dd-88ba-fdbf62680358","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":66,"current":68,"patient_id":"amy","type":"ServiceRequest","id":"referral-wrong","version":2,"tenant":0,"committed":"2026-03-01T08:01:09+00:00","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:07.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}","terms":["694af258-ed4c-1eba-1440-11f8d581ce49","b0605fa4-b2f6-bb54-1d21-4d7b00388a80","47cde7d7-3084-5cf3-3664-959091e85728","14c77948-b2de-5f3c-ea01-ba94a2d5741c"],"date_terms":["c6a8bb87-774c-e463-4922-39a3c4a7f3ae"],"date_from":[1772352067000],"date_until":[1772352067001]}$json$),
  ($json${"record":67,"current":69,"patient_id":"amy","type":"Command","id":"ServiceRequest.referral-wrong.0","version":2,"tenant":0,"committed":"2026-03-01T08:01:09+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-wrong/0\"}","terms":["15990809-1cb4-1ca0-0244-de58a73ad50d","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":70,"current":70,"patient_id":"amy","type":"Immunization","id":"shot","version":1,"tenant":0,"committed":"2026-03-01T08:01:11+00:00","resource":"{\"resourceType\":\"Immunization\",\"id\":\"shot\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"note\"}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"encounter\":{\"reference\":\"Encounter/visit\",\"type\":\"Encounter\"},\"occurrenceDateTime\":\"2025-10-02\",\"primarySource\":true}","terms":["14528250-20d2-3f4e-f559-27e9dfe17499","aa0c0de8-4141-d54b-5c42-0a9c175b4efe"],"date_terms":["f8158b13-bf1f-80b3-6dc8-8dd88716e10d"],"date_from":[1759363200000],"date_until":[1759449600000]}$json$),
  ($json${"record":71,"current":71,"patient_id":"amy","type":"Command","id":"Immunization.shot.0","version":1,"tenant":0,"committed":"2026-03-01T08:01:11+00:00","resource":"{\"resourceType\":\"Command\",\"id\":\"Immunization.shot.0\",\"patientId\":\"amy\",\"command\":\"Immunization/shot/0\"}","terms":["56e6907f-0c38-e82b-3cd7-32251d7a0c56","e23cdb1d-3bb4-1377-214e-1898f857652e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":72,"current":72,"patient_id":"amy","type":"Immunization","id":"id-2026-3","version":1,"tenant":0,"committed":"2026-03-01T08:01:13+00:00","resource":"{\"resourceType\":\"Immunization\",\"id\":\"id-2026-3\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-2\"},{\"url\":\"https://clinic.example/consent\",\"valueBoolean\":true}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2025-10-01\",\"primarySource\":false}","terms":["14528250-20d2-3f4e-f559-27e9dfe17499","aa0c0de8-4141-d54b-5c42-0a9c175b4efe","9e3b7c90-ae3d-6f1d-5db8-36884954e62d"],"date_terms":["f8158b13-bf1f-80b3-6dc8-8dd88716e10d"],"date_from":[1759276800000],"date_until":[1759363200000]}$json$),
  ($json${"record":75,"current":77,"patient_id":"amy","type":"Immunization","id":"id-2026-5","version":2,"tenant":0,"committed":"2026-03-01T08:01:17+00:00","resource":"{\"resourceType\":\"Immunization\",\"id\":\"id-2026-5\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"identifier\":[{\"system\":\"https://other.example\",\"value\":\"7\"}],\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-4\"}],\"status\":\"entered-in-error\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2025-10-01\",\"primarySource\":false}","terms":["98f50ca1-a504-1640-76b2-adb525104a15","aa0c0de8-4141-d54b-5c42-0a9c175b4efe","906317cc-faee-232f-d3c0-527c8e0c4370"],"date_terms":["f8158b13-bf1f-80b3-6dc8-8dd88716e10d"],"date_from":[1759276800000],"date_until":[1759363200000]}$json$),
  ($json${"record":78,"current":78,"patient_id":"amy","type":"Immunization","id":"imported","version":1,"tenant":0,"committed":"2026-03-01T08:01:19+00:00","resource":"{\"resourceType\":\"Immunization\",\"id\":\"imported\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-6\"}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2020\",\"primarySource\":false}","terms":["14528250-20d2-3f4e-f559-27e9dfe17499","aa0c0de8-4141-d54b-5c42-0a9c175b4efe"],"date_terms":["f8158b13-bf1f-80b3-6dc8-8dd88716e10d"],"date_from":[1577836800000],"date_until":[1609459200000]}$json$),
  ($json${"record":80,"current":81,"patient_id":"amy","type":"AllergyIntolerance","id":"id-2026-7","version":2,"tenant":0,"committed":"2026-03-01T08:01:22+00:00","resource":"{\"resourceType\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"meta\":{\"profile\":[\"https://clinic.example/fhir/StructureDefinition/allergy\"]},\"code\":{\"text\":\"Peanuts\"},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"criticality\":\"low\"}","terms":[],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":84,"current":84,"patient_id":"","type":"Correction","id":"id-2026-8","version":1,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","resource":"{\"id\":\"id-2026-8\",\"at\":\"2026-03-01T08:01:24.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"move\",\"reason\":\"Two charts.\",\"patientId\":\"ben\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"moved\",\"version\":2}]}","terms":["2d211bc2-6c91-a9f5-2bce-a9a449587252","0fc2f2c5-c1f8-e224-4f00-728422e5737b","8ce3a79a-8bd1-9e29-b6e2-cb6fa59d14cf"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":89,"current":89,"patient_id":"","type":"Correction","id":"id-2026-9","version":1,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","resource":"{\"id\":\"id-2026-9\",\"at\":\"2026-03-01T08:01:26.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"merge\",\"reason\":\"Registered twice.\",\"patientId\":\"amy-again\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-twin.0\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"amy-again\",\"version\":3}]}","terms":["bc97662e-42f4-3a22-7113-152234b6d815","0fc2f2c5-c1f8-e224-4f00-728422e5737b","0e84cca3-fe8a-2bb4-8a06-43b5e894206d","0841f2c5-b564-933a-9883-48fca783a94d","68df814c-fef7-5e25-b177-948cfbc55e0f"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":9,"current":10,"patient_id":"","type":"Practitioner","id":"ada","version":2,"tenant":0,"committed":"2026-03-01T08:00:07+00:00","resource":"{\"resourceType\":\"Practitioner\",\"id\":\"ada\",\"name\":[{\"family\":\"Lovelace\",\"given\":[\"Ada\"]}]}","terms":["60c45f24-40a3-a627-596f-ae76965f2ba0","b4fd8660-6a95-ffee-3df0-5a7289f6a603"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":91,"current":91,"patient_id":"amy","type":"CareTeam","id":"amy.inactive","version":1,"tenant":0,"committed":"2026-03-01T08:01:28+00:00","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy.inactive\",\"status\":\"inactive\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}},{\"member\":{\"reference\":\"Organization/lab\",\"type\":\"Organization\",\"display\":\"Lab\"}}]}","terms":["7fb83422-888f-b424-1b9e-361921dca6f0","bbdb06b7-9634-41a0-99a5-3bae18d7b9df","e01dc3d5-9547-a066-6394-7579e8dedfc9","4541f5d6-7f8f-26b2-95ed-5d36aac964c1","4978fae2-bdc0-1457-be91-01208ea673bf","31182c63-f38f-2f84-55b2-f5e86df9a76c","484b22e8-8125-9c72-d999-ee2d7a02e40e"],"date_terms":[],"date_from":[],"date_until":[]}$json$),
  ($json${"record":96,"current":96,"patient_id":"","type":"Correction","id":"id-2026-10","version":1,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","resource":"{\"id\":\"id-2026-10\",\"at\":\"2026-03-01T08:01:30.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"erasure\",\"reason\":\"Eve asked for it.\",\"patientId\":\"eve\",\"toPatientId\":null,\"records\":[{\"type\":\"Patient\",\"id\":\"eve\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"eve\",\"version\":2},{\"type\":\"Goal\",\"id\":\"of-eve\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-eve.0\",\"version\":2}]}","terms":["e2b898be-8288-6e1d-f28b-42c754d07717","ae0f5191-19aa-86e5-acf2-e6b545a92b50","0a2fa30b-7a4b-4613-ee3c-b6bc175b1bbe","1d6520a9-9ada-091d-4516-5da500ae8876"],"date_terms":[],"date_from":[],"date_until":[]}$json$)
  ) as rows (row);
delete from clinical_records.tenants;
insert into clinical_records.tenants
  select (json_populate_record(null::clinical_records.tenants, row::json)).* from (values
  ($json${"tenant":0,"name":"default","removed":null}$json$)
  ) as rows (row);
delete from clinical_records.terms;
insert into clinical_records.terms
  select (json_populate_record(null::clinical_records.terms, row::json)).* from (values
  ($json${"tenant":0,"row_id":"030cb937-91f9-44a1-9bb4-1d48051c590a","term":"c00614f2-631b-40fc-f71c-71b33400a312","type":"CareTeam","kind":"token","parameter":"status","system":"http://hl7.org/fhir/care-team-status","code":"proposed"}$json$),
  ($json${"tenant":0,"row_id":"0551ab3a-caec-429f-b587-9f2266bb0c63","term":"dc4ac25d-ae5e-3b9d-410b-250f7970f06b","type":"Patient","kind":"token","parameter":"gender","system":"http://hl7.org/fhir/administrative-gender","code":"female"}$json$),
  ($json${"tenant":0,"row_id":"0555cc31-7ffb-4831-b732-bf05fcb43d8d","term":"aa0c0de8-4141-d54b-5c42-0a9c175b4efe","type":"Immunization","kind":"token","parameter":"vaccine-code","system":"http://hl7.org/fhir/sid/cvx","code":"140"}$json$),
  ($json${"tenant":0,"row_id":"05ce265f-6232-40bf-97f8-24b49b458b1b","term":"c6a8bb87-774c-e463-4922-39a3c4a7f3ae","type":"ServiceRequest","kind":"date","parameter":"authored","system":"","code":""}$json$),
  ($json${"tenant":0,"row_id":"0998b6c9-953d-4f6e-a3de-61718fa52a78","term":"532aab3c-d64f-c97b-7788-2184d057ea37","type":"Command","kind":"token","parameter":"status","system":"","code":"discarded"}$json$),
  ($json${"tenant":0,"row_id":"0e027d58-d74c-4857-ad3a-c8dbcd55a908","term":"0fc2f2c5-c1f8-e224-4f00-728422e5737b","type":"Correction","kind":"reference","parameter":"corrected","system":"Patient","code":"amy"}$json$),
  ($json${"tenant":0,"row_id":"0ea14e17-c159-4caa-9e37-45421fd9e2fd","term":"906317cc-faee-232f-d3c0-527c8e0c4370","type":"Immunization","kind":"token","parameter":"identifier","system":"https://other.example","code":"7"}$json$),
  ($json${"tenant":0,"row_id":"16ffa3c1-3aa2-48bb-8c1c-8ea4f5f78506","term":"bd42bb42-e212-baef-08f2-cfcd6ee929a1","type":"Organization","kind":"string","parameter":"name","system":"","code":"lab"}$json$),
  ($json${"tenant":0,"row_id":"17160bcf-d496-40cf-998f-cb92da983abd","term":"15990809-1cb4-1ca0-0244-de58a73ad50d","type":"Command","kind":"token","parameter":"status","system":"","code":"entered-in-error"}$json$),
  ($json${"tenant":0,"row_id":"191be349-7de1-41c4-8fd3-c5a9aedfca18","term":"694af258-ed4c-1eba-1440-11f8d581ce49","type":"ServiceRequest","kind":"token","parameter":"status","system":"http://hl7.org/fhir/request-status","code":"entered-in-error"}$json$),
  ($json${"tenant":0,"row_id":"1b1fe707-1234-4b9f-887f-f68e63169929","term":"efa8b1dc-b0ff-ba04-de74-fd635c85c42f","type":"Patient","kind":"string","parameter":"family","system":"","code":"muller"}$json$),
  ($json${"tenant":0,"row_id":"1e3b10af-cc89-4f52-982e-3ce7b645365a","term":"e7e7360d-03b9-c5dd-88ba-fdbf62680358","type":"Command","kind":"token","parameter":"status","system":"","code":"completed"}$json$),
  ($json${"tenant":0,"row_id":"1efa590c-b892-4e78-9577-dec940dcc88a","term":"4f6e1345-e6ee-9609-676d-71db7cff0a9b","type":"Patient","kind":"string","parameter":"name","system":"","code":"a"}$json$),
  ($json${"tenant":0,"row_id":"1ff3d011-4890-42ba-9c13-b49c6aba7bb3","term":"3c0cf3db-3d5e-90ef-f2d8-80be3e0a7688","type":"Patient","kind":"string","parameter":"given","system":"","code":"amy"}$json$),
  ($json${"tenant":0,"row_id":"2013aedd-7592-4ae8-9aed-9566cbfadc2f","term":"bc97662e-42f4-3a22-7113-152234b6d815","type":"Correction","kind":"reference","parameter":"corrected","system":"Patient","code":"amy-again"}$json$),
  ($json${"tenant":0,"row_id":"2535a178-6f0b-4f7f-b143-e84086173bc5","term":"6ad40f25-c9e4-dcc5-1b5e-5b1fcfadcda5","type":"ServiceRequest","kind":"token","parameter":"category","system":"http://snomed.info/sct","code":"108252007"}$json$),
  ($json${"tenant":0,"row_id":"2583f0e3-be51-4386-ae1c-eda74e757d73","term":"a040c557-34f0-1120-5f95-66745864022f","type":"CareTeam","kind":"token","parameter":"role","system":"http://snomed.info/sct","code":"17561000"}$json$),
  ($json${"tenant":0,"row_id":"2731f201-60d1-46ea-9d50-de3e3b348a4f","term":"aed3eb45-12a0-7545-a6ee-b1afd271266d","type":"Goal","kind":"date","parameter":"target-date","system":"","code":""}$json$),
  ($json${"tenant":0,"row_id":"2d10364a-e335-4a2b-a578-f2dec4fc4511","term":"0b565483-742a-47cb-986b-02df1fc21235","type":"CareTeam","kind":"token","parameter":"status","system":"http://hl7.org/fhir/care-team-status","code":"active"}$json$),
  ($json${"tenant":0,"row_id":"2d8250e8-0fa7-45f0-834b-d169dec84021","term":"484b22e8-8125-9c72-d999-ee2d7a02e40e","type":"CareTeam","kind":"token","parameter":"_profile:missing","system":"","code":"true"}$json$),
  ($json${"tenant":0,"row_id":"32b31964-030f-4f4f-a7d2-fb31e338cf41","term":"07de186e-2d9a-8b15-5fc9-68d8c63e3dc8","type":"Patient","kind":"string","parameter":"family","system":"","code":"shaw"}$json$),
  ($json${"tenant":0,"row_id":"3913eba5-8a68-44f2-bbec-9318985b32e8","term":"2857c732-426d-3cb8-28f9-4d1cede35f2a","type":"Command","kind":"token","parameter":"status","system":"","code":"staged"}$json$),
  ($json${"tenant":0,"row_id":"41ff8454-64ea-4005-a14a-2d1deb92099d","term":"94d460d4-009c-7778-dbe6-88dea3ac4ea0","type":"Patient","kind":"string","parameter":"name","system":"","code":"ben"}$json$),
  ($json${"tenant":0,"row_id":"43d8427a-6208-4004-ba2f-79056efaa209","term":"bbdb06b7-9634-41a0-99a5-3bae18d7b9df","type":"CareTeam","kind":"reference","parameter":"participant","system":"Organization","code":"lab"}$json$),
  ($json${"tenant":0,"row_id":"446bf202-a94b-4d2b-b433-5bfa10113217","term":"8ce3a79a-8bd1-9e29-b6e2-cb6fa59d14cf","type":"Correction","kind":"reference","parameter":"corrected","system":"Goal","code":"moved"}$json$),
  ($json${"tenant":0,"row_id":"44f7986a-3fbd-442f-96c0-15e433e01fb4","term":"e865f0cf-cd58-38b3-baee-648dba24e8ae","type":"CareTeam","kind":"reference","parameter":"participant","system":"Practitioner","code":"ada"}$json$),
  ($json${"tenant":0,"row_id":"47992ef1-69da-4b4a-93f4-99007e7285af","term":"2f2e1402-20fa-ba8a-a342-779a5d31e2b0","type":"Command","kind":"reference","parameter":"author","system":"Practitioner","code":"bob"}$json$),
  ($json${"tenant":0,"row_id":"49fe64fe-3c4a-45d8-b114-9b4e04a42f6c","term":"82fd07e0-868d-9155-f555-c1b69bf1c138","type":"Patient","kind":"date","parameter":"birthdate","system":"","code":""}$json$),
  ($json${"tenant":0,"row_id":"4a0d94a8-25a5-4ddb-9161-b1362468f675","term":"aa22a6a1-12f2-7972-f67f-3f2b7a636ffc","type":"Patient","kind":"string","parameter":"given","system":"","code":"a"}$json$),
  ($json${"tenant":0,"row_id":"4b2ff66b-81ce-4945-86f4-b832e552190f","term":"bb7c8cba-467c-b78e-c93c-6dc770afbb53","type":"Practitioner","kind":"string","parameter":"name","system":"","code":"gray"}$json$),
  ($json${"tenant":0,"row_id":"51545fd9-68cb-49bd-a6c0-3e0c3d58093d","term":"98f50ca1-a504-1640-76b2-adb525104a15","type":"Immunization","kind":"token","parameter":"status","system":"http://hl7.org/fhir/event-status","code":"entered-in-error"}$json$),
  ($json${"tenant":0,"row_id":"55830299-98dd-4b57-820f-b1cf6e035004","term":"a886dc14-7e6e-1f26-bacf-a4a31aaa2f45","type":"Practitioner","kind":"string","parameter":"name","system":"","code":"bob"}$json$),
  ($json${"tenant":0,"row_id":"5b12a208-66e5-4b45-b32d-d675b6be441e","term":"4541f5d6-7f8f-26b2-95ed-5d36aac964c1","type":"CareTeam","kind":"token","parameter":"status","system":"http://hl7.org/fhir/care-team-status","code":"inactive"}$json$),
  ($json${"tenant":0,"row_id":"71f9fe2a-f14a-4011-88be-4b9831a873ff","term":"47cde7d7-3084-5cf3-3664-959091e85728","type":"ServiceRequest","kind":"token","parameter":"code","system":"http://loinc.org","code":"718-7"}$json$),
  ($json${"tenant":0,"row_id":"79ad12c7-a474-483e-8fba-9579e6c72477","term":"227e1bcc-8332-b059-b07d-b79f4fa0f3ba","type":"ServiceRequest","kind":"token","parameter":"category","system":"http://snomed.info/sct","code":"363679005"}$json$),
  ($json${"tenant":0,"row_id":"7b4e4fdc-b900-40be-933f-2fcdbd557994","term":"0841f2c5-b564-933a-9883-48fca783a94d","type":"Correction","kind":"reference","parameter":"corrected","system":"Command","code":"Goal.of-twin.0"}$json$),
  ($json${"tenant":0,"row_id":"7e81b4fb-fae4-4646-a62e-98dcb91ddd6e","term":"a02cbb73-1e63-768b-0be0-13691fb5c54c","type":"Patient","kind":"string","parameter":"name","system":"","code":"muller"}$json$),
  ($json${"tenant":0,"row_id":"81f79531-65e2-47df-bc91-2edadc8a290f","term":"f8158b13-bf1f-80b3-6dc8-8dd88716e10d","type":"Immunization","kind":"date","parameter":"date","system":"","code":""}$json$),
  ($json${"tenant":0,"row_id":"824ab40b-48b4-4ee0-8ec7-7cc18658a9c6","term":"e2b898be-8288-6e1d-f28b-42c754d07717","type":"Correction","kind":"reference","parameter":"corrected","system":"Patient","code":"eve"}$json$),
  ($json${"tenant":0,"row_id":"843ed84b-e55f-44ef-9bc0-a0cc2decc5b6","term":"e23cdb1d-3bb4-1377-214e-1898f857652e","type":"Command","kind":"reference","parameter":"author","system":"Practitioner","code":"ada"}$json$),
  ($json${"tenant":0,"row_id":"854cf0e3-cb7f-436b-a30f-49c69af4c25e","term":"31182c63-f38f-2f84-55b2-f5e86df9a76c","type":"CareTeam","kind":"token","parameter":"role","system":"http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"}$json$),
  ($json${"tenant":0,"row_id":"88904eb2-bb57-4478-a340-e50176676a08","term":"e01dc3d5-9547-a066-6394-7579e8dedfc9","type":"CareTeam","kind":"token","parameter":"participant:missing","system":"","code":"false"}$json$),
  ($json${"tenant":0,"row_id":"8995e310-786d-4a30-a84d-52275894b280","term":"14528250-20d2-3f4e-f559-27e9dfe17499","type":"Immunization","kind":"token","parameter":"status","system":"http://hl7.org/fhir/event-status","code":"completed"}$json$),
  ($json${"tenant":0,"row_id":"8f3991ea-1303-4424-8c86-1a6e631f7392","term":"68df814c-fef7-5e25-b177-948cfbc55e0f","type":"Correction","kind":"reference","parameter":"corrected","system":"CareTeam","code":"amy-again"}$json$),
  ($json${"tenant":0,"row_id":"91d5fcc1-b168-49a6-a66f-fa1d7d94d44d","term":"8451cfca-dea6-c701-bed3-c1acdc63d8e1","type":"Patient","kind":"string","parameter":"name","system":"","code":"shaw"}$json$),
  ($json${"tenant":0,"row_id":"9341463b-3baf-4dfc-9258-91e8119e44db","term":"677e45c7-79e4-f97f-400b-b93e118c0c07","type":"Patient","kind":"string","parameter":"name","system":"","code":"amy"}$json$),
  ($json${"tenant":0,"row_id":"95f25c5e-e6f5-494d-a5a1-bdf4878dae46","term":"ae0f5191-19aa-86e5-acf2-e6b545a92b50","type":"Correction","kind":"reference","parameter":"corrected","system":"CareTeam","code":"eve"}$json$),
  ($json${"tenant":0,"row_id":"9d5fc08b-ba8d-49c6-8ca4-aa6e92fd366f","term":"5717ffcb-dc1a-8eba-5fd0-d8910a3abef8","type":"ServiceRequest","kind":"token","parameter":"status","system":"http://hl7.org/fhir/request-status","code":"draft"}$json$),
  ($json${"tenant":0,"row_id":"9e601f51-14b0-407a-a942-011f9cd57523","term":"d735c04a-984a-4e40-eac4-b10e5391a85b","type":"Goal","kind":"token","parameter":"description","system":"","code":"Walk a mile"}$json$),
  ($json${"tenant":0,"row_id":"9fbc1df4-53e6-4e43-a337-58ecb442d312","term":"b0605fa4-b2f6-bb54-1d21-4d7b00388a80","type":"ServiceRequest","kind":"token","parameter":"category","system":"http://snomed.info/sct","code":"386053000"}$json$),
  ($json${"tenant":0,"row_id":"a629c8ae-465d-4acc-b7c5-c918417e8271","term":"c416c5a4-5714-dcc9-23ce-eec2f2b910bd","type":"Goal","kind":"token","parameter":"_security","system":"http://terminology.hl7.org/CodeSystem/v3-Confidentiality","code":"R"}$json$),
  ($json${"tenant":0,"row_id":"afd18fc4-e632-49cd-ae8e-218df0548ec4","term":"9e3b7c90-ae3d-6f1d-5db8-36884954e62d","type":"Immunization","kind":"token","parameter":"clinic-consent","system":"","code":"true"}$json$),
  ($json${"tenant":0,"row_id":"b8362c99-426f-4d79-9c40-4a36dc83f94e","term":"b4fd8660-6a95-ffee-3df0-5a7289f6a603","type":"Practitioner","kind":"string","parameter":"name","system":"","code":"ada"}$json$),
  ($json${"tenant":0,"row_id":"be6b8faf-92fe-4b05-8a83-a790aadfeb0b","term":"829407d5-2c76-17ab-2954-bd40203d7018","type":"Goal","kind":"token","parameter":"lifecycle-status","system":"http://hl7.org/fhir/goal-status","code":"active"}$json$),
  ($json${"tenant":0,"row_id":"bf573679-cd3c-4d2d-ac99-1780fac6ae5e","term":"1d6520a9-9ada-091d-4516-5da500ae8876","type":"Correction","kind":"reference","parameter":"corrected","system":"Command","code":"Goal.of-eve.0"}$json$),
  ($json${"tenant":0,"row_id":"c40b7494-f0d6-4ab7-90c6-70e55e78145a","term":"2d211bc2-6c91-a9f5-2bce-a9a449587252","type":"Correction","kind":"reference","parameter":"corrected","system":"Patient","code":"ben"}$json$),
  ($json${"tenant":0,"row_id":"c597c95d-4ea4-4a53-8773-d5e87342a942","term":"0a2fa30b-7a4b-4613-ee3c-b6bc175b1bbe","type":"Correction","kind":"reference","parameter":"corrected","system":"Goal","code":"of-eve"}$json$),
  ($json${"tenant":0,"row_id":"d6030ce8-8c0f-4faf-8c2a-5e4a0c7b3eea","term":"13f3390f-4c23-15de-fba8-6989b8e9025a","type":"Patient","kind":"string","parameter":"given","system":"","code":"ben"}$json$),
  ($json${"tenant":0,"row_id":"e37fac45-2b3f-45a0-8195-86a7cd8ac393","term":"7fb83422-888f-b424-1b9e-361921dca6f0","type":"CareTeam","kind":"reference","parameter":"participant","system":"Practitioner","code":"bob"}$json$),
  ($json${"tenant":0,"row_id":"e47cccf9-c0cb-4170-84c7-37f2953bc67d","term":"56e6907f-0c38-e82b-3cd7-32251d7a0c56","type":"Command","kind":"token","parameter":"status","system":"","code":"committed"}$json$),
  ($json${"tenant":0,"row_id":"e9f845b1-65d8-4a87-8146-1eb9f9988521","term":"14c77948-b2de-5f3c-ea01-ba94a2d5741c","type":"ServiceRequest","kind":"reference","parameter":"requester","system":"Practitioner","code":"ada"}$json$),
  ($json${"tenant":0,"row_id":"efd43c3e-38fd-4be3-bbfa-bab536c25c65","term":"0e84cca3-fe8a-2bb4-8a06-43b5e894206d","type":"Correction","kind":"reference","parameter":"corrected","system":"Goal","code":"of-twin"}$json$),
  ($json${"tenant":0,"row_id":"efeac2ea-b1a9-4db7-a086-5c61e26358e0","term":"0e658c08-b588-8421-1504-350bc282cb97","type":"ServiceRequest","kind":"token","parameter":"status","system":"http://hl7.org/fhir/request-status","code":"completed"}$json$),
  ($json${"tenant":0,"row_id":"f5631461-a1df-4bed-9201-15e04bf77bb3","term":"60c45f24-40a3-a627-596f-ae76965f2ba0","type":"Practitioner","kind":"string","parameter":"name","system":"","code":"lovelace"}$json$),
  ($json${"tenant":0,"row_id":"fa7f5dc5-f755-4107-9b09-5c9d44450ff3","term":"4978fae2-bdc0-1457-be91-01208ea673bf","type":"CareTeam","kind":"token","parameter":"role","system":"http://snomed.info/sct","code":"224535009"}$json$)
  ) as rows (row);
delete from clinical_records.versions;
insert into clinical_records.versions
  select (json_populate_record(null::clinical_records.versions, row::json)).* from (values
  ($json${"position":1,"record":1,"version":1,"tenant":0,"committed":"2026-03-01T08:00:01+00:00","patient_id":"amy","type":"Patient","id":"amy","by":null,"digest":"0bfb04ae14186b7d60f5496fa3f1c98afa9081d6059b09ab62f044cb23395d77","state":"{\"id\":\"amy\",\"lastName\":\"Shaw\",\"firstName\":\"Amy\",\"lastModified\":1772352001000,\"birthDate\":\"1950-02-03\",\"gender\":\"female\"}","resource":"{\"resourceType\":\"Patient\",\"id\":\"amy\",\"name\":[{\"family\":\"Shaw\",\"given\":[\"Amy\"]}],\"gender\":\"female\",\"birthDate\":\"1950-02-03\"}"}$json$),
  ($json${"position":10,"record":9,"version":2,"tenant":0,"committed":"2026-03-01T08:00:07+00:00","patient_id":"","type":"Practitioner","id":"ada","by":null,"digest":"3cb5ddd655fa21417bfa97cc0c06ef9a5b959abb675b2fcd55fbdcba9077d68d","state":"{\"id\":\"ada\",\"lastName\":\"Lovelace\",\"firstName\":\"Ada\"}","resource":"{\"resourceType\":\"Practitioner\",\"id\":\"ada\",\"name\":[{\"family\":\"Lovelace\",\"given\":[\"Ada\"]}]}"}$json$),
  ($json${"position":11,"record":11,"version":1,"tenant":0,"committed":"2026-03-01T08:00:09+00:00","patient_id":"","type":"Practitioner","id":"bob","by":null,"digest":"0a406a93ae47fc9014fc0dbe7ac7aa537075323b0a114e937b75fe687c6f4955","state":"{\"id\":\"bob\",\"lastName\":\"Gray\",\"firstName\":\"Bob\"}","resource":"{\"resourceType\":\"Practitioner\",\"id\":\"bob\",\"name\":[{\"family\":\"Gray\",\"given\":[\"Bob\"]}]}"}$json$),
  ($json${"position":12,"record":12,"version":1,"tenant":0,"committed":"2026-03-01T08:00:11+00:00","patient_id":"","type":"Organization","id":"lab","by":null,"digest":"cbea758d58d7e5744ba30ed7933aee0f6d0b63acff751a8a6dea4e11eb3cfc6b","state":"{\"id\":\"lab\",\"name\":\"Lab\"}","resource":"{\"resourceType\":\"Organization\",\"id\":\"lab\",\"name\":\"Lab\"}"}$json$),
  ($json${"position":13,"record":13,"version":1,"tenant":0,"committed":"2026-03-01T08:00:13+00:00","patient_id":"amy","type":"Encounter","id":"visit","by":null,"digest":"cd489892007b64e8592593940edd1f734c5b31aff910382bb64208c799590bb9","state":"{\"id\":\"visit\",\"patientId\":\"amy\",\"noteId\":\"note\"}","resource":null}$json$),
  ($json${"position":14,"record":14,"version":1,"tenant":0,"committed":"2026-03-01T08:00:13+00:00","patient_id":"amy","type":"Note","id":"note","by":null,"digest":"b3a4a78ad3a2a8ddd919e8fa2081011b56a0b003e29ffda816dc0ab077cf8687","state":"{\"id\":\"note\",\"patientId\":\"amy\",\"encounterId\":\"visit\",\"title\":null,\"dateOfService\":null}","resource":null}$json$),
  ($json${"position":15,"record":14,"version":2,"tenant":0,"committed":"2026-03-01T08:00:14+00:00","patient_id":"amy","type":"Note","id":"note","by":null,"digest":"0ebc34e8fa12d81a70d95bba082af2b5e0dcf8c69f78ffe7f5bdb97f85748d57","state":"{\"id\":\"note\",\"patientId\":\"amy\",\"encounterId\":\"visit\",\"title\":\"Visit\",\"dateOfService\":null}","resource":null}$json$),
  ($json${"position":16,"record":2,"version":2,"tenant":0,"committed":"2026-03-01T08:00:15+00:00","patient_id":"amy","type":"CareTeam","id":"amy","by":"Practitioner/ada","digest":"f2e3124ef6500629c50f0a55fe290d9b81b24d1eaac1f8d45eda856ea9effb35","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy\",\"lastName\":\"Shaw\",\"firstName\":\"Amy\",\"lastModified\":1772352001000},\"participants\":[{\"member\":{\"type\":\"Practitioner\",\"id\":\"ada\",\"display\":\"Ada Lovelace\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"17561000\",\"display\":\"Cardiologist\"},\"lead\":true,\"status\":\"active\",\"changedAt\":1772352015000},{\"member\":{\"type\":\"Practitioner\",\"id\":\"bob\",\"display\":\"Bob Gray\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"},\"lead\":false,\"status\":\"active\",\"changedAt\":1772352015000},{\"member\":{\"type\":\"Organization\",\"id\":\"lab\",\"display\":\"Lab\"},\"role\":null,\"lead\":false,\"status\":\"active\",\"changedAt\":1772352015000}],\"changedAt\":1772352015000,\"otherStatuses\":[]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"status\":\"active\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":true}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"17561000\",\"display\":\"Cardiologist\"}]}],\"member\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}},{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}},{\"member\":{\"reference\":\"Organization/lab\",\"type\":\"Organization\",\"display\":\"Lab\"}}]}"}$json$),
  ($json${"position":17,"record":6,"version":2,"tenant":0,"committed":"2026-03-01T08:00:17+00:00","patient_id":"amy-again","type":"CareTeam","id":"amy-again","by":"Practitioner/ada","digest":"cd3084ee425735ae0da327a2571234986c774222f4226a1570fa8e315d47a44b","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy-again\",\"lastName\":\"Shaw\",\"firstName\":\"A.\",\"lastModified\":1772352003000},\"participants\":[{\"member\":{\"type\":\"Practitioner\",\"id\":\"bob\",\"display\":\"Bob Gray\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"},\"lead\":false,\"status\":\"active\",\"changedAt\":1772352017000},{\"member\":{\"type\":\"Organization\",\"id\":\"lab\",\"display\":\"Lab\"},\"role\":null,\"lead\":false,\"status\":\"active\",\"changedAt\":1772352017000}],\"changedAt\":1772352017000,\"otherStatuses\":[]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy-again\",\"status\":\"active\",\"name\":\"Care Team for Shaw, A.\",\"subject\":{\"reference\":\"Patient/amy-again\",\"type\":\"Patient\",\"display\":\"Shaw, A.\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}},{\"member\":{\"reference\":\"Organization/lab\",\"type\":\"Organization\",\"display\":\"Lab\"}}]}"}$json$),
  ($json${"position":18,"record":4,"version":2,"tenant":0,"committed":"2026-03-01T08:00:19+00:00","patient_id":"ben","type":"CareTeam","id":"ben","by":"Practitioner/ada","digest":"364f624ef80aadd4e5b58f3c4ba678de7e8efd36238c108663073b783bc4a689","state":"{\"status\":\"active\",\"patient\":{\"id\":\"ben\",\"lastName\":\"Müller\",\"firstName\":\"Ben 😀\",\"lastModified\":1772352002000},\"participants\":[],\"changedAt\":1772352019000,\"otherStatuses\":[\"proposed\"]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"ben\",\"status\":\"active\",\"name\":\"Care Team for Müller, Ben 😀\",\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\",\"display\":\"Müller, Ben 😀\"}}"}$json$),
  ($json${"position":19,"record":19,"version":1,"tenant":0,"committed":"2026-03-01T08:00:19+00:00","patient_id":"ben","type":"CareTeam","id":"ben.proposed","by":"Practitioner/ada","digest":"61e99fc4c51d14f85c75d47ea2a5c848d3c56517a6222f3af82b8569ccbaf816","state":"{\"status\":\"proposed\",\"patient\":{\"id\":\"ben\",\"lastName\":\"Müller\",\"firstName\":\"Ben 😀\",\"lastModified\":1772352002000},\"participants\":[{\"member\":{\"type\":\"Practitioner\",\"id\":\"bob\",\"display\":\"Bob Gray\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"},\"lead\":false,\"status\":\"proposed\",\"changedAt\":1772352019000}]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"ben.proposed\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam\"]},\"status\":\"proposed\",\"name\":\"Care Team for Müller, Ben 😀\",\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\",\"display\":\"Müller, Ben 😀\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}}]}"}$json$),
  ($json${"position":2,"record":2,"version":1,"tenant":0,"committed":"2026-03-01T08:00:01+00:00","patient_id":"amy","type":"CareTeam","id":"amy","by":null,"digest":"a9b5f8aae218f18da1b5f431c1535316110d74b1f8c20b7f89e4e06e054eed48","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy\",\"lastName\":\"Shaw\",\"firstName\":\"Amy\",\"lastModified\":1772352001000},\"participants\":[],\"changedAt\":0,\"otherStatuses\":[]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"status\":\"active\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"}}"}$json$),
  ($json${"position":20,"record":20,"version":1,"tenant":0,"committed":"2026-03-01T08:00:21+00:00","patient_id":"amy","type":"Goal","id":"walk","by":"Practitioner/ada","digest":"bd7ca28c55d34397267536d9d3eb12e5545ab24c1b766add64241ffeef00321d","state":"{\"id\":\"walk\",\"patientId\":\"amy\",\"common\":{\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"dueDate\":\"2026-06-01\",\"notes\":[]},\"stagedAt\":1772352021000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352021000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"walk\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"],\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"target\":[{\"dueDate\":\"2026-06-01\"}],\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":21,"record":21,"version":1,"tenant":0,"committed":"2026-03-01T08:00:21+00:00","patient_id":"amy","type":"Command","id":"Goal.walk.0","by":"Practitioner/ada","digest":"42fac300fc48622b59d7698c763628735428f08115c4f78c5698f1ab4d3fa992","state":"{\"id\":\"Goal.walk.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"walk\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.0\",\"patientId\":\"amy\",\"command\":\"Goal/walk/0\"}"}$json$),
  ($json${"position":22,"record":20,"version":2,"tenant":0,"committed":"2026-03-01T08:00:23+00:00","patient_id":"amy","type":"Goal","id":"walk","by":"Practitioner/ada","digest":"79c1756fd1db6ce1c59c971498ec196c2c1448fe1890df75aa09f50441b5d5fd","state":"{\"id\":\"walk\",\"patientId\":\"amy\",\"common\":{\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"dueDate\":\"2026-06-01\",\"notes\":[]},\"stagedAt\":1772352021000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352021000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}},{\"body\":{\"kind\":\"updateGoal\",\"notes\":[{\"id\":\"id-2026-1\",\"text\":\"Half of it\"}]},\"stagedAt\":1772352023000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352023000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":1}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"walk\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"],\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"target\":[{\"dueDate\":\"2026-06-01\"}],\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"note\":[{\"id\":\"id-2026-1\",\"authorReference\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"time\":\"2026-03-01T08:00:23.000+00:00\",\"text\":\"Half of it\"}]}"}$json$),
  ($json${"position":23,"record":23,"version":1,"tenant":0,"committed":"2026-03-01T08:00:23+00:00","patient_id":"amy","type":"Command","id":"Goal.walk.1","by":"Practitioner/ada","digest":"7688ed9112a9b024f32b23c86659b25c14feeef0dedfecf8bffca9a33594e7a7","state":"{\"id\":\"Goal.walk.1\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"walk\"},\"index\":1,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.1\",\"patientId\":\"amy\",\"command\":\"Goal/walk/1\"}"}$json$),
  ($json${"position":24,"record":20,"version":3,"tenant":0,"committed":"2026-03-01T08:00:25+00:00","patient_id":"amy","type":"Goal","id":"walk","by":"Practitioner/ada","digest":"6afffc1a6c88cfa55a7f67feeeb45c648de50d576522d2f3d6ea591dd3d25599","state":"{\"id\":\"walk\",\"patientId\":\"amy\",\"common\":{\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"dueDate\":\"2026-06-01\",\"notes\":[]},\"stagedAt\":1772352021000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352021000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}},{\"body\":{\"kind\":\"updateGoal\",\"notes\":[{\"id\":\"id-2026-1\",\"text\":\"Half of it\"}]},\"stagedAt\":1772352023000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352023000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":1}},{\"body\":{\"kind\":\"closeGoal\",\"achievementStatus\":\"achieved\",\"notes\":[]},\"stagedAt\":1772352025000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352025000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":2}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"walk\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"],\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"lifecycleStatus\":\"completed\",\"achievementStatus\":{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/goal-achievement\",\"code\":\"achieved\",\"display\":\"Achieved\"}]},\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"target\":[{\"dueDate\":\"2026-06-01\"}],\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"note\":[{\"id\":\"id-2026-1\",\"authorReference\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"time\":\"2026-03-01T08:00:23.000+00:00\",\"text\":\"Half of it\"}]}"}$json$),
  ($json${"position":25,"record":25,"version":1,"tenant":0,"committed":"2026-03-01T08:00:25+00:00","patient_id":"amy","type":"Command","id":"Goal.walk.2","by":"Practitioner/ada","digest":"89c0bdf44666bc6c2338a98d757d0e7f978c6cd92b182315f98650796191eace","state":"{\"id\":\"Goal.walk.2\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"walk\"},\"index\":2,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.2\",\"patientId\":\"amy\",\"command\":\"Goal/walk/2\"}"}$json$),
  ($json${"position":26,"record":20,"version":4,"tenant":0,"committed":"2026-03-01T08:00:27+00:00","patient_id":"amy","type":"Goal","id":"walk","by":"Practitioner/ada","digest":"f5a976929680380899551bf9a1c7dbccccc4be85f315a608b74b0173f516d57f","state":"{\"id\":\"walk\",\"patientId\":\"amy\",\"common\":{\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"dueDate\":\"2026-06-01\",\"notes\":[]},\"stagedAt\":1772352021000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352021000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}},{\"body\":{\"kind\":\"updateGoal\",\"notes\":[{\"id\":\"id-2026-1\",\"text\":\"Half of it\"}]},\"stagedAt\":1772352023000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352023000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":1}},{\"body\":{\"kind\":\"closeGoal\",\"achievementStatus\":\"achieved\",\"notes\":[]},\"stagedAt\":1772352025000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352025000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":2},\"enteredInError\":{\"at\":1772352027000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"reason\":\"Of another patient.\",\"version\":4}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"walk\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"],\"security\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\"}]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"target\":[{\"dueDate\":\"2026-06-01\"}],\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"note\":[{\"id\":\"id-2026-1\",\"authorReference\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"},\"time\":\"2026-03-01T08:00:23.000+00:00\",\"text\":\"Half of it\"}]}"}$json$),
  ($json${"position":27,"record":25,"version":2,"tenant":0,"committed":"2026-03-01T08:00:27+00:00","patient_id":"amy","type":"Command","id":"Goal.walk.2","by":"Practitioner/ada","digest":"650cf96939cbc87b3d6b6cd55526e321c1e0d9c9fb79c41deb4e94bed593aa06","state":"{\"id\":\"Goal.walk.2\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"walk\"},\"index\":2,\"status\":\"entered-in-error\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.walk.2\",\"patientId\":\"amy\",\"command\":\"Goal/walk/2\"}"}$json$),
  ($json${"position":28,"record":28,"version":1,"tenant":0,"committed":"2026-03-01T08:00:29+00:00","patient_id":"amy","type":"Goal","id":"staged","by":"Practitioner/bob","digest":"1b179aea50a2a087fda0428f2bbb82a4b0ad5ada3bc2cf02916a4def10a3480e","state":"{\"id\":\"staged\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352029000,\"stagedBy\":{\"by\":\"Practitioner/bob\",\"agent\":{\"reference\":\"Device/scribe\"},\"byDisplay\":\"Bob Gray\",\"version\":1}}]}","resource":null}$json$),
  ($json${"position":29,"record":29,"version":1,"tenant":0,"committed":"2026-03-01T08:00:29+00:00","patient_id":"amy","type":"Command","id":"Goal.staged.0","by":"Practitioner/bob","digest":"1990b9f8b8d6c7b777ce68c5294b009201125064989bfa0a7d5457413061ff84","state":"{\"id\":\"Goal.staged.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"staged\"},\"index\":0,\"status\":\"staged\",\"author\":\"Practitioner/bob\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.staged.0\",\"patientId\":\"amy\",\"command\":\"Goal/staged/0\"}"}$json$),
  ($json${"position":3,"record":3,"version":1,"tenant":0,"committed":"2026-03-01T08:00:02+00:00","patient_id":"ben","type":"Patient","id":"ben","by":null,"digest":"c6e068c06958e8db651b97d8b0f5f61363a084723ba547c7617a99c963cf62d0","state":"{\"id\":\"ben\",\"lastName\":\"Müller\",\"firstName\":\"Ben 😀\",\"lastModified\":1772352002000}","resource":"{\"resourceType\":\"Patient\",\"id\":\"ben\",\"name\":[{\"family\":\"Müller\",\"given\":[\"Ben 😀\"]}]}"}$json$),
  ($json${"position":30,"record":30,"version":1,"tenant":0,"committed":"2026-03-01T08:00:31+00:00","patient_id":"amy","type":"Goal","id":"unwanted","by":"Practitioner/ada","digest":"ac7f39d2c61137d0610395b8f7504168c5341c8d4f6a688a15fc721646540673","state":"{\"id\":\"unwanted\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352031000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":null}$json$),
  ($json${"position":31,"record":31,"version":1,"tenant":0,"committed":"2026-03-01T08:00:31+00:00","patient_id":"amy","type":"Command","id":"Goal.unwanted.0","by":"Practitioner/ada","digest":"b28dd424766d7c1460c6b6d9093faba24ee1fa954429342f15cc74bf7bfc7e4c","state":"{\"id\":\"Goal.unwanted.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"unwanted\"},\"index\":0,\"status\":\"staged\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.unwanted.0\",\"patientId\":\"amy\",\"command\":\"Goal/unwanted/0\"}"}$json$),
  ($json${"position":32,"record":30,"version":2,"tenant":0,"committed":"2026-03-01T08:00:33+00:00","patient_id":"amy","type":"Goal","id":"unwanted","by":"Practitioner/ada","digest":"c5d85a74ed6277072476846d421a77b5ebb81907d2d2228f0f89eb2f1269f511","state":"{\"id\":\"unwanted\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352031000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"discarded\":{\"at\":1772352033000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"reason\":\"Not wanted.\",\"version\":2}}]}","resource":null}$json$),
  ($json${"position":33,"record":31,"version":2,"tenant":0,"committed":"2026-03-01T08:00:33+00:00","patient_id":"amy","type":"Command","id":"Goal.unwanted.0","by":"Practitioner/ada","digest":"d6be782a5f51f7c3fbad91d7f47e66b675e9769e45cd94e54173f6fb5c100111","state":"{\"id\":\"Goal.unwanted.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"unwanted\"},\"index\":0,\"status\":\"discarded\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.unwanted.0\",\"patientId\":\"amy\",\"command\":\"Goal/unwanted/0\"}"}$json$),
  ($json${"position":34,"record":34,"version":1,"tenant":0,"committed":"2026-03-01T08:00:35+00:00","patient_id":"ben","type":"Goal","id":"moved","by":"Practitioner/ada","digest":"15d2dcb708c7da9829c61abf3ba61ed9d639dab8c52f77bd573efe0b27a1d8ae","state":"{\"id\":\"moved\",\"patientId\":\"ben\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352035000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352035000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"moved\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":35,"record":35,"version":1,"tenant":0,"committed":"2026-03-01T08:00:35+00:00","patient_id":"ben","type":"Command","id":"Goal.moved.0","by":"Practitioner/ada","digest":"bc5ceca09b8db0ee5cdbe13b733ad829b4d1a2f30886b7cb92d644faec3229a1","state":"{\"id\":\"Goal.moved.0\",\"patientId\":\"ben\",\"made\":{\"type\":\"Goal\",\"id\":\"moved\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.moved.0\",\"patientId\":\"ben\",\"command\":\"Goal/moved/0\"}"}$json$),
  ($json${"position":36,"record":36,"version":1,"tenant":0,"committed":"2026-03-01T08:00:37+00:00","patient_id":"amy-again","type":"Goal","id":"of-twin","by":"Practitioner/ada","digest":"3ba0337d7af2cb533f5e1cec22a1a3fbe8eac58f110c7200ebe892624b56af65","state":"{\"id\":\"of-twin\",\"patientId\":\"amy-again\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352037000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352037000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"of-twin\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy-again\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":37,"record":37,"version":1,"tenant":0,"committed":"2026-03-01T08:00:37+00:00","patient_id":"amy-again","type":"Command","id":"Goal.of-twin.0","by":"Practitioner/ada","digest":"9c34315c96b976776bd8fdd8e2185ec9e22d57cadbc1db85cda6d6fafeabaa2d","state":"{\"id\":\"Goal.of-twin.0\",\"patientId\":\"amy-again\",\"made\":{\"type\":\"Goal\",\"id\":\"of-twin\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.of-twin.0\",\"patientId\":\"amy-again\",\"command\":\"Goal/of-twin/0\"}"}$json$),
  ($json${"position":38,"record":38,"version":1,"tenant":0,"committed":"2026-03-01T08:00:39+00:00","patient_id":"eve","type":"Goal","id":"of-eve","by":"Practitioner/ada","digest":"94201246bc435e8489333c1ed32494437db16dcf6c1bf5045d4e67366196cfad","state":"{\"erased\":\"46107d0ee9cb90851a71a20509a91753582cc3d4b1aa8e11eaac3884c612fd9a\"}","resource":null}$json$),
  ($json${"position":39,"record":39,"version":1,"tenant":0,"committed":"2026-03-01T08:00:39+00:00","patient_id":"eve","type":"Command","id":"Goal.of-eve.0","by":"Practitioner/ada","digest":"07f2d6ebdeaff85ceca1f7dadfb73102a0d8ab6811e5cb0b663e8e124bcc5c53","state":"{\"erased\":\"40b3ca07d15053d0c87bb93a1373a31982a545d0fd4f7cc24ab2f89d9a479c8a\"}","resource":null}$json$),
  ($json${"position":4,"record":4,"version":1,"tenant":0,"committed":"2026-03-01T08:00:02+00:00","patient_id":"ben","type":"CareTeam","id":"ben","by":null,"digest":"788e028460f9481f4c1c71153c0cd32a7381d956898f3b4034d6437cb9ff0db8","state":"{\"status\":\"active\",\"patient\":{\"id\":\"ben\",\"lastName\":\"Müller\",\"firstName\":\"Ben 😀\",\"lastModified\":1772352002000},\"participants\":[],\"changedAt\":0,\"otherStatuses\":[]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"ben\",\"status\":\"active\",\"name\":\"Care Team for Müller, Ben 😀\",\"subject\":{\"reference\":\"Patient/ben\",\"type\":\"Patient\",\"display\":\"Müller, Ben 😀\"}}"}$json$),
  ($json${"position":40,"record":40,"version":1,"tenant":0,"committed":"2026-03-01T08:00:41+00:00","patient_id":"amy","type":"ServiceRequest","id":"labOrder-draft","by":"Practitioner/ada","digest":"085e7cad9fbb865d8fd27f05a60c66bf178b8397418bd0a5cf5c1ac34719b818","state":"{\"id\":\"labOrder-draft\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"labOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:41.000+00:00\"},\"stagedAt\":1772352041000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:41.000+00:00\"}"}$json$),
  ($json${"position":41,"record":41,"version":1,"tenant":0,"committed":"2026-03-01T08:00:41+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-draft.0","by":"Practitioner/ada","digest":"cfce0fcba7042493766010b469df64d7d592dcab0f919386a39dfe9d18e24336","state":"{\"id\":\"ServiceRequest.labOrder-draft.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"labOrder-draft\"},\"index\":0,\"status\":\"staged\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-draft/0\"}"}$json$),
  ($json${"position":42,"record":42,"version":1,"tenant":0,"committed":"2026-03-01T08:00:43+00:00","patient_id":"amy","type":"ServiceRequest","id":"labOrder-done","by":"Practitioner/ada","digest":"ccf372413d8c51f74e0be12a066ca9487454f7c39f1d051d8e1532b0bce679a4","state":"{\"id\":\"labOrder-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"labOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:43.000+00:00\"},\"stagedAt\":1772352043000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352043000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:43.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":43,"record":43,"version":1,"tenant":0,"committed":"2026-03-01T08:00:43+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-done.0","by":"Practitioner/ada","digest":"a6c92d8d0a689a50dc1ffa65c8d9321b473c0c16afeb4a2016604f019901c092","state":"{\"id\":\"ServiceRequest.labOrder-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"labOrder-done\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-done/0\"}"}$json$),
  ($json${"position":44,"record":42,"version":2,"tenant":0,"committed":"2026-03-01T08:00:45+00:00","patient_id":"amy","type":"ServiceRequest","id":"labOrder-done","by":"Practitioner/ada","digest":"316e2e7605070abd6689a44bdfb93539886daa70404d2f94b14e034b912d1d85","state":"{\"id\":\"labOrder-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"labOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:43.000+00:00\"},\"stagedAt\":1772352043000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352043000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"completed\":{\"at\":1772352045000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:43.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":45,"record":43,"version":2,"tenant":0,"committed":"2026-03-01T08:00:45+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-done.0","by":"Practitioner/ada","digest":"ce5e09de3aabba12b4af4f67842c321504d026066278fb8a198649130493ab03","state":"{\"id\":\"ServiceRequest.labOrder-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"labOrder-done\"},\"index\":0,\"status\":\"completed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-done/0\"}"}$json$),
  ($json${"position":46,"record":46,"version":1,"tenant":0,"committed":"2026-03-01T08:00:47+00:00","patient_id":"amy","type":"ServiceRequest","id":"labOrder-wrong","by":"Practitioner/ada","digest":"c7774870d3f8aa2b8c27a18a77b3acf9697b32d42bd84c5fcf620a3d5ad67bfe","state":"{\"id\":\"labOrder-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"labOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:47.000+00:00\"},\"stagedAt\":1772352047000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352047000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:47.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":47,"record":47,"version":1,"tenant":0,"committed":"2026-03-01T08:00:47+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-wrong.0","by":"Practitioner/ada","digest":"d6b11d7636fc52a1399107a2d71d0bac12b26345a5bb0c5f286455720cb4e9ce","state":"{\"id\":\"ServiceRequest.labOrder-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"labOrder-wrong\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-wrong/0\"}"}$json$),
  ($json${"position":48,"record":46,"version":2,"tenant":0,"committed":"2026-03-01T08:00:49+00:00","patient_id":"amy","type":"ServiceRequest","id":"labOrder-wrong","by":"Practitioner/ada","digest":"474097d919d32c9ce8d21afcc8a37a047c510efa3a06fa90e0da87b6b292817e","state":"{\"id\":\"labOrder-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"labOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:47.000+00:00\"},\"stagedAt\":1772352047000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352047000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"enteredInError\":{\"at\":1772352049000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"version\":2}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"labOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"108252007\",\"display\":\"Laboratory procedure\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:47.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":49,"record":47,"version":2,"tenant":0,"committed":"2026-03-01T08:00:49+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.labOrder-wrong.0","by":"Practitioner/ada","digest":"4a3d39434b3bbf2cc647340192c3d58f5ba7a9d86323e299df2e44a460e4132a","state":"{\"id\":\"ServiceRequest.labOrder-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"labOrder-wrong\"},\"index\":0,\"status\":\"entered-in-error\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.labOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/labOrder-wrong/0\"}"}$json$),
  ($json${"position":5,"record":5,"version":1,"tenant":0,"committed":"2026-03-01T08:00:03+00:00","patient_id":"amy-again","type":"Patient","id":"amy-again","by":null,"digest":"25305e156715c6410dd5fb9fc1cfcc2dce973dc50ca2ddbff3f1699f7ea05b8f","state":"{\"id\":\"amy-again\",\"lastName\":\"Shaw\",\"firstName\":\"A.\",\"lastModified\":1772352003000}","resource":"{\"resourceType\":\"Patient\",\"id\":\"amy-again\",\"name\":[{\"family\":\"Shaw\",\"given\":[\"A.\"]}]}"}$json$),
  ($json${"position":50,"record":50,"version":1,"tenant":0,"committed":"2026-03-01T08:00:51+00:00","patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-draft","by":"Practitioner/ada","digest":"621b123da3f000e945a7a0a8c5cb47f3f3e8e12136d74851528b93d1195aeab8","state":"{\"id\":\"imagingOrder-draft\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"imagingOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:51.000+00:00\"},\"stagedAt\":1772352051000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:51.000+00:00\"}"}$json$),
  ($json${"position":51,"record":51,"version":1,"tenant":0,"committed":"2026-03-01T08:00:51+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-draft.0","by":"Practitioner/ada","digest":"eb8c08e910da80843732e9c75e9039ae8fd980580c9524a4cce19da805131643","state":"{\"id\":\"ServiceRequest.imagingOrder-draft.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-draft\"},\"index\":0,\"status\":\"staged\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-draft/0\"}"}$json$),
  ($json${"position":52,"record":52,"version":1,"tenant":0,"committed":"2026-03-01T08:00:53+00:00","patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-done","by":"Practitioner/ada","digest":"bc049764cdbc15b1bf775c9b4bf54d7481def58a02d7a1a8a46d3316d3a7c27f","state":"{\"id\":\"imagingOrder-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"imagingOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:53.000+00:00\"},\"stagedAt\":1772352053000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352053000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:53.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":53,"record":53,"version":1,"tenant":0,"committed":"2026-03-01T08:00:53+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-done.0","by":"Practitioner/ada","digest":"1131245de382358788e4aebd47839a75d5f7d3751e13b899024e5fe600c7ef33","state":"{\"id\":\"ServiceRequest.imagingOrder-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-done\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-done/0\"}"}$json$),
  ($json${"position":54,"record":52,"version":2,"tenant":0,"committed":"2026-03-01T08:00:55+00:00","patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-done","by":"Practitioner/ada","digest":"5e02fffc8d9b1516f55cb47845b5a862bc99d4396f58532ec56fd002cc488013","state":"{\"id\":\"imagingOrder-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"imagingOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:53.000+00:00\"},\"stagedAt\":1772352053000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352053000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"completed\":{\"at\":1772352055000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:53.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":55,"record":53,"version":2,"tenant":0,"committed":"2026-03-01T08:00:55+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-done.0","by":"Practitioner/ada","digest":"6986a10ff88f2ae48869babee93623fdf46b1b1863d4b7db601e831bbd8945ec","state":"{\"id\":\"ServiceRequest.imagingOrder-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-done\"},\"index\":0,\"status\":\"completed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-done/0\"}"}$json$),
  ($json${"position":56,"record":56,"version":1,"tenant":0,"committed":"2026-03-01T08:00:57+00:00","patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-wrong","by":"Practitioner/ada","digest":"69ecc1864630cff9e3bd77b580994754281ab187a63ae6da1c4aee96beb15b4f","state":"{\"id\":\"imagingOrder-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"imagingOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:57.000+00:00\"},\"stagedAt\":1772352057000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352057000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:57.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":57,"record":57,"version":1,"tenant":0,"committed":"2026-03-01T08:00:57+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-wrong.0","by":"Practitioner/ada","digest":"64567b83781d8770a66aabf1a5e38f9f89f59c080c09f4e42375187e5821f36b","state":"{\"id\":\"ServiceRequest.imagingOrder-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-wrong/0\"}"}$json$),
  ($json${"position":58,"record":56,"version":2,"tenant":0,"committed":"2026-03-01T08:00:59+00:00","patient_id":"amy","type":"ServiceRequest","id":"imagingOrder-wrong","by":"Practitioner/ada","digest":"0286eaee92ec306aa8a2af7cdf3c9075da9dabeb427e8bda8fd78f3a18f9e70f","state":"{\"id\":\"imagingOrder-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"imagingOrder\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:00:57.000+00:00\"},\"stagedAt\":1772352057000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352057000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"enteredInError\":{\"at\":1772352059000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"version\":2}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"363679005\",\"display\":\"Imaging\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:00:57.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":59,"record":57,"version":2,"tenant":0,"committed":"2026-03-01T08:00:59+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.imagingOrder-wrong.0","by":"Practitioner/ada","digest":"dcf8fc82dae1770023a1a4d5cc258bdb3781488e06dbf2bf5731688b93262b59","state":"{\"id\":\"ServiceRequest.imagingOrder-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"imagingOrder-wrong\"},\"index\":0,\"status\":\"entered-in-error\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.imagingOrder-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/imagingOrder-wrong/0\"}"}$json$),
  ($json${"position":6,"record":6,"version":1,"tenant":0,"committed":"2026-03-01T08:00:03+00:00","patient_id":"amy-again","type":"CareTeam","id":"amy-again","by":null,"digest":"6dd85d772473e6b75684551d4f8d69b9e643402f9d86612bc48543ede342ba66","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy-again\",\"lastName\":\"Shaw\",\"firstName\":\"A.\",\"lastModified\":1772352003000},\"participants\":[],\"changedAt\":0,\"otherStatuses\":[]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy-again\",\"status\":\"active\",\"name\":\"Care Team for Shaw, A.\",\"subject\":{\"reference\":\"Patient/amy-again\",\"type\":\"Patient\",\"display\":\"Shaw, A.\"}}"}$json$),
  ($json${"position":60,"record":60,"version":1,"tenant":0,"committed":"2026-03-01T08:01:01+00:00","patient_id":"amy","type":"ServiceRequest","id":"referral-draft","by":"Practitioner/ada","digest":"7d854324007855e9d688cf3658a88f2eddd663d924dbffbfcf3d18f01d416d07","state":"{\"id\":\"referral-draft\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"referral\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:01:01.000+00:00\"},\"stagedAt\":1772352061000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-draft\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"draft\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:01.000+00:00\"}"}$json$),
  ($json${"position":61,"record":61,"version":1,"tenant":0,"committed":"2026-03-01T08:01:01+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.referral-draft.0","by":"Practitioner/ada","digest":"a4368fa333d66c82b9132d6313b5a5d3816239e71fcd7efa3a734815bff6e0b9","state":"{\"id\":\"ServiceRequest.referral-draft.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"referral-draft\"},\"index\":0,\"status\":\"staged\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-draft.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-draft/0\"}"}$json$),
  ($json${"position":62,"record":62,"version":1,"tenant":0,"committed":"2026-03-01T08:01:03+00:00","patient_id":"amy","type":"ServiceRequest","id":"referral-done","by":"Practitioner/ada","digest":"b0f3ab5558b964e4d966256b1392a6e016a404acb16ece48403eec0c5179e205","state":"{\"id\":\"referral-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"referral\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:01:03.000+00:00\"},\"stagedAt\":1772352063000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352063000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:03.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":63,"record":63,"version":1,"tenant":0,"committed":"2026-03-01T08:01:03+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.referral-done.0","by":"Practitioner/ada","digest":"15818229048f1201aba2fbf6f052aa1a129d2db6f95a2ac2d619ce21b6bb8050","state":"{\"id\":\"ServiceRequest.referral-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"referral-done\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-done/0\"}"}$json$),
  ($json${"position":64,"record":62,"version":2,"tenant":0,"committed":"2026-03-01T08:01:05+00:00","patient_id":"amy","type":"ServiceRequest","id":"referral-done","by":"Practitioner/ada","digest":"9bee0c32216ea0338c9717dfd40bd09005c322a98030888627f5663a7f944b4d","state":"{\"id\":\"referral-done\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"referral\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:01:03.000+00:00\"},\"stagedAt\":1772352063000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352063000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"completed\":{\"at\":1772352065000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-done\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"completed\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:03.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":65,"record":63,"version":2,"tenant":0,"committed":"2026-03-01T08:01:05+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.referral-done.0","by":"Practitioner/ada","digest":"d650d6fd258c629e8849c7bcdfeff1b943a1dc262cb1b2628c10443bbecbd214","state":"{\"id\":\"ServiceRequest.referral-done.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"referral-done\"},\"index\":0,\"status\":\"completed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-done.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-done/0\"}"}$json$),
  ($json${"position":66,"record":66,"version":1,"tenant":0,"committed":"2026-03-01T08:01:07+00:00","patient_id":"amy","type":"ServiceRequest","id":"referral-wrong","by":"Practitioner/ada","digest":"b3d520374066c2c8a421cc3de7c861741adff2bc4a55a0075e524730b69e5b86","state":"{\"id\":\"referral-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"referral\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:01:07.000+00:00\"},\"stagedAt\":1772352067000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352067000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"active\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:07.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":67,"record":67,"version":1,"tenant":0,"committed":"2026-03-01T08:01:07+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.referral-wrong.0","by":"Practitioner/ada","digest":"4b3943b1eece40310039c22a8b7bea7ae30ed2761a8c235622173b80585d521f","state":"{\"id\":\"ServiceRequest.referral-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"referral-wrong\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-wrong/0\"}"}$json$),
  ($json${"position":68,"record":66,"version":2,"tenant":0,"committed":"2026-03-01T08:01:09+00:00","patient_id":"amy","type":"ServiceRequest","id":"referral-wrong","by":"Practitioner/ada","digest":"15508ae3a633d91cbe59b88ef53e58ee45e8d78b848cc60aa7709fbfee8a7d2e","state":"{\"id\":\"referral-wrong\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"referral\",\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"authoredOn\":\"2026-03-01T08:01:07.000+00:00\"},\"stagedAt\":1772352067000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352067000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0},\"enteredInError\":{\"at\":1772352069000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"version\":2}}]}","resource":"{\"resourceType\":\"ServiceRequest\",\"id\":\"referral-wrong\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-servicerequest\"]},\"status\":\"entered-in-error\",\"intent\":\"order\",\"category\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"386053000\",\"display\":\"Evaluation procedure (procedure)\"}]}],\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"718-7\",\"display\":\"Hemoglobin\"}]},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"authoredOn\":\"2026-03-01T08:01:07.000+00:00\",\"requester\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":69,"record":67,"version":2,"tenant":0,"committed":"2026-03-01T08:01:09+00:00","patient_id":"amy","type":"Command","id":"ServiceRequest.referral-wrong.0","by":"Practitioner/ada","digest":"b56e33b6f3edb38aa12bbccf9a81d3af0184e5b80124859d7961aea271b94d28","state":"{\"id\":\"ServiceRequest.referral-wrong.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"ServiceRequest\",\"id\":\"referral-wrong\"},\"index\":0,\"status\":\"entered-in-error\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"ServiceRequest.referral-wrong.0\",\"patientId\":\"amy\",\"command\":\"ServiceRequest/referral-wrong/0\"}"}$json$),
  ($json${"position":7,"record":7,"version":1,"tenant":0,"committed":"2026-03-01T08:00:04+00:00","patient_id":"eve","type":"Patient","id":"eve","by":null,"digest":"3282fa6abe4ee42831981448ae4970b95d2070f18cf171bbd3ab53bf5c042c65","state":"{\"erased\":\"2384214c2aa5a27d213c28f06afb34ae29cfb4c32374a5013829902774452b5e\"}","resource":null}$json$),
  ($json${"position":70,"record":70,"version":1,"tenant":0,"committed":"2026-03-01T08:01:11+00:00","patient_id":"amy","type":"Immunization","id":"shot","by":"Practitioner/ada","digest":"3383564f53b45cf8f71b124d0dd1a8992626171c06da2c95981ce8ef7a2bb06b","state":"{\"id\":\"shot\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"immunize\",\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"occurrenceDateTime\":\"2025-10-02\",\"noteId\":\"note\",\"encounterId\":\"visit\"},\"stagedAt\":1772352071000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352071000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Immunization\",\"id\":\"shot\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"note\"}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"encounter\":{\"reference\":\"Encounter/visit\",\"type\":\"Encounter\"},\"occurrenceDateTime\":\"2025-10-02\",\"primarySource\":true}"}$json$),
  ($json${"position":71,"record":71,"version":1,"tenant":0,"committed":"2026-03-01T08:01:11+00:00","patient_id":"amy","type":"Command","id":"Immunization.shot.0","by":"Practitioner/ada","digest":"8231fa7be0bde0ea0b91bdb02c5e8c5fa30388906ab787ba7bbbaa8119e4005b","state":"{\"id\":\"Immunization.shot.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Immunization\",\"id\":\"shot\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Immunization.shot.0\",\"patientId\":\"amy\",\"command\":\"Immunization/shot/0\"}"}$json$),
  ($json${"position":72,"record":72,"version":1,"tenant":0,"committed":"2026-03-01T08:01:13+00:00","patient_id":"amy","type":"Immunization","id":"id-2026-3","by":"Practitioner/ada","digest":"ab0ae43a897105d24ad7391ea793df3e3d4a06108bb3b0e82e9f16b4915726cc","state":"{\"id\":\"id-2026-3\",\"patientId\":\"amy\",\"common\":{\"fields\":{\"\":[{\"url\":\"https://clinic.example/consent\",\"valueBoolean\":true}]}},\"commands\":[{\"body\":{\"kind\":\"immunizationStatement\",\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"occurrenceDateTime\":\"2025-10-01\",\"noteId\":\"id-2026-2\",\"encounterId\":null},\"stagedAt\":1772352073000,\"committed\":{\"at\":1772352073000,\"by\":\"Practitioner/ada\",\"order\":0}}]}","resource":"{\"resourceType\":\"Immunization\",\"id\":\"id-2026-3\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-2\"},{\"url\":\"https://clinic.example/consent\",\"valueBoolean\":true}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2025-10-01\",\"primarySource\":false}"}$json$),
  ($json${"position":73,"record":73,"version":1,"tenant":0,"committed":"2026-03-01T08:01:13+00:00","patient_id":"amy","type":"Note","id":"id-2026-2","by":null,"digest":"aa993de1c2895230d08c0723be51b766db7d876ad08df744f9a1cc8fdde06014","state":"{\"id\":\"id-2026-2\",\"patientId\":\"amy\",\"encounterId\":null,\"title\":\"Data Import\",\"dateOfService\":\"2026-03-01T08:01:13.000+00:00\",\"immunizationIds\":[\"id-2026-3\"]}","resource":null}$json$),
  ($json${"position":74,"record":74,"version":1,"tenant":0,"committed":"2026-03-01T08:01:13+00:00","patient_id":"amy","type":"IdempotencyKey","id":"bf37e1a1b3cb00dfaa22a508f6d303e764be910f4b87e67d9d45d09ac7054ed8","by":"Practitioner/ada","digest":"bb3825a715865229103baf64a1656a1051308157d43ac72138a98af667c530d5","state":"{\"id\":\"bf37e1a1b3cb00dfaa22a508f6d303e764be910f4b87e67d9d45d09ac7054ed8\",\"patientId\":\"amy\",\"request\":\"bb7f90ec8f0b01cd6badeaf440037140254f3f706228ca34052d55c97bb48b54\",\"made\":{\"type\":\"Immunization\",\"id\":\"id-2026-3\",\"version\":1}}","resource":null}$json$),
  ($json${"position":75,"record":75,"version":1,"tenant":0,"committed":"2026-03-01T08:01:15+00:00","patient_id":"amy","type":"Immunization","id":"id-2026-5","by":"Practitioner/ada","digest":"51c35827045482288a62019981b1178d70a1022a287cc592efdd5a2892b0ce10","state":"{\"id\":\"id-2026-5\",\"patientId\":\"amy\",\"common\":{\"identifier\":[{\"system\":\"https://other.example\",\"value\":\"7\"}]},\"commands\":[{\"body\":{\"kind\":\"immunizationStatement\",\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"occurrenceDateTime\":\"2025-10-01\",\"noteId\":\"id-2026-4\",\"encounterId\":null},\"stagedAt\":1772352075000,\"committed\":{\"at\":1772352075000,\"by\":\"Practitioner/ada\",\"order\":0}}]}","resource":"{\"resourceType\":\"Immunization\",\"id\":\"id-2026-5\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"identifier\":[{\"system\":\"https://other.example\",\"value\":\"7\"}],\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-4\"}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2025-10-01\",\"primarySource\":false}"}$json$),
  ($json${"position":76,"record":76,"version":1,"tenant":0,"committed":"2026-03-01T08:01:15+00:00","patient_id":"amy","type":"Note","id":"id-2026-4","by":null,"digest":"0f4c4a3a5cc4b16468fc9f9d24d233676c5b9d6d4446f86607b0352aceebd7d6","state":"{\"id\":\"id-2026-4\",\"patientId\":\"amy\",\"encounterId\":null,\"title\":\"Data Import\",\"dateOfService\":\"2026-03-01T08:01:15.000+00:00\",\"immunizationIds\":[\"id-2026-5\"]}","resource":null}$json$),
  ($json${"position":77,"record":75,"version":2,"tenant":0,"committed":"2026-03-01T08:01:17+00:00","patient_id":"amy","type":"Immunization","id":"id-2026-5","by":"Practitioner/ada","digest":"acb2bff2a97f95ff31004636d859bf6501260e3150074518207fde911cd9266d","state":"{\"id\":\"id-2026-5\",\"patientId\":\"amy\",\"common\":{\"identifier\":[{\"system\":\"https://other.example\",\"value\":\"7\"}]},\"commands\":[{\"body\":{\"kind\":\"immunizationStatement\",\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"occurrenceDateTime\":\"2025-10-01\",\"noteId\":\"id-2026-4\",\"encounterId\":null},\"stagedAt\":1772352075000,\"committed\":{\"at\":1772352075000,\"by\":\"Practitioner/ada\",\"order\":0},\"enteredInError\":{\"at\":1772352077000,\"by\":\"Practitioner/ada\",\"version\":2}}]}","resource":"{\"resourceType\":\"Immunization\",\"id\":\"id-2026-5\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"identifier\":[{\"system\":\"https://other.example\",\"value\":\"7\"}],\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-4\"}],\"status\":\"entered-in-error\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2025-10-01\",\"primarySource\":false}"}$json$),
  ($json${"position":78,"record":78,"version":1,"tenant":0,"committed":"2026-03-01T08:01:19+00:00","patient_id":"amy","type":"Immunization","id":"imported","by":null,"digest":"59bd90d897891b24985626eb7375657a58e5116d400e45d0e1c133e8c44cff3e","state":"{\"id\":\"imported\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"immunizationStatement\",\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"occurrenceDateTime\":\"2020\",\"noteId\":\"id-2026-6\",\"encounterId\":null},\"stagedAt\":1772352079000,\"committed\":{\"at\":1772352079000,\"by\":null,\"order\":0}}],\"imported\":{}}","resource":"{\"resourceType\":\"Immunization\",\"id\":\"imported\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization\"]},\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/note-id\",\"valueId\":\"id-2026-6\"}],\"status\":\"completed\",\"vaccineCode\":{\"coding\":[{\"system\":\"http://hl7.org/fhir/sid/cvx\",\"code\":\"140\",\"display\":\"Influenza, seasonal\"}]},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"occurrenceDateTime\":\"2020\",\"primarySource\":false}"}$json$),
  ($json${"position":79,"record":79,"version":1,"tenant":0,"committed":"2026-03-01T08:01:19+00:00","patient_id":"amy","type":"Note","id":"id-2026-6","by":null,"digest":"fafcecad4afcf8e3b5399a51d7e5bfeee119b106277c95948ddf23c046072b3a","state":"{\"id\":\"id-2026-6\",\"patientId\":\"amy\",\"encounterId\":null,\"title\":\"Data Import\",\"dateOfService\":\"2026-03-01T08:01:19.000+00:00\",\"immunizationIds\":[\"imported\"]}","resource":null}$json$),
  ($json${"position":8,"record":8,"version":1,"tenant":0,"committed":"2026-03-01T08:00:04+00:00","patient_id":"eve","type":"CareTeam","id":"eve","by":null,"digest":"9ce17d1335a5da0968772259ea87b2aaff011713f6f07ee15a8a07039c0c0bde","state":"{\"erased\":\"442732077b6452455b9d7b60767b1fd4534929f6d5a7542bc1cdd78c99cf7418\"}","resource":null}$json$),
  ($json${"position":80,"record":80,"version":1,"tenant":0,"committed":"2026-03-01T08:01:20+00:00","patient_id":"amy","type":"AllergyIntolerance","id":"id-2026-7","by":"Practitioner/ada","digest":"4af1e256f63d54471139ed92b951d2e8ad93cd8999f2a4076dd41c526939ca9b","state":"{\"id\":\"id-2026-7\",\"elements\":{\"code\":{\"text\":\"Peanuts\"},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"criticality\":\"high\"},\"profile\":\"https://clinic.example/fhir/StructureDefinition/allergy\"}","resource":"{\"resourceType\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"meta\":{\"profile\":[\"https://clinic.example/fhir/StructureDefinition/allergy\"]},\"code\":{\"text\":\"Peanuts\"},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"criticality\":\"high\"}"}$json$),
  ($json${"position":81,"record":80,"version":2,"tenant":0,"committed":"2026-03-01T08:01:22+00:00","patient_id":"amy","type":"AllergyIntolerance","id":"id-2026-7","by":"Practitioner/ada","digest":"37d8b48090d024711ea8e132ab3386da842843f6eea9e37dcecc3d126be9b28e","state":"{\"id\":\"id-2026-7\",\"elements\":{\"code\":{\"text\":\"Peanuts\"},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"criticality\":\"low\"},\"profile\":\"https://clinic.example/fhir/StructureDefinition/allergy\"}","resource":"{\"resourceType\":\"AllergyIntolerance\",\"id\":\"id-2026-7\",\"meta\":{\"profile\":[\"https://clinic.example/fhir/StructureDefinition/allergy\"]},\"code\":{\"text\":\"Peanuts\"},\"patient\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"criticality\":\"low\"}"}$json$),
  ($json${"position":82,"record":34,"version":2,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","patient_id":"amy","type":"Goal","id":"moved","by":"Practitioner/ada","digest":"038955185f7e2fd98f3ad405e938e32fbb7e62dce45ad60b910ddb7450948a0f","state":"{\"id\":\"moved\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352035000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352035000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"moved\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":83,"record":35,"version":2,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","patient_id":"amy","type":"Command","id":"Goal.moved.0","by":"Practitioner/ada","digest":"764e5696c9a65f46581263e8ba98dcfb48bd5b96273939843c7bc0930f13f90d","state":"{\"id\":\"Goal.moved.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"moved\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.moved.0\",\"patientId\":\"amy\",\"command\":\"Goal/moved/0\"}"}$json$),
  ($json${"position":84,"record":84,"version":1,"tenant":0,"committed":"2026-03-01T08:01:24+00:00","patient_id":"","type":"Correction","id":"id-2026-8","by":"Practitioner/ada","digest":"f90968fa41820dddc450343ca386be4666dd517a7b759a449aa6e248e43aa9ae","state":"{\"id\":\"id-2026-8\",\"at\":\"2026-03-01T08:01:24.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"move\",\"reason\":\"Two charts.\",\"patientId\":\"ben\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"moved\",\"version\":2}]}","resource":"{\"id\":\"id-2026-8\",\"at\":\"2026-03-01T08:01:24.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"move\",\"reason\":\"Two charts.\",\"patientId\":\"ben\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"moved\",\"version\":2}]}"}$json$),
  ($json${"position":85,"record":5,"version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","patient_id":"amy-again","type":"Patient","id":"amy-again","by":"Practitioner/ada","digest":"db374dee0c85f2ebc40746a2baa6a3584a87ebe80dc37e77b218e405a43b18ed","state":"{\"id\":\"amy-again\",\"lastName\":\"Shaw\",\"firstName\":\"A.\",\"lastModified\":1772352003000,\"replacedBy\":\"amy\"}","resource":"{\"resourceType\":\"Patient\",\"id\":\"amy-again\",\"active\":false,\"name\":[{\"family\":\"Shaw\",\"given\":[\"A.\"]}],\"link\":[{\"other\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"type\":\"replaced-by\"}]}"}$json$),
  ($json${"position":86,"record":36,"version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","patient_id":"amy","type":"Goal","id":"of-twin","by":"Practitioner/ada","digest":"8c0becd184e409448f02dc5c4babdcf4644aecc2d2ce65316ceba7e429cb55df","state":"{\"id\":\"of-twin\",\"patientId\":\"amy\",\"commands\":[{\"body\":{\"kind\":\"goal\",\"description\":\"Walk a mile\",\"notes\":[]},\"stagedAt\":1772352037000,\"stagedBy\":{\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\"},\"committed\":{\"at\":1772352037000,\"by\":\"Practitioner/ada\",\"byDisplay\":\"Ada Lovelace\",\"order\":0}}]}","resource":"{\"resourceType\":\"Goal\",\"id\":\"of-twin\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal\"]},\"lifecycleStatus\":\"active\",\"description\":{\"text\":\"Walk a mile\"},\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\"},\"expressedBy\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}"}$json$),
  ($json${"position":87,"record":37,"version":2,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","patient_id":"amy","type":"Command","id":"Goal.of-twin.0","by":"Practitioner/ada","digest":"893d591ff50414f5a0ba6441eb38a89a4045bbda710f8dab0094fa3643bd3b77","state":"{\"id\":\"Goal.of-twin.0\",\"patientId\":\"amy\",\"made\":{\"type\":\"Goal\",\"id\":\"of-twin\"},\"index\":0,\"status\":\"committed\",\"author\":\"Practitioner/ada\"}","resource":"{\"resourceType\":\"Command\",\"id\":\"Goal.of-twin.0\",\"patientId\":\"amy\",\"command\":\"Goal/of-twin/0\"}"}$json$),
  ($json${"position":88,"record":6,"version":3,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","patient_id":"amy-again","type":"CareTeam","id":"amy-again","by":"Practitioner/ada","digest":"901cc8c52cda356329d7217311cffa5f6345e96340bf7a5e93e69850b1d92434","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy-again\",\"lastName\":\"Shaw\",\"firstName\":\"A.\",\"lastModified\":1772352003000,\"replacedBy\":\"amy\"},\"participants\":[],\"changedAt\":1772352017000,\"otherStatuses\":[]}","resource":null}$json$),
  ($json${"position":89,"record":89,"version":1,"tenant":0,"committed":"2026-03-01T08:01:26+00:00","patient_id":"","type":"Correction","id":"id-2026-9","by":"Practitioner/ada","digest":"8d3c0e5a6753ac44709177f37c4383c27e50238aade75d05187dafe375227805","state":"{\"id\":\"id-2026-9\",\"at\":\"2026-03-01T08:01:26.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"merge\",\"reason\":\"Registered twice.\",\"patientId\":\"amy-again\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-twin.0\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"amy-again\",\"version\":3}]}","resource":"{\"id\":\"id-2026-9\",\"at\":\"2026-03-01T08:01:26.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"merge\",\"reason\":\"Registered twice.\",\"patientId\":\"amy-again\",\"toPatientId\":\"amy\",\"records\":[{\"type\":\"Goal\",\"id\":\"of-twin\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-twin.0\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"amy-again\",\"version\":3}]}"}$json$),
  ($json${"position":9,"record":9,"version":1,"tenant":0,"committed":"2026-03-01T08:00:05+00:00","patient_id":"","type":"Practitioner","id":"ada","by":null,"digest":"a7386c267eba148b7a85776e1429d8bf7649e2514d9736d70e44c526b05b4695","state":"{\"id\":\"ada\",\"lastName\":\"Byron\",\"firstName\":\"Ada\"}","resource":"{\"resourceType\":\"Practitioner\",\"id\":\"ada\",\"name\":[{\"family\":\"Byron\",\"given\":[\"Ada\"]}]}"}$json$),
  ($json${"position":90,"record":2,"version":3,"tenant":0,"committed":"2026-03-01T08:01:28+00:00","patient_id":"amy","type":"CareTeam","id":"amy","by":"Practitioner/ada","digest":"5970087d5e1ff1e24ade2b5f96903a45e93bd66096decb2b5f870256592a8b23","state":"{\"status\":\"active\",\"patient\":{\"id\":\"amy\",\"lastName\":\"Shaw\",\"firstName\":\"Amy\",\"lastModified\":1772352001000},\"participants\":[{\"member\":{\"type\":\"Practitioner\",\"id\":\"ada\",\"display\":\"Ada Lovelace\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"17561000\",\"display\":\"Cardiologist\"},\"lead\":true,\"status\":\"active\",\"changedAt\":1772352015000}],\"changedAt\":1772352088000,\"otherStatuses\":[\"inactive\"]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy\",\"meta\":{\"profile\":[\"http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam\"]},\"status\":\"active\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":true}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"17561000\",\"display\":\"Cardiologist\"}]}],\"member\":{\"reference\":\"Practitioner/ada\",\"type\":\"Practitioner\",\"display\":\"Ada Lovelace\"}}]}"}$json$),
  ($json${"position":91,"record":91,"version":1,"tenant":0,"committed":"2026-03-01T08:01:28+00:00","patient_id":"amy","type":"CareTeam","id":"amy.inactive","by":"Practitioner/ada","digest":"5134a1e9fff04f0b660300d14b0a08fa1ff8d56cc1e043f62156ca1b1653e960","state":"{\"status\":\"inactive\",\"patient\":{\"id\":\"amy\",\"lastName\":\"Shaw\",\"firstName\":\"Amy\",\"lastModified\":1772352001000},\"participants\":[{\"member\":{\"type\":\"Practitioner\",\"id\":\"bob\",\"display\":\"Bob Gray\"},\"role\":{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"},\"lead\":false,\"status\":\"inactive\",\"changedAt\":1772352088000},{\"member\":{\"type\":\"Organization\",\"id\":\"lab\",\"display\":\"Lab\"},\"role\":null,\"lead\":false,\"status\":\"inactive\",\"changedAt\":1772352088000}]}","resource":"{\"resourceType\":\"CareTeam\",\"id\":\"amy.inactive\",\"status\":\"inactive\",\"name\":\"Care Team for Shaw, Amy\",\"subject\":{\"reference\":\"Patient/amy\",\"type\":\"Patient\",\"display\":\"Shaw, Amy\"},\"participant\":[{\"extension\":[{\"url\":\"https://clinic.example/fhir/extensions/careteam-lead\",\"valueBoolean\":false}],\"role\":[{\"coding\":[{\"system\":\"http://snomed.info/sct\",\"code\":\"224535009\",\"display\":\"Registered nurse\"}]}],\"member\":{\"reference\":\"Practitioner/bob\",\"type\":\"Practitioner\",\"display\":\"Bob Gray\"}},{\"member\":{\"reference\":\"Organization/lab\",\"type\":\"Organization\",\"display\":\"Lab\"}}]}"}$json$),
  ($json${"position":92,"record":7,"version":2,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","patient_id":"eve","type":"Patient","id":"eve","by":"Practitioner/ada","digest":"aa278657f0c0697710e43a8769d40217c983be2f4bf5e9a0bef6fab4ca39ca10","state":"{\"id\":\"eve\",\"patientId\":\"eve\",\"isErased\":true}","resource":null}$json$),
  ($json${"position":93,"record":8,"version":2,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","patient_id":"eve","type":"CareTeam","id":"eve","by":"Practitioner/ada","digest":"41f02788cf94f31cad4b9ad68ac5280d9c0e3a73053cd1f5346b39d209f42498","state":"{\"id\":\"eve\",\"patientId\":\"eve\",\"isErased\":true}","resource":null}$json$),
  ($json${"position":94,"record":38,"version":2,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","patient_id":"eve","type":"Goal","id":"of-eve","by":"Practitioner/ada","digest":"f6937f333c308bce14e76b3fa095abf5dd7327fa177319e25cde96d46084c20d","state":"{\"id\":\"of-eve\",\"patientId\":\"eve\",\"isErased\":true}","resource":null}$json$),
  ($json${"position":95,"record":39,"version":2,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","patient_id":"eve","type":"Command","id":"Goal.of-eve.0","by":"Practitioner/ada","digest":"2f1c0f99d103dfba1dcd2053b0d010168bd87605b18174d8cee6b0914afde7e5","state":"{\"id\":\"Goal.of-eve.0\",\"patientId\":\"eve\",\"isErased\":true}","resource":null}$json$),
  ($json${"position":96,"record":96,"version":1,"tenant":0,"committed":"2026-03-01T08:01:30+00:00","patient_id":"","type":"Correction","id":"id-2026-10","by":"Practitioner/ada","digest":"961ee569c5cf8248a92cfbbce8a5907f298e81c1a034c0e3a63ea05e51b36862","state":"{\"id\":\"id-2026-10\",\"at\":\"2026-03-01T08:01:30.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"erasure\",\"reason\":\"Eve asked for it.\",\"patientId\":\"eve\",\"toPatientId\":null,\"records\":[{\"type\":\"Patient\",\"id\":\"eve\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"eve\",\"version\":2},{\"type\":\"Goal\",\"id\":\"of-eve\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-eve.0\",\"version\":2}]}","resource":"{\"id\":\"id-2026-10\",\"at\":\"2026-03-01T08:01:30.000+00:00\",\"by\":\"Practitioner/ada\",\"kind\":\"erasure\",\"reason\":\"Eve asked for it.\",\"patientId\":\"eve\",\"toPatientId\":null,\"records\":[{\"type\":\"Patient\",\"id\":\"eve\",\"version\":2},{\"type\":\"CareTeam\",\"id\":\"eve\",\"version\":2},{\"type\":\"Goal\",\"id\":\"of-eve\",\"version\":2},{\"type\":\"Command\",\"id\":\"Goal.of-eve.0\",\"version\":2}]}"}$json$)
  ) as rows (row);
set session_replication_role = origin;
