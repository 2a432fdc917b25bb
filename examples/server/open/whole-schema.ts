import type { DatabaseLocation } from './data-location.ts';
import { useClient } from './open-database.ts';

const isDuplicate = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === '42P06';

/** One process after the other creates a schema. The transaction is open until then, and has only this lock. */
const beginAlone = (schema: string) => `begin; set local idle_in_transaction_session_timeout = 0;
  select pg_advisory_xact_lock(hashtextextended('clinical-records, new schema ${schema}', 0))`;

/**
 * Creates a schema as `fill` fills it; returns false if it exists. It appears whole or not at all, even if the process
 * is killed. It is filled under another name, and gets its name at the end. The next call removes the remains
 * of a killed process.
 */
export const createWholeSchema = (
  location: DatabaseLocation,
  fill: (location: DatabaseLocation) => Promise<void>,
): Promise<boolean> =>
  useClient(location, async (client) => {
    const { schema } = location;
    const filled = { ...location, schema: `${schema}_being_created` };
    const drop = `drop schema if exists ${filled.schema} cascade`;
    const runElsewhere = (sql: string) => useClient(location, (other) => other.query(sql));
    await client.query(beginAlone(schema));
    const existing = await client.query(`select from pg_namespace where nspname = '${schema}'`);
    if (existing.rowCount !== 0) return false;
    await runElsewhere(`${drop}; create schema ${filled.schema}`);
    try {
      await fill(filled);
      await client.query(`alter schema ${filled.schema} rename to ${schema}; commit`);
      return true;
    } catch (cause) {
      await runElsewhere(drop);
      if (!isDuplicate(cause)) throw cause;
      return false;
    }
  });
