import type { Client } from 'pg';

/** Waits for the end of a connection, whatever errors the client emits about it. */
export const untilEnded = (client: Client): Promise<void> => {
  client.on('error', () => {});
  return new Promise((resolve) => client.once('end', resolve));
};
