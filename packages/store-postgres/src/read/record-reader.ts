import type { RecordRef, StoredRecord, StoredResource } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import type { Tables } from '../schema.ts';
import { createStatement, type QueryBuilder } from '../statement.ts';
import { encodeText } from '../text.ts';
import { createGroupedSelect } from './grouped-select.ts';

/** A version, as a row that is read. */
export type VersionRow = Omit<Tables['versions'], 'record' | 'digest' | 'patient_id'> & {
  readonly patient_id: string | null;
};

/** The patient of a row of a table, or null. */
export const patientOf = (table: string): RawBuilder<unknown> =>
  sql`nullif(${sql.ref(`${table}.patient_id`)}, '') as patient_id`;

/** The columns of a version, but its position. */
export const versionColumns = (table: string): RawBuilder<unknown> =>
  sql.join([
    patientOf(table),
    ...['type', 'id', 'version', 'at', 'by', 'state', 'resource'].map((column) =>
      sql.ref(`${table}.${column}`),
    ),
  ]);

export const toStoredRecord = (row: Omit<VersionRow, 'position'>): StoredRecord => ({
  type: row.type,
  id: row.id,
  patientId: row.patient_id,
  version: row.version,
  at: row.at,
  by: row.by,
  state: row.state,
  resource: row.resource,
});

/** The bytes of all rows that come this many rows before a row, or earlier, in an order; null if there are none. */
export const bytesBefore = (
  bytes: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  rows = 1,
): RawBuilder<number> =>
  sql`sum(${bytes}) over (order by ${order} rows between unbounded preceding and ${sql.lit(rows)} preceding)`;

/** The most bytes that UTF-8 needs for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/**
 * As many bytes as a page of texts can have that ends with so many characters. Pages are cut by it in the database, so
 * that they are not read in vain, and exactly afterwards.
 */
export const maxOctets = (characters = Number.MAX_SAFE_INTEGER): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(characters) * maxBytesPerUnit);

/** Reads records by their names. */
type RecordReader = {
  readonly read: (ref: RecordRef) => Promise<StoredRecord | null>;
  readonly readResource: (ref: RecordRef) => Promise<StoredResource | null>;
  /** Reads every version of a record, newest first. */
  readonly history: (ref: RecordRef) => Promise<readonly StoredRecord[]>;
};

type ResourceRow = Pick<Tables['searchable'], 'version' | 'at' | 'resource'> & Pick<VersionRow, 'patient_id'>;

const toStoredResource = ({ patient_id, version, at, resource }: ResourceRow): StoredResource => ({
  patientId: patient_id,
  version,
  at,
  resource,
});

/** Reads every version of a record, newest first. */
const createHistory = (
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

/**
 * Creates the reads. `findByName` says whether resources are found by their names at once. Otherwise their charts are
 * looked up first, so that only the partitions of these are read.
 */
export const createRecordReader = (
  builder: QueryBuilder,
  reader: Reader,
  { findByName }: { readonly findByName: () => boolean },
): RecordReader => {
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
  return { read, readResource, history: createHistory(builder, reader) };
};
