import type {
  HistoryRange,
  RecordRef,
  StoredRecord,
  StoredResource,
  StoredVersion,
  VersionRef,
} from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import type { Tables } from '../schema.ts';
import { createStatement, type QueryBuilder } from '../statement.ts';
import { encodeText } from '../text.ts';
import { createGroupedSelect, type Parts } from './grouped-select.ts';

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
  readonly readVersion: (ref: VersionRef) => Promise<StoredRecord | null>;
  readonly history: (range: HistoryRange) => Promise<readonly StoredVersion[]>;
};

type ResourceRow = Pick<Tables['searchable'], 'version' | 'at' | 'resource'> & Pick<VersionRow, 'patient_id'>;

const toStoredResource = ({ patient_id, version, at, resource }: ResourceRow): StoredResource => ({
  patientId: patient_id,
  version,
  at,
  resource,
});

/** The largest number of a version. */
const maxVersion = 2 ** 31 - 1;

type HistoryRow = Pick<VersionRow, 'patient_id' | 'version' | 'at' | 'by'> & Pick<StoredVersion, 'bytes'>;

/** Reads a part of a history. Versions have no gaps, so that the part is known before they are read. */
const createHistory = (
  builder: QueryBuilder,
  reader: Reader,
): ((range: HistoryRange) => Promise<readonly StoredVersion[]>) => {
  const { table } = builder;
  const statement = createStatement<HistoryRange, HistoryRow>(builder, (placeholder) => {
    const type = placeholder('text', (range) => encodeText(range.type));
    const id = placeholder('text', (range) => encodeText(range.id));
    const before = placeholder<number>('bigint', (range) => range.before ?? maxVersion);
    const limit = placeholder<number>('bigint', (range) => range.limit);
    const columns = sql`
      select ${patientOf('versions')}, versions.version, versions.at, versions.by,
        octet_length(versions.resource) as bytes`;
    const versionsOf = (part: RawBuilder<unknown>, isPartition: RawBuilder<unknown>) => sql`
      ${columns} from ${part} as part
      join ${table('versions')} as versions on versions.position = part.position and ${isPartition}
      where part.after < 1 and part.last >= 1
      union all
      ${columns} from ${part} as part
      join ${table('versions')} as versions
        on versions.record = part.position and versions.version > 1
          and versions.version > part.after and versions.version <= part.last and ${isPartition}`;
    // Only a record that was in the chart of another patient has versions in other partitions.
    const moved = sql`(select * from part where last - greatest(after, 0) > (select count(*) from in_chart))`;
    return sql`
      with named as materialized (
        select position, patient_id, least(version, ${before} - 1) as last
        from ${table('records')} where id = ${id} and type = ${type}
      ), part as materialized (
        select *, last - ${limit} as after from named
      ), in_chart as materialized (
        ${versionsOf(sql`part`, sql`versions.patient_id = part.patient_id`)}
      ), elsewhere as (
        ${versionsOf(moved, sql`versions.patient_id <> part.patient_id`)}
      )
      select * from in_chart union all select * from elsewhere
      order by version desc`;
  });
  return async (range) =>
    (await reader(statement, range)).map(({ patient_id, version, at, by, bytes }) => ({
      ...{ patientId: patient_id, version, at, by, bytes },
    }));
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
  const name: Parts<RecordRef> = {
    type: ['text', ({ type }) => encodeText(type)],
    id: ['text', ({ id }) => encodeText(id)],
  };
  const createRead = <Ref extends RecordRef, Row, A>(
    parts: Parts<Ref>,
    columns: RawBuilder<unknown>,
    joinTables: () => RawBuilder<unknown>,
    toResult: (row: Row) => A,
  ) =>
    createGroupedSelect<Ref, Row, A | null>(builder, reader, {
      parts,
      select: (asked) => sql`select asked.n::integer as n, ${columns} from ${asked} ${joinTables()}`,
      toResult: ([row]) => (row === undefined ? null : toResult(row)),
      maxGroup: 256,
    });
  const joinRecords = sql`
    join ${table('records')} as records on records.id = asked.id and records.type = asked.type`;

  const read = createRead<RecordRef, Omit<VersionRow, 'position'>, StoredRecord>(
    name,
    versionColumns('versions'),
    () => sql`
      ${joinRecords} join ${table('versions')} as versions
        on versions.position = records.current and versions.patient_id = records.patient_id`,
    toStoredRecord,
  );
  const readResource = createRead<RecordRef, ResourceRow, StoredResource>(
    name,
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
  /** The version that is asked for, in the partitions of some charts. The first version is found by its position. */
  const askedVersion = (isPartition: RawBuilder<unknown>) => sql`
    select versions.* from ${table('versions')} as versions
    where asked.version = 1 and versions.position = records.position and ${isPartition}
    union all
    select versions.* from ${table('versions')} as versions
    where versions.record = records.position and versions.version > 1 and versions.version = asked.version
      and ${isPartition}`;
  const readVersion = createRead<VersionRef, Omit<VersionRow, 'position'>, StoredRecord>(
    { ...name, version: ['bigint', ({ version }) => version] },
    versionColumns('versions'),
    // Without a limit, the partitions of other charts would be read, too.
    () => sql`
      ${joinRecords} cross join lateral (
        ${askedVersion(sql`versions.patient_id = records.patient_id`)}
        union all
        ${askedVersion(sql`versions.patient_id <> records.patient_id`)}
        limit 1
      ) as versions`,
    toStoredRecord,
  );
  return { read, readResource, readVersion, history: createHistory(builder, reader) };
};
