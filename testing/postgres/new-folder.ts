import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from './unprivileged-user.ts';

export type ServerFolder = {
  readonly path: string;
  /** Writes a file as the user of the server. */
  readonly write: (name: string, text: string) => void;
  readonly remove: () => void;
};

/** Creates a folder of a user in another one, and starts a server in it. If that fails, the folder is removed. */
export const inNewFolder = async <Server>(
  user: User,
  start: (folder: ServerFolder) => Promise<Server>,
  parent = tmpdir(),
): Promise<Server> => {
  const path = mkdtempSync(join(parent, 'clinical-records-postgres-'));
  chownSync(path, user.uid, user.gid);
  const write = (name: string, text: string) => {
    const file = join(path, name);
    writeFileSync(file, text);
    chownSync(file, user.uid, user.gid);
  };
  const remove = () => rmSync(path, { recursive: true });
  try {
    return await start({ path, write, remove });
  } catch (cause) {
    remove();
    throw cause;
  }
};
