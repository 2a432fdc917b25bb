import { type Binaries, findBinaries } from './binaries.ts';
import { fillDataFolder } from './data-folder.ts';
import { findFreePort } from './free-port.ts';
import { inNewFolder, type ServerFolder } from './new-folder.ts';
import { type Postgres, runCluster, type Settings } from './run-cluster.ts';
import { findUnprivilegedUser } from './unprivileged-user.ts';

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
    await fillDataFolder(folder.path, binaries, user);
    return runCluster({ binaries, user, folder, port, settings });
  };
  return inNewFolder(user, start, parent);
};
