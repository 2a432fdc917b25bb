import {
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  createClinicalRecords,
} from '@clinical-records/core';
import type { ClinicalStore, Transaction } from '@clinical-records/core/store';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { createDatabase } from '@clinical-records/testing-postgres';
import pg from 'pg';
import type { Visit } from '../../visit.ts';

/** An open transaction of a tool. */
export type OpenTransaction = {
  /** The argument of `records.in`. */
  readonly joined: Transaction;
  readonly insert: (visit: Visit) => Promise<unknown>;
  /** Does work within a savepoint, to which the transaction is then rolled back. */
  readonly undo: (work: () => Promise<unknown>) => Promise<unknown>;
};

/** A database with the host's table of visits. */
export type Database = {
  readonly store: ClinicalStore;
  /** The ids of the visits that are committed. */
  readonly visits: () => Promise<readonly string[]>;
  readonly close: () => Promise<unknown>;
};

/** A tool on such a database. */
export type Tool = Database & {
  readonly records: ClinicalRecords;
  /** The recipe of the documentation. */
  readonly bookVisit: (visit: Visit) => Promise<string>;
  /** Runs work in a transaction of the tool. */
  readonly transaction: (work: (tx: OpenTransaction) => Promise<void>) => Promise<void>;
};

export const createRecords = (store: ClinicalStore, resolve?: ClinicalRecordsOptions['resolve']) =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
    ...(resolve && { resolve }),
  });

/** Is thrown to roll a transaction back. */
export class Undone extends Error {}

/** Does work in a nested transaction of a tool that rolls back. */
export const undoNested = async (
  nested: (work: () => Promise<never>) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await nested(async () => {
      await work();
      throw new Undone();
    });
  } catch (cause) {
    if (!(cause instanceof Undone)) throw cause;
  }
};

/** The part of a tool on PostgreSQL that does not depend on the tool. */
export const openPostgres = async (serverUrl: string) => {
  const { url, dropUnused } = await createDatabase(serverUrl);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query('create table visits (id text primary key, patient text not null)');
  const store = openPostgresStore({ pool });
  await store.migrate();
  return {
    url,
    pool,
    store,
    visits: async () =>
      (await pool.query<Visit>('select id from visits order by id')).rows.map(({ id }) => id),
    close: async () => {
      await store.close();
      await pool.end();
      await dropUnused();
    },
  };
};
