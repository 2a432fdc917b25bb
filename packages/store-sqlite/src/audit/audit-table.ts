import type { AuditHead, AuditQuery, StoredAuditEntry } from '@clinical-records/core/store';
import type { SqliteDatabase, SqliteStatement } from '../database.ts';

/** The table that finds the entries of a patient and of a user in a block of entries. */
const indexTableOf = (table: string): string => `${table}_index`;

const refuseChanges = (table: string): readonly string[] =>
  ['update', 'delete'].map(
    (change) => `CREATE TRIGGER IF NOT EXISTS ${table}_no_${change} BEFORE ${change} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'An audit log is never changed.'); END`,
  );

const schemaOf = (table: string): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS ${table} (
    position INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    "by" TEXT,
    patient_id TEXT,
    digest TEXT NOT NULL,
    access TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ${indexTableOf(table)} (
    block INTEGER NOT NULL,
    parameter TEXT NOT NULL,
    value TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (block, parameter, value, position)
  ) WITHOUT ROWID`,
  ...refuseChanges(indexTableOf(table)),
  ...refuseChanges(table),
  // An INSERT OR REPLACE would delete a row without the triggers above.
  `CREATE TRIGGER IF NOT EXISTS ${table}_append_only BEFORE INSERT ON ${table}
    WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM ${table})
    BEGIN SELECT RAISE(ABORT, 'An audit log is only appended to.'); END`,
];

const hasTable = (database: SqliteDatabase, table: string): boolean =>
  database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
    .get(`${table}_append_only`) !== undefined;

/**
 * Creates the table of an audit log beside the others, unless it exists. Throws if the host has a transaction open, because
 * the table would be rolled back with it.
 */
export const createAuditTable = (database: SqliteDatabase, table: string): void => {
  if (hasTable(database, table)) return;
  if (database.inTransaction) {
    throw new Error(
      'A transaction is open on this connection. Open the audit store before beginning one, or its table would be rolled back with it.',
    );
  }
  const create = database.transaction((statements: readonly string[]) => {
    for (const statement of statements) database.prepare(statement).run();
  });
  create.immediate(schemaOf(table));
};

/** The columns of an entry, for statements that name the table `event`. */
const entryColumns =
  'event.position, event.at, event."by", event.patient_id AS "patientId", event.access, event.digest';

/** Compiles a statement that returns positions and times as numbers, whatever the default of the handle is. */
const prepareAuditStatement = (database: SqliteDatabase, sql: string): SqliteStatement => {
  const statement = database.prepare(sql);
  statement.safeIntegers(false);
  return statement;
};

/** The statements of an audit log, without those of its index. */
type AuditStatements = {
  readonly readHead: () => AuditHead | undefined;
  readonly insert: (entry: StoredAuditEntry) => void;
  readonly scan: (after: number, limit: number) => readonly StoredAuditEntry[];
};

export const createAuditStatements = (database: SqliteDatabase, table: string): AuditStatements => {
  const head = prepareAuditStatement(
    database,
    `SELECT position, digest FROM ${table} ORDER BY position DESC LIMIT 1`,
  );
  const insertEntry = prepareAuditStatement(
    database,
    `INSERT INTO ${table} (position, at, "by", patient_id, digest, access) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const scanEntries = prepareAuditStatement(
    database,
    `SELECT ${entryColumns} FROM ${table} AS event WHERE position > ? ORDER BY position LIMIT ?`,
  );
  return {
    readHead: () => head.get() as AuditHead | undefined,
    insert: ({ position, at, by, patientId, digest, access }) => {
      insertEntry.run(position, at, by, patientId, digest, access);
    },
    scan: (after, limit) => scanEntries.all(after, limit) as StoredAuditEntry[],
  };
};

/**
 * Finds the entries of patients and of users. Entries are indexed in blocks, once a block is complete, and the key of the index begins
 * with the block. So all writes are at the end of the index. An index led by the patient would change a page of its own for nearly
 * each entry.
 */
