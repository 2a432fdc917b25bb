import type { TestProject } from 'vitest/node';
import { startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database of the server for all test files. Each makes its own with `createDatabase`. */
    readonly postgresUrl: string;
  }
}

/** Nothing is kept when the machine fails, so that tests are fast. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' };

/** Starts one server for all test files of a project, or uses the one that `DATABASE_URL` names. */
export const setup = async ({ provide }: TestProject) => {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL !== undefined) {
    provide('postgresUrl', DATABASE_URL);
    return;
  }
  const postgres = await startPostgres({ settings });
  provide('postgresUrl', postgres.url);
  return postgres.stop;
};
