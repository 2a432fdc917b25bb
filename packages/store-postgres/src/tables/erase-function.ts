import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { Layout } from './migrations.ts';

/** The name of the function with its types, as one is granted. */
export const eraseFunction = ({ schema }: QueryBuilder): RawBuilder<unknown> =>
  sql`${sql.id(schema, 'erase')}(integer, text[], text[], integer[], text[])`;

/**
 * The function that erases versions of a tenant, and the terms that no record has any more. It is the only way for a user who does not own
 * the tables to change a version, and leaves nothing of it but the hash of its content. So such a user cannot rewrite history.
 *
 * Its statements are bound to the tables, so that the schema can be renamed. Of distributed tables, Citus plans them each time, and
 * only as the user of the transaction.
 */
export const createEraseFunction = (
  builder: QueryBuilder,
  { isDistributed }: Layout,
): readonly RawBuilder<unknown>[] => {
  const { db, schema, table } = builder;
  const statements = sql`
      with prior as materialized (
        select records.position as record, given.version, given.state
        from unnest(types, ids, numbers, states) as given (type, id, version, state)
        join ${table('records')} as records
          on records.tenant = clinic and records.id = given.id and records.type = given.type
        where given.state ~ '^\\{"erased":"[0-9a-f]{64}"\\}$'
      ), first as (
        -- The first version of a record is found by its position.
        update ${table('versions')} as versions set state = prior.state, resource = null
        from prior
        where prior.version = 1 and versions.tenant = clinic and versions.position = prior.record
      )
      update ${table('versions')} as versions set state = prior.state, resource = null
      from prior
      where prior.version > 1 and versions.version > 1
        and versions.tenant = clinic and versions.record = prior.record and versions.version = prior.version;
      delete from ${table('terms')} as terms
      where terms.tenant = clinic
        and not exists (
          select from ${table('entries')} as entries where entries.tenant = clinic and entries.term = terms.term
        )
        and not exists (
          select from ${table('dates')} as dates where dates.tenant = clinic and dates.term = terms.term
        );`;
  const body = isDistributed
    ? sql`language plpgsql set search_path = pg_catalog, pg_temp as ${sql.lit(`begin ${statements.compile(db).sql} end`)}`
    : sql`language sql security definer set search_path = pg_catalog, pg_temp begin atomic ${statements} end`;
  return [
    sql`create function ${sql.id(schema, 'erase')}(
      clinic integer, types text[], ids text[], numbers integer[], states text[]
    ) returns void ${body}`,
    sql`revoke all on function ${eraseFunction(builder)} from public`,
  ];
};
