import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, findBinaries } from './binaries.ts';
import { findFreePort } from './free-port.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { findUnprivilegedUser, type User } from './unprivileged-user.ts';

/** Parameters of postgresql.conf, such as `{ fsync: 'off' }`. */
export type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server of its own, on 127.0.0.1. */
export type Postgres = {
  /** The database `postgres`, as its superuser. */
  readonly url: string;
  readonly port: number;
  /** The data folder. */
  readonly folder: string;
  /** Kills all processes of the server at one moment. The data folder stays as it is. */
  readonly kill: () => Promise<void>;
  /** Starts the server again, on the same folder and port. Ends it first if it runs, and its connections with it. */
  readonly restart: (settings?: Settings) => Promise<void>;
  /** Ends the server and removes its folder. */
  readonly stop: () => Promise<void>;
};

type Cluster = {
  readonly folder: string;
  readonly port: number;
  readonly settings: Settings;
  readonly user: User;
};

const initialize = async ({ initdb }: Binaries, folder: string, user: User) => {
  const args = ['-D', folder, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(initdb, args, { ...user, env: { LC_ALL: 'C' } });
};

const launch = (
  { postgres }: Binaries,
  { folder, port, settings, user }: Cluster,
): Promise<ServerProcess> => {
  const parameters = Object.entries({
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: folder,
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startProcess([postgres, '-D', folder, ...parameters], {
    ready: 'database system is ready to accept',
    user,
  });
};

/** Starts a server in a new folder. It keeps what it has committed when it is killed, unless `settings` say otherwise. */
export const startPostgres = async ({
  settings = {},
}: {
  readonly settings?: Settings;
} = {}): Promise<Postgres> => {
  const binaries = findBinaries();
  const user = findUnprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-postgres-'));
  chownSync(folder, user.uid, user.gid);
  const port = await findFreePort();
  const remove = () => rmSync(folder, { recursive: true });
  const start = async () => {
    await initialize(binaries, folder, user);
    return launch(binaries, { folder, port, settings, user });
  };
  let server = await start().catch((cause) => {
    remove();
    throw cause;
  });

  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    folder,
    kill: () => server.kill(),
    restart: async (changed = {}) => {
      await server.end('SIGINT');
      server = await launch(binaries, { folder, port, settings: { ...settings, ...changed }, user });
    },
    stop: async () => {
      await server.end('SIGQUIT');
      remove();
    },
  };
};
