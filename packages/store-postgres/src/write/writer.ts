import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, runStatement } from '../statement.ts';
import { runTransaction, type TransactionSettings } from '../transaction.ts';

/** A sequence of transactions, one after the other. `number` is the number that the database has for it. */
export type Writer = { readonly id: string; number: number };

/** The outcome of a transaction that had no response. */
export type SettledOutcome = 'written' | 'not written' | 'unknown';

/** The number that the next transaction of a writer sets. */
export const nextNumber = ({ number }: Writer): number => Math.abs(number) + 1;

/**
 * Numbers the transactions of a store. A transaction sets the number of its writer, so that the number shows whether it
 * was committed. To find that out, the negative number is set: then the transaction cannot be committed any more.
 */
export const createWriters = (builder: QueryBuilder) => {
  const { table } = builder;
  const free: Writer[] = [];

  const register = createStatement<Writer>(
    builder,
    (placeholder) => sql`
      insert into ${table('writers')} (writer, number)
      values (${placeholder('uuid', ({ id }) => id)}, ${placeholder('bigint', ({ number }) => number)})`,
  );
  // Writes even if the number remains, so that its commit is as durable as the one that it finds, on a standby, too.
  const fence = createStatement<Writer, { readonly number: number }>(
    builder,
    (placeholder) => sql`
      update ${table('writers')} set number = case
        when number = ${placeholder('bigint', ({ number }) => number)}
        then ${placeholder('bigint', (writer) => -nextNumber(writer))} else number end
      where writer = ${placeholder('uuid', ({ id }) => id)}
      returning number`,
  );
  const retire = createStatement<readonly Writer[]>(
    builder,
    (placeholder) => sql`
      delete from ${table('writers')}
      where writer = any(${placeholder('uuid[]', (writers) => writers.map(({ id }) => id))})
        or opened < now() - interval '30 days' and number = 0`,
  );

  return {
    /** A writer that nobody else uses. Its transactions are numbered from 1. */
    take: async (client: PostgresClient): Promise<Writer> => {
      const known = free.pop();
      if (known !== undefined) return known;
      const writer = { id: randomUUID(), number: 0 };
      await runStatement(client, register, writer);
      return writer;
    },
    /** Must be called once the transaction has an outcome. */
    giveBack: (writer: Writer): void => {
      free.push(writer);
    },
    /**
     * Finds out what became of the next transaction of a writer. It waits for the end of that transaction, unless it
     * takes longer than a lock may.
     */
    settle: async (
      client: PostgresClient,
      writer: Writer,
      limits: TransactionSettings,
    ): Promise<SettledOutcome> => {
      const next = nextNumber(writer);
      const [rows = []] = await runTransaction(client, [fence.bind(writer)], limits);
      const [row] = rows as readonly { readonly number: number }[];
      if (row === undefined || Math.abs(row.number) !== next) return 'unknown';
      writer.number = row.number;
      return row.number === next ? 'written' : 'not written';
    },
    /** Must be called if the database may be an older copy of itself, in which the numbers are others. */
    forget: (): void => {
      free.length = 0;
    },
    /** Removes all writers, once none is used. */
    close: async (client: PostgresClient): Promise<void> => {
      if (free.length > 0) await runStatement(client, retire, free.splice(0));
    },
  };
};
