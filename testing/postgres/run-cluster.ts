import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ServerFolder } from './new-folder.ts';
import { startProcess } from './server-process.ts';
import type { User } from './unprivileged-user.ts';

/** Parameters of postgresql.conf, such as `{ fsync: 'off' }`. */
export type Settings = Readonly<Record<string, string>>;

/** A PostgreSQL server on 127.0.0.1. */
export type Postgres = {
  /** The database `postgres`, as its superuser. */
  readonly url: string;
  readonly port: number;
  /** The data folder. */
  readonly folder: string;
  /** Kills all processes of the server at one moment. The data folder stays as it is. */
  readonly kill: () => Promise<void>;
  /** Returns when the server has ended by itself. */
  readonly waitForEnd: () => Promise<void>;
  /** Starts the server again, on the same folder and port. Ends it first if it runs, and its connections with it. */
  readonly restart: (settings?: Settings) => Promise<void>;
  /** Ends the server and removes its folder. */
  readonly stop: () => Promise<void>;
};

type Cluster = {
  readonly binaries: Binaries;
  readonly user: User;
  readonly folder: ServerFolder;
  readonly port: number;
  readonly settings: Settings;
};

/** Removes the shared memory that a killed server has left. Its lock file names it. */
const removeSharedMemory = (folder: string): void => {
  const lock = join(folder, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const [, id] = /^ *\d+ +(\d+) *$/m.exec(readFileSync(lock, 'utf8')) ?? [];
  if (id !== undefined) execFileSync('ipcrm', ['-m', id]);
};

/** Starts the server of a data folder. */
export const runCluster = async (cluster: Cluster): Promise<Postgres> => {
  const { binaries, user, folder, port, settings } = cluster;
  const launch = (changed: Settings) => {
    const parameters = Object.entries({
      listen_addresses: '127.0.0.1',
      port: `${port}`,
      unix_socket_directories: folder.path,
      // In the folder, so that a killed server leaves nothing elsewhere.
      dynamic_shared_memory_type: 'mmap',
      ...settings,
      ...changed,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return startProcess([binaries.postgres, '-D', folder.path, ...parameters], {
      ready: 'database system is ready to accept',
      user,
    });
  };

  let server = await launch({});
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    folder: folder.path,
    kill: () => server.kill(),
    waitForEnd: () => server.waitForEnd(),
    restart: async (changed = {}) => {
      await server.end('SIGINT');
      server = await launch(changed);
    },
    stop: async () => {
      await server.end('SIGQUIT');
      removeSharedMemory(folder.path);
      folder.remove();
    },
  };
};
