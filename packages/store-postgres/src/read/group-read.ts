import type { RecordRef, StoredRecord, StoredResource } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import type { Tables } from '../schema.ts';
import { encodeText } from '../text.ts';
import { createGroupedSelect } from './grouped-select.ts';
import { patientOf, toStoredRecord, type VersionRow, versionColumns } from './version-row.ts';

/** Reads current versions by their names. */
export type GroupRead = {
  readonly read: (ref: RecordRef) => Promise<StoredRecord | null>;
  readonly readResource: (ref: RecordRef) => Promise<StoredResource | null>;
};

type ResourceRow = Pick<Tables['searchable'], 'version' | 'at' | 'resource'> & Pick<VersionRow, 'patient_id'>;

const toStoredResource = ({ patient_id, version, at, resource }: ResourceRow): StoredResource => ({
  patientId: patient_id,
  version,
  at,
  resource,
});

/**
 * Creates the reads. `findByName` says whether resources are found by their names at once. Otherwise their charts are
 * looked up first, so that only the partitions of these are read.
 */
export const createGroupRead = (
  builder: QueryBuilder,
  reader: Reader,
  { findByName }: { readonly findByName: () => boolean },
): GroupRead => {
  const { table } = builder;
  const createRead = <Row, A>(
    columns: RawBuilder<unknown>,
    joinTables: () => RawBuilder<unknown>,
    toResult: (row: Row) => A,
  ) =>
    createGroupedSelect<RecordRef, Row, A | null>(builder, reader, {
      parts: {
        type: ['text', ({ type }) => encodeText(type)],
        id: ['text', ({ id }) => encodeText(id)],
      },
      select: (asked) => sql`select asked.n::integer as n, ${columns} from ${asked} ${joinTables()}`,
      toResult: ([row]) => (row === undefined ? null : toResult(row)),
      maxGroup: 256,
    });
  const joinRecords = sql`
    join ${table('records')} as records on records.id = asked.id and records.type = asked.type`;

  const read = createRead<Omit<VersionRow, 'position'>, StoredRecord>(
    versionColumns('versions'),
    () => sql`
      ${joinRecords} join ${table('versions')} as versions
        on versions.position = records.current and versions.patient_id = records.patient_id`,
    toStoredRecord,
  );
  const readResource = createRead<ResourceRow, StoredResource>(
    sql`${patientOf('searchable')}, searchable.version, searchable.at, searchable.resource`,
    () =>
      findByName()
        ? sql`
          join ${table('searchable')} as searchable
            on searchable.id = asked.id and searchable.type = asked.type`
        : sql`
          ${joinRecords} join ${table('searchable')} as searchable
            on searchable.patient_id = records.patient_id and searchable.type = records.type
              and searchable.record = records.position`,
    toStoredResource,
  );
  return { read, readResource };
};
