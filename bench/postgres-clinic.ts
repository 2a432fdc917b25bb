import { createDatabase, type Postgres, startPostgres } from '@clinical-records/testing-postgres';
import type { ClinicFiles } from './clinic-files.ts';
import { copyToPostgres, settlePostgres } from './data/copy-to-postgres.ts';
import { fillPostgresFloor } from './data/postgres-floor.ts';

/** A PostgreSQL server with the same clinic as the files. Each store has a database of its own. */
export type PostgresClinic = {
  readonly server: Postgres;
  /** The URL of our database. */
  readonly ours: string;
  /** The URL of the floor's database. */
  readonly floor: string;
  readonly stop: () => Promise<void>;
};

/** Commits are durable, as they are by default. The cache and the log are so large that a round waits for neither. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' };

/** Starts a server, and fills it from the files. */
export const createPostgresClinic = async (files: ClinicFiles): Promise<PostgresClinic> => {
  const server = await startPostgres({ settings });
  const { url, stop } = server;
  const [ours, floor] = [await createDatabase(url), await createDatabase(url)];
  await copyToPostgres(files.ours, ours.url);
  await settlePostgres(ours.url);
  await fillPostgresFloor(floor.url, files.floor);
  return { server, ours: ours.url, floor: floor.url, stop };
};