type AuditIndex = {
  /** Indexes the blocks that were completed since the log ended at `before`. */
  readonly indexCompleteBlocks: (before: number, last: number) => void;
  /** Searches a log that ends at `last`. */
  readonly search: (query: AuditQuery, last: number) => readonly StoredAuditEntry[];
};

/** A search looks into each block, and reads the entries after the last complete one. */
const blockSize = 4096;

const completeBlocks = (last: number): number => Math.floor(last / blockSize);

/** The block of a position. The first position is 1. */
const blockOf = (position: number): number => Math.floor((position - 1) / blockSize);

type Condition = { readonly sql: string; readonly values: readonly unknown[] };

const isOneOf = (column: string, values: readonly string[]): Condition => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  values,
});

const conditionsOf = ({ patientIds, users, from, until, before }: AuditQuery): readonly Condition[] => [
  ...(patientIds === undefined ? [] : [isOneOf('event.patient_id', patientIds)]),
  ...(users === undefined ? [] : [isOneOf('event."by"', users)]),
  ...(from === undefined ? [] : [{ sql: 'event.at >= ?', values: [from] }]),
  ...(until === undefined ? [] : [{ sql: 'event.at < ?', values: [until] }]),
  ...(before === undefined ? [] : [{ sql: 'event.position < ?', values: [before] }]),
];

/** The condition that the index answers, if there is one. A patient is usually in fewer entries than a user. */
const indexedCondition = ({ patientIds, users }: AuditQuery): Condition | null => {
  const values = patientIds ?? users;
  if (values === undefined) return null;
  const { sql } = isOneOf('term.value', values);
  return { sql: `term.parameter = '${patientIds === undefined ? 'agent' : 'patient'}' AND ${sql}`, values };
};

export const createAuditIndex = (database: SqliteDatabase, table: string): AuditIndex => {
  const indexTable = indexTableOf(table);
  const indexBlock = prepareAuditStatement(
    database,
    `WITH entry AS (SELECT * FROM ${table} WHERE position > @after AND position <= @after + ${blockSize})
    INSERT INTO ${indexTable} (block, parameter, value, position)
    SELECT @block, 'patient', patient_id, position FROM entry WHERE patient_id IS NOT NULL
    UNION ALL SELECT @block, 'agent', "by", position FROM entry WHERE "by" IS NOT NULL
    ORDER BY 2, 3, 4`,
  );

  /** A search for the newest entries. `start` is a condition on the value that each call passes. */
  const prepareSearch = (from: string, start: string, conditions: readonly Condition[]) => {
    const where = [start, ...conditions.map(({ sql }) => sql)].join(' AND ');
    const statement = prepareAuditStatement(
      database,
      `SELECT ${entryColumns} FROM ${from} WHERE ${where} ORDER BY event.position DESC LIMIT ?`,
    );
    const values = conditions.flatMap((condition) => condition.values);
    return (value: number, count: number) => statement.all(value, ...values, count) as StoredAuditEntry[];
  };

  return {
    indexCompleteBlocks: (before, last) => {
      for (let block = completeBlocks(before); block < completeBlocks(last); block += 1) {
        indexBlock.run({ block, after: block * blockSize });
      }
    },
    search: (query, last) => {
      const { count, before = last + 1 } = query;
      const conditions = conditionsOf(query);
      const indexed = indexedCondition(query);
      const searchAfter = prepareSearch(`${table} AS event`, 'event.position > ?', conditions);
      if (indexed === null) return searchAfter(0, count);
      const entries = searchAfter(completeBlocks(last) * blockSize, count);
      const searchBlock = prepareSearch(
        `${indexTable} AS term CROSS JOIN ${table} AS event ON event.position = term.position`,
        'term.block = ?',
        [indexed, ...conditions],
      );
      let block = blockOf(Math.min(before - 1, last));
      for (; block >= 0 && entries.length < count; block -= 1) {
        entries.push(...searchBlock(block, count - entries.length));
      }
      return entries;
    },
  };
};
