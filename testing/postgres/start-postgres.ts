import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Binaries, findBinaries } from './binaries.ts';
import { findFreePort } from './free-port.ts';
import { inNewFolder, type ServerFolder } from './new-folder.ts';
import { type Postgres, runCluster, type Settings } from './run-cluster.ts';
import { findUnprivilegedUser } from './unprivileged-user.ts';

const initdbFlags = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];

/**
 * Starts a server with an empty data folder. It keeps what it has committed when it is killed, unless `settings` say
 * otherwise.
 */
export const startPostgres = async ({
  settings = {},
  binaries = findBinaries(),
  parent,
}: {
  readonly settings?: Settings;
  readonly binaries?: Binaries;
  /** The folder in which its data folder is created, instead of that for temporary files. */
  readonly parent?: string | undefined;
} = {}): Promise<Postgres> => {
  const user = findUnprivilegedUser();
  const port = await findFreePort();
  const start = async (folder: ServerFolder) => {
    await promisify(execFile)(binaries.initdb, ['-D', folder.path, ...initdbFlags], {
      ...user,
      env: { LC_ALL: 'C' },
    });
    return runCluster({ binaries, user, folder, port, settings });
  };
  return inNewFolder(user, start, parent);
};
