import type { RecordRef } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement } from '../statement.ts';
import { encodeText } from '../text.ts';

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
    (placeholder) => sql`
      insert into ${table('records')} (type, id, patient_id, position, current, version)
      select type, id, '', 0, 0, 0
      from unnest(${placeholder('text[]', ({ types }) => types)}, ${placeholder('text[]', ({ ids }) => ids)})
        as named (type, id)
      order by id collate "C", type collate "C"
      on conflict do nothing`,
  );
  const remove = createStatement<Names>(
    builder,
    (placeholder) => sql`
      delete from ${table('records')} as records
      using unnest(${placeholder('text[]', ({ types }) => types)}, ${placeholder('text[]', ({ ids }) => ids)})
        as named (type, id)
      where records.id = named.id and records.type = named.type and records.version = 0`,
  );
  return (refs) => {
    const names = {
      types: refs.map(({ type }) => encodeText(type)),
      ids: refs.map(({ id }) => encodeText(id)),
    };
    return [insert.bind(names), remove.bind(names)];
  };
};
