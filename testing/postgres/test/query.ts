import { Client } from 'pg';

/** Runs one statement on a connection of its own. */
export const query = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
};
