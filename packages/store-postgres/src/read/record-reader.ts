import type {
  HistoryRange,
  IndexedParameters,
  RecordRef,
  StoredRecord,
  StoredResource,
  StoredVersion,
  VersionRef,
} from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import type { Tables } from '../schema.ts';
import { type Call, createStatement, type QueryBuilder, type Rows } from '../statement.ts';
import { encodeText } from '../text.ts';
import { createGroupedSelect, type Parts } from './grouped-select.ts';

export type VersionRow = Omit<Tables['versions'], 'record' | 'digest' | 'patient_id' | 'committed'> & {
  readonly patient_id: string | null;
  readonly at: number;
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
 * The most bytes that a page of texts with so many characters can have. The database cuts pages with it, so that few texts
 * are read and dropped; where a page ends exactly is found afterwards.
 */
export const maxOctets = (characters = Number.MAX_SAFE_INTEGER): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(characters) * maxBytesPerUnit);

/** Reads records by their names. */
type RecordReader = {
  readonly read: (ref: RecordRef) => Promise<StoredRecord | null>;
  readonly readResource: (ref: RecordRef) => Promise<StoredResource | null>;
  readonly readVersion: (ref: VersionRef) => Promise<StoredRecord | null>;
  readonly history: (range: HistoryRange) => Promise<readonly StoredVersion[]>;
  readonly indexedParameters: () => Promise<IndexedParameters>;
};

type ResourceRow = Pick<Tables['searchable'], 'version' | 'resource'> & Pick<VersionRow, 'patient_id' | 'at'>;

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
  const statement = createStatement<HistoryRange, HistoryRow>(builder, 'history', (placeholder) => {
    const type = placeholder('text', (range) => encodeText(range.type));
    const id = placeholder('text', (range) => encodeText(range.id));
    const before = placeholder<number>('bigint', (range) => range.before ?? maxVersion);
    const limit = placeholder<number>('bigint', (range) => range.limit);
    const columns = sql`
      select ${patientOf('versions')}, versions.version, versions.at, versions.by,
        octet_length(versions.resource) as bytes
      from part join`;
    const { rows } = placeholder;
    return sql`
      with named as materialized (
        select position, least(version, ${before} - 1) as last
        from ${rows('records')} as records where id = ${id} and type = ${type}
      ), part as materialized (
        select *, last - ${limit} as after from named
      )
      ${columns} ${rows('versions')} as versions on versions.position = part.position
      where part.after < 1 and part.last >= 1
      union all
      ${columns} ${rows('versions')} as versions
        on versions.record = part.position and versions.version > 1
          and versions.version > part.after and versions.version <= part.last
      order by version desc`;
  });
  return async (range) =>
    (await reader(statement, range)).map(({ patient_id, ...version }) => ({
      patientId: patient_id,
      ...version,
    }));
};

const createIndexedParameters = (
  builder: QueryBuilder,
  reader: Reader,
): RecordReader['indexedParameters'] => {
  const statement = createStatement<null, { readonly texts: string }>(
    builder,
    'search',
    ({ rows }) => sql`select texts::text as texts from ${rows('indexed_parameters')} as indexed`,
  );
  return async () => {
    const [row] = await reader(statement, null);
    return JSON.parse(row?.texts ?? '{}');
  };
};

export const createRecordReader = (builder: QueryBuilder, reader: Reader): RecordReader => {
  const name: Parts<RecordRef> = {
    type: ['text', ({ type }) => encodeText(type)],
    id: ['text', ({ id }) => encodeText(id)],
  };
  const createRead = <Ref extends RecordRef, Row, A>(
    call: Call,
    parts: Parts<Ref>,
    columns: RawBuilder<unknown>,
    joinTables: (rows: Rows) => RawBuilder<unknown>,
    toResult: (row: Row) => A,
  ) =>
    createGroupedSelect<Ref, Row, A | null>(builder, reader, {
      call,
      parts,
      select: (asked, rows) =>
        sql`select asked.n::integer as n, ${columns} from ${asked} ${joinTables(rows)}`,
      toResult: ([row]) => (row === undefined ? null : toResult(row)),
      maxGroup: 256,
    });
  const joinRecords = (rows: Rows) => sql`
    join ${rows('records')} as records on records.id = asked.id and records.type = asked.type`;

  const read = createRead<RecordRef, Omit<VersionRow, 'position'>, StoredRecord>(
    'read',
    name,
    versionColumns('versions'),
    (rows) => sql`
      ${joinRecords(rows)} join ${rows('versions')} as versions on versions.position = records.current`,
    toStoredRecord,
  );
  const readResource = createRead<RecordRef, ResourceRow, StoredResource>(
    'readResource',
    name,
    sql`${patientOf('searchable')}, searchable.version, searchable.at, searchable.resource`,
    (rows) => sql`
      join ${rows('searchable')} as searchable on searchable.id = asked.id and searchable.type = asked.type`,
    toStoredResource,
  );
  const readVersion = createRead<VersionRef, Omit<VersionRow, 'position'>, StoredRecord>(
    'readVersion',
    { ...name, version: ['bigint', ({ version }) => version] },
    versionColumns('versions'),
    // The first version is found by its position.
    (rows) => sql`
      ${joinRecords(rows)} cross join lateral (
        select * from ${rows('versions')} as versions
        where asked.version = 1 and versions.position = records.position
        union all
        select * from ${rows('versions')} as versions
        where versions.record = records.position and versions.version > 1 and versions.version = asked.version
      ) as versions`,
    toStoredRecord,
  );
  return {
    read,
    readResource,
    readVersion,
    history: createHistory(builder, reader),
    indexedParameters: createIndexedParameters(builder, reader),
  };
};
