/** The part of pg's `QueryConfig` that a store uses. */
export type PostgresQuery = {
  /** A query with a name is parsed and planned once on each connection. */
  readonly name?: string;
  /** The SQL, with `$1`, `$2` and so on for its values. */
  readonly text: string;
  /** The values, in their order. */
  readonly values?: unknown[];
  /** How many milliseconds the result is waited for, if not as long as the pool says. */
  readonly query_timeout?: number;
  /** How the columns of the rows are parsed. */
  readonly types?: {
    /** Returns the parser for a type of PostgreSQL, by its oid. */
    getTypeParser(type: number, format?: string): (text: string) => unknown;
  };
};

/** The part of pg's `QueryResult` that a store uses. */
export type PostgresResult = {
  /** The command that was run, such as `COMMIT`. */
  readonly command: string;
  readonly rows: unknown[];
};

/** A notice that PostgreSQL sends beside the results of queries. */
export type PostgresNotice = {
  /** The function of PostgreSQL that sent it. */
  readonly routine?: string | undefined;
};

/** The part of a client of pg that runs queries. */
export type QueryRunner = {
  /** Runs a query. Rejects with the error of PostgreSQL. */
  query(query: PostgresQuery): Promise<PostgresResult>;
  /** Runs a query, and calls back or returns a promise. */
  query(
    query: PostgresQuery,
    callback: (error: Error | null | undefined, result: PostgresResult) => void,
  ): unknown;
  /** Whether it sends queries before earlier ones are answered. Otherwise it gets one query at a time. */
  readonly pipeline?: boolean;
};

/** The part of pg's `PoolClient` that a store uses. */
export type PostgresClient = QueryRunner & {
  /** Adds a listener, which is called if the connection breaks. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Adds a listener, which is called with each notice. */
  on(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
  /** Removes a listener that `on` has added. */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Removes a listener that `on` has added. */
  removeListener(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
  /** Returns the client to its pool, or closes its connection. */
  release(isBroken?: boolean): void;
  /** `I` outside of a transaction, `T` in one, `E` in one that has failed. A client that the host has wrapped may lack it. */
  getTransactionStatus?(): 'I' | 'T' | 'E' | null;
};

/** The part of pg's `PoolClient` that `inTransaction` uses. */
export type HostClient = PostgresClient & {
  /** `I` outside of a transaction, `T` in one, `E` in one that has failed. */
  getTransactionStatus(): 'I' | 'T' | 'E' | null;
};

/** The part of pg's `Pool` that a store uses. */
export type PostgresPool<Client extends PostgresClient = PostgresClient> = {
  /** Returns a client of the pool, or waits for one. */
  connect(): Promise<Client>;
  /** Adds a listener, which is called with each new client before anybody gets it. A pool that the host has wrapped may lack it. */
  on?(event: 'connect', listener: (client: PostgresClient) => void): unknown;
  /** The number of callers that wait for a client. */
  readonly waitingCount: number;
  /** The number of clients that nobody uses. A pool that the host has wrapped may lack it. */
  readonly idleCount?: number;
  /** The options of the pool. One that the host has wrapped may lack them. */
  readonly options?:
    | {
        /** The most clients that the pool opens. */
        readonly max?: number | undefined;
      }
    | undefined;
};
