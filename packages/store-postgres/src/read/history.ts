import type { RecordRef, StoredRecord } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import { createStatement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { toStoredRecord, type VersionRow, versionColumns } from './version-row.ts';

/** Reads every version of a record, newest first. */
export const createHistory = (
  builder: QueryBuilder,
  reader: Reader,
): ((ref: RecordRef) => Promise<readonly StoredRecord[]>) => {
  const { table } = builder;
  const statement = createStatement<RecordRef, Omit<VersionRow, 'position'>>(builder, (placeholder) => {
    const type = placeholder('text', (ref) => encodeText(ref.type));
    const id = placeholder('text', (ref) => encodeText(ref.id));
    return sql`
      with named as materialized (
        select position from ${table('records')} where id = ${id} and type = ${type}
      )
      select ${versionColumns('versions')} from named
      join ${table('versions')} as versions on versions.position = named.position
      union all
      select ${versionColumns('versions')} from named
      join ${table('versions')} as versions on versions.record = named.position and versions.version > 1
      order by version desc`;
  });
  return async (ref) => (await reader(statement, ref)).map(toStoredRecord);
};
