import type { RecordRef, StoredRecord } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
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
    const versionsOf = (named: RawBuilder<unknown>, isPartition: RawBuilder<unknown>) => sql`
      select versions.* from ${named} as named
      join ${table('versions')} as versions on versions.position = named.position and ${isPartition}
      union all
      select versions.* from ${named} as named
      join ${table('versions')} as versions
        on versions.record = named.position and versions.version > 1 and ${isPartition}`;
    // Only a record that was in the chart of another patient has versions in other partitions.
    const moved = sql`(select * from named where version > (select count(*) from in_chart))`;
    return sql`
      with named as materialized (
        select position, patient_id, version from ${table('records')} where id = ${id} and type = ${type}
      ), in_chart as materialized (
        ${versionsOf(sql`named`, sql`versions.patient_id = named.patient_id`)}
      ), elsewhere as (
        ${versionsOf(moved, sql`versions.patient_id <> named.patient_id`)}
      )
      select ${versionColumns('versions')} from (
        select * from in_chart union all select * from elsewhere
      ) as versions
      order by version desc`;
  });
  return async (ref) => (await reader(statement, ref)).map(toStoredRecord);
};
