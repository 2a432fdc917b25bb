import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { inNewFolder } from './new-folder.ts';
import type { Settings } from './run-cluster.ts';
import { startProcess } from './server-process.ts';
import { findUnprivilegedUser } from './unprivileged-user.ts';

/** A pool of connections to a PostgreSQL server, in a process of its own. */
export type PgBouncer = {
  /** The database of the given URL, through the pool. */
  readonly url: string;
  readonly port: number;
  /** Starts again in front of another server. Its clients lose their connections. */
  readonly redirect: (serverUrl: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Where Debian's package puts it. */
const program = '/usr/sbin/pgbouncer';

/** The path of PgBouncer; null if it is not installed. */
export const findPgBouncer = (): string | null => (existsSync(program) ? program : null);

/** A server that was down is tried again at once. */
const defaults = { pool_mode: 'transaction', server_login_retry: '0.1' };

const configurationOf = (serverUrl: string, port: number, settings: Settings): string => {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const login = Object.entries({ user: username, password })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}='${decodeURIComponent(value)}'`);
  const parameters = {
    listen_addr: '127.0.0.1',
    listen_port: `${port}`,
    unix_socket_dir: '',
    auth_type: 'any',
  };
  return [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432} ${login.join(' ')}`,
    '[pgbouncer]',
    ...Object.entries({ ...parameters, ...defaults, ...settings }).map(
      ([name, value]) => `${name} = ${value}`,
    ),
    '',
  ].join('\n');
};

/**
 * Starts PgBouncer in front of the server of a URL, in transaction mode: a client has a connection of the server only
 * for one transaction at a time. Everybody may connect, as the user of the URL.
 */
export const startPgBouncer = async (
  serverUrl: string,
  { settings = {} }: { readonly settings?: Settings } = {},
): Promise<PgBouncer> => {
  const pgBouncer = findPgBouncer();
  if (pgBouncer === null) throw new Error(`PgBouncer is not installed: there is no ${program}.`);
  const user = findUnprivilegedUser();
  const port = await findFreePort();
  return inNewFolder(user, async (folder) => {
    const file = 'pgbouncer.ini';
    const launch = (url: string) => {
      folder.write(file, configurationOf(url, port, settings));
      return startProcess([pgBouncer, join(folder.path, file)], { ready: 'process up', user });
    };
    let server = await launch(serverUrl);
    const url = new URL(serverUrl);
    url.host = `127.0.0.1:${port}`;
    return {
      url: url.href,
      port,
      redirect: async (other) => {
        await server.end('SIGTERM');
        server = await launch(other);
      },
      stop: async () => {
        await server.end('SIGTERM');
        folder.remove();
      },
    };
  });
};
