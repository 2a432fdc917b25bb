import type { AuditQuery, StoredAuditEntry } from '@clinical-records/core/store';
import type { SqliteDatabase } from '../database.ts';
import { entryColumns, prepareAuditStatement } from './audit-statements.ts';
import { indexTableOf } from './audit-table.ts';

/**
 * Finds the entries of patients and of users. Entries are indexed in blocks, once a block is complete, and the key of the index begins
 * with the block. So all writes are at the end of the index. An index led by the patient would change a page of its own for nearly
 * each entry.
 */
export type AuditIndex = {
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
      const found = searchAfter(completeBlocks(last) * blockSize, count);
      const searchBlock = prepareSearch(
        `${indexTable} AS term CROSS JOIN ${table} AS event ON event.position = term.position`,
        'term.block = ?',
        [indexed, ...conditions],
      );
      let block = blockOf(Math.min(before - 1, last));
      for (; block >= 0 && found.length < count; block -= 1) {
        found.push(...searchBlock(block, count - found.length));
      }
      return found;
    },
  };
};
