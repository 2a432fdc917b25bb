import type { RecordRef } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';

/** The version of a record that exists. */
export type VersionRow = RecordRef & { readonly version: number };

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
): Statement<readonly RecordRef[], VersionRow> => {
  const { table } = builder;
  return createStatement<readonly RecordRef[], VersionRow>(builder, (placeholder) => {
    const named = sql`unnest(
      ${placeholder('text[]', (refs) => refs.map(({ type }) => encodeText(type)))},
      ${placeholder('text[]', (refs) => refs.map(({ id }) => encodeText(id)))}
    ) as named (type, id)`;
    return sql`
      select records.type, records.id, records.version
      from ${named} join ${table('records')} as records on records.id = named.id and records.type = named.type
      order by records.id, records.type
      ${sql.raw(lock ?? '')}`;
  });
};
