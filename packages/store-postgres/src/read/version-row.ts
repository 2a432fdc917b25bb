import type { StoredRecord } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';

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
