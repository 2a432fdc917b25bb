import { execFileSync } from 'node:child_process';

/** PostgreSQL and PgBouncer do not run as root. */
export type User = { readonly uid: number; readonly gid: number };

const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

/** The user `nobody` if the tests run as root, otherwise the user who runs them. */
export const findUnprivilegedUser = (): User => {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined) throw new Error('These tests need Linux or macOS.');
  return uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : { uid, gid };
};
