import { sql } from 'kysely';
import type { PostgresClient } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { runQuery } from '../run-query.ts';
import { createStatement, runStatement, type Statement } from '../statement.ts';
import { beginTransaction, type TransactionSettings } from '../transaction.ts';

/** Rows, and an end of the feed that is not before the one that they show. */
export type PositionedRows<Row> = { readonly rows: readonly Row[]; readonly position: number };

type ReadOptions = {
  /** The position that the rows must show. Where it is not known that they do, the server is asked before. */
  readonly least: number;
  /** The settings of a transaction; null for a statement of its own. */
  readonly settings: TransactionSettings | null;
};

export type PositionedRead = {
  /** Reads the end of the feed. */
  readonly readPosition: (client: PostgresClient) => Promise<number>;
  /** Runs a statement that only reads, in one round trip. Throws if it does not show the position. */
  readonly readRows: <Args, Row>(
    client: PostgresClient,
    statement: Statement<Args, Row>,
    args: Args,
    options: ReadOptions,
  ) => Promise<PositionedRows<Row>>;
};

type Ending = { readonly position: number };

export const createPositionedRead = (builder: QueryBuilder): PositionedRead => {
  const ending = createStatement<null, Ending>(
    builder,
    () => sql`select position from ${builder.table('head')}`,
  );
  /** The last end of the feed on a connection. Its server never shows less. */
  const shown = new WeakMap<PostgresClient, number>();
  const note = (client: PostgresClient, rows: readonly unknown[] = []): number => {
    const { position } = rows[0] as Ending;
    shown.set(client, position);
    return position;
  };

  return {
    readPosition: async (client) => note(client, await runStatement(client, ending, null)),
    readRows: async (client, statement, args, { least, settings }) => {
      const begin = settings === null ? [] : [beginTransaction(settings)];
      const commit = settings === null ? [] : [{ text: 'commit' }];
      const proof = (shown.get(client) ?? -1) >= least ? [] : [ending.bind(null)];
      const queries = [...begin, ...proof, statement.bind(args), ending.bind(null), ...commit];
      // Every query has its response before others use the client.
      const results = await Promise.allSettled(queries.map((query) => runQuery(client, query)));
      const responses = results.slice(begin.length).map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value.rows;
      });
      const [proven] = responses.splice(0, proof.length);
      if (proven !== undefined && note(client, proven) < least) throw new Error('The replica is behind.');
      const [rows, end] = responses;
      return { rows: rows as never[], position: note(client, end) };
    },
  };
};
