import {
  type AuditHead,
  type AuditQuery,
  emptyAuditHead,
  type StoredAuditEntry,
} from '@clinical-records/core/store';
import type { SqliteDatabase, SqliteStatement } from '../database.ts';

/** The table that finds the entries of a patient and of a user in a block of entries. */
const indexTableOf = (table: string): string => `${table}_index`;

/** The table of the last entry that was removed. */
const startTableOf = (table: string): string => `${table}_start`;

const lastOf = (table: string): string => `(SELECT coalesce(max(position), 0) FROM ${table})`;

const refuse = (table: string, change: string, when: string, message: string): string =>
  `CREATE TRIGGER IF NOT EXISTS ${table}_no_${change} BEFORE ${change} ON ${table} ${when}
    BEGIN SELECT RAISE(ABORT, '${message}'); END`;

/** Refuses to change a table of a log, and to remove what is after its start. */
const refuseChanges = (table: string, start: string): readonly string[] => [
  refuse(table, 'update', '', 'An audit log is never changed.'),
  refuse(table, 'delete', `WHEN OLD.position > ${lastOf(start)}`, 'An audit log is never changed.'),
];

/** The last row stays, and each is of an entry that the log has when it is written. */
const keepStart = (table: string, start: string): readonly string[] => [
  refuse(start, 'update', '', 'An audit log is never changed.'),
  refuse(start, 'delete', `WHEN OLD.position = ${lastOf(start)}`, 'An audit log is never changed.'),
  refuse(
    start,
    'insert',
    `WHEN NOT EXISTS (SELECT 1 FROM ${table} WHERE position = NEW.position AND digest = NEW.digest)`,
    'An audit log begins after one of its entries.',
  ),
];

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
  `CREATE TABLE IF NOT EXISTS ${startTableOf(table)} (position INTEGER PRIMARY KEY, digest TEXT NOT NULL)`,
  ...refuseChanges(indexTableOf(table), startTableOf(table)),
  ...refuseChanges(table, startTableOf(table)),
  ...keepStart(table, startTableOf(table)),
  // An INSERT OR REPLACE would delete a row without the triggers above.
  `CREATE TRIGGER IF NOT EXISTS ${table}_append_only BEFORE INSERT ON ${table}
    WHEN NEW.position IS NOT max(${lastOf(table)}, ${lastOf(startTableOf(table))}) + 1
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
  /** The last entry, or the last one that was removed. */
  readonly readHead: () => AuditHead;
  /** The last entry that was removed. */
  readonly readStart: () => AuditHead;
  /** Removes the entries up to one, without those of the index. Returns whether there is one at the position. */
  readonly removeUntil: (position: number) => boolean;
  readonly insert: (entry: StoredAuditEntry) => void;
  readonly scan: (after: number, limit: number) => readonly StoredAuditEntry[];
};

export const createAuditStatements = (database: SqliteDatabase, table: string): AuditStatements => {
  const startTable = startTableOf(table);
  const prepare = (sql: string) => prepareAuditStatement(database, sql);
  const head = prepare(`SELECT position, digest FROM ${table} ORDER BY position DESC LIMIT 1`);
  const insertEntry = prepare(
    `INSERT INTO ${table} (position, at, "by", patient_id, digest, access) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const start = prepare(`SELECT position, digest FROM ${startTable} ORDER BY position DESC LIMIT 1`);
  const moveStart = prepare(
    `INSERT INTO ${startTable} SELECT position, digest FROM ${table} WHERE position = ?`,
  );
  const removeEntries = prepare(`DELETE FROM ${table} WHERE position <= ?`);
  const removeStarts = prepare(`DELETE FROM ${startTable} WHERE position < ?`);
  const scanEntries = prepare(
    `SELECT ${entryColumns} FROM ${table} AS event WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const readStart = () => (start.get() as AuditHead | undefined) ?? emptyAuditHead;
  return {
    readHead: () => (head.get() as AuditHead | undefined) ?? readStart(),
    readStart,
    removeUntil: (position) => {
      if (moveStart.run(position).changes === 0) return false;
      removeEntries.run(position);
      removeStarts.run(position);
      return true;
    },
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
  /** Searches a log that begins after `start` and ends at `last`. */
  readonly search: (
    query: AuditQuery,
    range: { readonly start: number; readonly last: number },
  ) => readonly StoredAuditEntry[];
  /** Removes the index entries of the entries up to one from a log that begins after `start`. */
  readonly removeUntil: (position: number, start: number) => void;
};

/** A search looks into each block, and reads the entries after the last complete one. */
const blockSize = 4096;

const completeBlocks = (last: number): number => Math.floor(last / blockSize);

/** The block of a position. The first position is 1. */
const blockOf = (position: number): number => Math.floor((position - 1) / blockSize);

type Condition = { readonly sql: string; readonly values: readonly unknown[] };

const columnIn = (column: string, values: readonly string[]): Condition => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  values,
});

const conditionsOf = ({ patientIds, users, from, until, before }: AuditQuery): readonly Condition[] => [
  ...(patientIds === undefined ? [] : [columnIn('event.patient_id', patientIds)]),
  ...(users === undefined ? [] : [columnIn('event."by"', users)]),
  ...(from === undefined ? [] : [{ sql: 'event.at >= ?', values: [from] }]),
  ...(until === undefined ? [] : [{ sql: 'event.at < ?', values: [until] }]),
  ...(before === undefined ? [] : [{ sql: 'event.position < ?', values: [before] }]),
];

/** The condition that the index answers, if there is one. A patient is usually in fewer entries than a user. */
const indexedCondition = ({ patientIds, users }: AuditQuery): Condition | null => {
  const values = patientIds ?? users;
  if (values === undefined) return null;
  const { sql } = columnIn('term.value', values);
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

  const removeIndexed = prepareAuditStatement(
    database,
    `DELETE FROM ${indexTable} WHERE block = ? AND position <= ?`,
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
    removeUntil: (position, start) => {
      for (let block = blockOf(start + 1); block <= blockOf(position); block += 1) {
        removeIndexed.run(block, position);
      }
    },
    search: (query, { start, last }) => {
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
      for (; block >= blockOf(start + 1) && entries.length < count; block -= 1) {
        entries.push(...searchBlock(block, count - entries.length));
      }
      return entries;
    },
  };
};
