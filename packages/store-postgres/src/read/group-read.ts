import type { RecordRef, StoredRecord, StoredResource } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import type { Tables } from '../schema.ts';
import { createStatement, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import { patientOf, toStoredRecord, type VersionRow, versionColumns } from './version-row.ts';

/** Reads current versions by their names. */
export type GroupRead = {
  readonly read: (ref: RecordRef) => Promise<StoredRecord | null>;
  readonly readResource: (ref: RecordRef) => Promise<StoredResource | null>;
};

/** A row, and the number of the ref that it belongs to, from 1. */
type Numbered<Row> = Row & { readonly n: number };

/** The most refs of a query. */
const maxGroup = 256;

type PendingRead<A> = {
  readonly ref: RecordRef;
  readonly resolve: (result: A | null) => void;
  readonly reject: (cause: unknown) => void;
};

/**
 * Reads by one query what is requested in one turn of the event loop, or while the query before runs. A query costs more
 * than a record in it.
 */
const createGroup = <Row, A>(
  reader: Reader,
  statement: Statement<readonly RecordRef[], Numbered<Row>>,
  toResult: (row: Row) => A,
): ((ref: RecordRef) => Promise<A | null>) => {
  const waiting: PendingRead<A>[] = [];
  let isReading = false;

  const readGroup = async (group: readonly PendingRead<A>[]): Promise<void> => {
    try {
      const rows = await reader(
        statement,
        group.map(({ ref }) => ref),
      );
      for (const row of rows) group[row.n - 1]?.resolve(toResult(row));
      for (const { resolve } of group) resolve(null);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  };

  const readAll = async (): Promise<void> => {
    // All reads of a turn wait before the first is sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await readGroup(waiting.splice(0, maxGroup));
    isReading = false;
  };

  return (ref) =>
    new Promise((resolve, reject) => {
      waiting.push({ ref, resolve, reject });
      if (isReading) return;
      isReading = true;
      void readAll();
    });
};

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
  /** Every row that some refs have among joined tables. */
  const statementFor = <Row>(columns: RawBuilder<unknown>, joinTables: () => RawBuilder<unknown>) =>
    createStatement<readonly RecordRef[], Numbered<Row>>(builder, (placeholder) => {
      const types = placeholder('text[]', (refs) => refs.map(({ type }) => encodeText(type)));
      const ids = placeholder('text[]', (refs) => refs.map(({ id }) => encodeText(id)));
      return sql<Numbered<Row>>`
        select named.n::integer as n, ${columns}
        from unnest(${types}, ${ids}) with ordinality as named (type, id, n)
        ${joinTables()}`;
    });
  const joinRecords = sql`
    join ${table('records')} as records on records.id = named.id and records.type = named.type`;

  const versions = createGroup(
    reader,
    statementFor<Omit<VersionRow, 'position'>>(
      versionColumns('versions'),
      () => sql`
        ${joinRecords} join ${table('versions')} as versions
          on versions.position = records.current and versions.patient_id = records.patient_id`,
    ),
    toStoredRecord,
  );
  type ResourceRow = Pick<Tables['searchable'], 'version' | 'at' | 'resource'> &
    Pick<VersionRow, 'patient_id'>;
  const resources = createGroup(
    reader,
    statementFor<ResourceRow>(
      sql`${patientOf('searchable')}, searchable.version, searchable.at, searchable.resource`,
      () =>
        findByName()
          ? sql`
            join ${table('searchable')} as searchable
              on searchable.id = named.id and searchable.type = named.type`
          : sql`
            ${joinRecords} join ${table('searchable')} as searchable
              on searchable.patient_id = records.patient_id and searchable.type = records.type
                and searchable.record = records.position`,
    ),
    ({ patient_id, version, at, resource }) => ({ patientId: patient_id, version, at, resource }),
  );

  return { read: versions, readResource: resources };
};
