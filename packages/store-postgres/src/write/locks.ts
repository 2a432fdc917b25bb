import type { RecordRef } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { FeedHead } from '../schema.ts';
import { createStatement, type QueryBuilder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';

export type LockedVersion = RecordRef & { readonly version: number };

/** How the records are locked until the end of the transaction, if at all. */
type Lock =
  | 'for no key update of records'
  | 'for no key update of records nowait'
  | 'for share of records'
  | null;

/** Reads the versions of records. It locks those that exist in the order of their names. */
export const createVersionsStatement = (
  builder: QueryBuilder,
  lock: Lock,
): Statement<readonly RecordRef[], LockedVersion> => {
  const { table } = builder;
  return createStatement<readonly RecordRef[], LockedVersion>(builder, 'commit', (placeholder) => {
    const named = sql`unnest(
      ${placeholder('text[]', (refs) => refs.map(({ type }) => encodeText(type)))},
      ${placeholder('text[]', (refs) => refs.map(({ id }) => encodeText(id)))}
    ) as named (type, id)`;
    return sql`
      select records.type, records.id, records.version
      from ${named} join ${table('records')} as records
        on records.tenant = ${placeholder.tenant()} and records.id = named.id and records.type = named.type
      order by records.id, records.type
      ${sql.raw(lock ?? '')}`;
  });
};

/**
 * Guards the names of records that may not exist: until the end of the transaction, nobody else can create them. It waits
 * for transactions that create one of them, or guard it.
 *
 * A guard is a row that is removed at once, so that nobody ever sees it. Others that insert the same key wait anyway,
 * because the transaction that inserted and removed it may still be undone.
 */
export const createNameGuard = (
  builder: QueryBuilder,
): ((refs: readonly RecordRef[]) => readonly PostgresQuery[]) => {
  const { table } = builder;
  type Names = { readonly types: readonly string[]; readonly ids: readonly string[] };
  const insert = createStatement<Names>(
    builder,
    'commit',
    (placeholder) => sql`
      insert into ${table('records')} (tenant, type, id, patient_id, position, current, version)
      select ${placeholder.tenant()}, type, id, '', 0, 0, 0
      from unnest(${placeholder('text[]', ({ types }) => types)}, ${placeholder('text[]', ({ ids }) => ids)})
        as named (type, id)
      order by id collate "C", type collate "C"
      on conflict do nothing`,
  );
  const remove = createStatement<Names>(
    builder,
    'commit',
    (placeholder) => sql`
      delete from ${table('records')} as records
      using unnest(${placeholder('text[]', ({ types }) => types)}, ${placeholder('text[]', ({ ids }) => ids)})
        as named (type, id)
      where records.tenant = ${placeholder.tenant()} and records.id = named.id and records.type = named.type
        and records.version = 0`,
  );
  return (refs) => {
    const names = {
      types: refs.map(({ type }) => encodeText(type)),
      ids: refs.map(({ id }) => encodeText(id)),
    };
    return [insert.bind(names), remove.bind(names)];
  };
};

/** The end of the feed, and whether the feed has what the store has last written. */
export type LockedHead = FeedHead & { readonly has_last: boolean; readonly read_only: boolean };

/**
 * Locks the end of the feed until the end of the transaction, so that nobody else assigns positions, and reads
 * it. Its argument is where the store has last left it; null if it does not know.
 */
export const createHeadLock = (builder: QueryBuilder): Statement<FeedHead | null, LockedHead> => {
  const { table } = builder;
  return createStatement<FeedHead | null, LockedHead>(
    builder,
    'commit',
    (placeholder) => sql`
      select position, digest, fence, read_only, exists (
        select from ${placeholder.rows('versions')} as versions
        where versions.position = ${placeholder('bigint', (last) => last?.position ?? 0)}
          and versions.digest = ${placeholder('text', (last) => last?.digest ?? '')}
      ) as has_last
      from ${table('head')} as head where head.tenant = ${placeholder.tenant()} for update of head`,
  );
};
