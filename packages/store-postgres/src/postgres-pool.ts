/** A query for a client. A named one is parsed and planned once on each connection. */
export type PostgresQuery = {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
  readonly types?: { getTypeParser(type: number, format?: string): (text: string) => unknown };
};

/** The part of pg's `PoolClient` that a store uses. */
export type PostgresClient = {
  query(query: PostgresQuery): Promise<{ readonly command: string; readonly rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the client to its pool, or closes its connection. */
  release(isBroken?: boolean): void;
};

/** The part of pg's `Pool` that a store uses. */
export type PostgresPool = {
  connect(): Promise<PostgresClient>;
  /** The number of callers that wait for a client. */
  readonly waitingCount: number;
};
