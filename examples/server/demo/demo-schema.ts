import { randomBytes } from 'node:crypto';
import type { DatabaseLocation } from '../data-location.ts';
import { useClient } from '../open-database.ts';
import { useRecords } from '../use-records.ts';
import { createPastClock } from './calendar.ts';
import { putDemoClinic } from './demo-clinic.ts';

const hasSchema = ({ schema }: DatabaseLocation) => `select from pg_namespace where nspname = '${schema}'`;

const isDuplicate = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === '42P06';

/**
 * Creates a schema with the demo clinic, unless it exists. It appears whole or not at all, even if the process is
 * killed. It is filled under another name, and gets its name at the end. Only one of several processes names it.
 */
export const createDemoSchema = (location: DatabaseLocation): Promise<void> =>
  useClient(location, async (client) => {
    if ((await client.query(hasSchema(location))).rowCount !== 0) return;
    const filled = { ...location, schema: `${location.schema}_demo_${randomBytes(4).toString('hex')}` };
    try {
      await client.query(`create schema ${filled.schema}`);
      await useRecords(filled, putDemoClinic, { clock: createPastClock(60) });
      await client.query(`alter schema ${filled.schema} rename to ${location.schema}`);
    } catch (cause) {
      if (!isDuplicate(cause)) throw cause;
    } finally {
      await client.query(`drop schema if exists ${filled.schema} cascade`);
    }
  });
