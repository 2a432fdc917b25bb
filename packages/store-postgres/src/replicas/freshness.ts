import { sql } from 'kysely';
import type { PostgresClient } from '../postgres-pool.ts';
import {
  createStatement,
  type QueryBuilder,
  runStatement,
  type Statement,
  settingsOf,
} from '../statement.ts';
import { beginTransaction, runQuery, type TransactionSettings } from '../transaction.ts';

/** How new the data are that a server shows. */
export type Freshness = {
  /** The end of the feed. */
  readonly position: number;
  /** The number of changes of indexed parameters. Reindexing adds nothing to the feed. */
  readonly indexChanges: number;
};

export const isAsFresh = (shown: Freshness, least: Freshness): boolean =>
  shown.position >= least.position && shown.indexChanges >= least.indexChanges;

/** The least that is as fresh as both. */
export const fresher = (a: Freshness, b: Freshness): Freshness => ({
  position: Math.max(a.position, b.position),
  indexChanges: Math.max(a.indexChanges, b.indexChanges),
});

/** The freshest that a store has seen, so that no later read shows less. */
type LastSeen = {
  /** The least that a replica must show; null if it is not known before the primary is read. */
  readonly least: () => Freshness | null;
  /** Must be called after a write, whose position is not known. */
  readonly forget: () => void;
  /** Begins a read. The returned function must be called with what it has shown. */
  readonly begin: () => (shown: Freshness) => void;
};

export const createLastSeen = (): LastSeen => {
  let least: Freshness | null = null;
  let writes = 0;
  return {
    least: () => least,
    forget: () => {
      least = null;
      writes += 1;
    },
    begin: () => {
      const writesBefore = writes;
      return (shown) => {
        if (least !== null) least = fresher(least, shown);
        // Otherwise the read may have begun before the last write, and not show it.
        else if (writesBefore === writes) least = shown;
      };
    },
  };
};

/** Rows, and the freshness of the server once it has read them: they show no more. */
export type FreshRows<Row> = { readonly rows: readonly Row[]; readonly shown: Freshness };

type FreshReadOptions = {
  /** The least that the rows must show; null if that does not matter. A server that may show less is asked before. */
  readonly least: Freshness | null;
  /** The settings of a transaction; null for a statement of its own. */
  readonly settings: TransactionSettings | null;
};

export type FreshRead = {
  /** Reads how fresh the server is. */
  readonly readFreshness: (client: PostgresClient) => Promise<Freshness>;
  /** Runs a statement that only reads, in one round trip. Throws if the server is not as fresh as the rows must be. */
  readonly readRows: <Args, Row>(
    client: PostgresClient,
    statement: Statement<Args, Row>,
    args: Args,
    options: FreshReadOptions,
  ) => Promise<FreshRows<Row>>;
};

export const createFreshRead = (builder: QueryBuilder): FreshRead => {
  const freshness = createStatement<null, Freshness>(
    builder,
    'freshness',
    ({ rows }) => sql`
      select coalesce((select position from ${rows('head')} as head), 0) as position,
        coalesce((select version from ${rows('indexed_parameters')} as indexed), 0) as "indexChanges"`,
  );
  /** The freshness that a connection has shown last. Its server never shows less. */
  const shownOn = new WeakMap<PostgresClient, Freshness>();
  const note = (client: PostgresClient, rows: readonly unknown[] = []): Freshness => {
    const shown = rows[0] as Freshness;
    shownOn.set(client, shown);
    return shown;
  };
  const isKnownAsFresh = (client: PostgresClient, least: Freshness): boolean => {
    const shown = shownOn.get(client);
    return shown !== undefined && isAsFresh(shown, least);
  };

  return {
    readFreshness: async (client) => note(client, await runStatement(builder, client, freshness, null)),
    readRows: async (client, statement, args, { least, settings: limits }) => {
      const settings = builder.tenant.isGuarded ? { ...limits, ...settingsOf(builder.tenant) } : limits;
      const begin = settings === null ? [] : beginTransaction(settings);
      const commit = settings === null ? [] : [{ text: 'commit' }];
      const unproven = least === null || isKnownAsFresh(client, least) ? null : least;
      const proof = unproven === null ? [] : [freshness.bind(null)];
      const queries = [...begin, ...proof, statement.bind(args), freshness.bind(null), ...commit];
      // Every query has its response before others use the client.
      const results = await Promise.allSettled(queries.map((query) => runQuery(client, query)));
      const responses = results.slice(begin.length).map((result) => {
        if (result.status === 'rejected') throw result.reason;
        return result.value.rows;
      });
      const [proven] = responses.splice(0, proof.length);
      if (unproven !== null && !isAsFresh(note(client, proven), unproven))
        throw new Error('The replica is behind.');
      const [rows, end] = responses;
      return { rows: rows as never[], shown: note(client, end) };
    },
  };
};
