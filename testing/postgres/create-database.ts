import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** An empty database on a server that others use, too. */
export type TestDatabase = {
  readonly url: string;
  /** Removes the database, and ends the connections to it. */
  readonly drop: () => Promise<void>;
  /**
   * Removes the database once its connections have ended: for pools that say they have ended while their connections are still
   * closing, where an end by the server is an error without a listener. PostgreSQL waits 5 s for them.
   */
  readonly dropUnused: () => Promise<void>;
};

const run = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};

/** Creates a database; `serverUrl` is any other database of the server, as a user who may create databases. */
export const createDatabase = async (serverUrl: string): Promise<TestDatabase> => {
  const name = `clinical_records_${randomUUID().replaceAll('-', '')}`;
  await run(serverUrl, `create database ${name} template template0`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: () => run(serverUrl, `drop database ${name} with (force)`),
    dropUnused: () => run(serverUrl, `drop database ${name}`),
  };
};
