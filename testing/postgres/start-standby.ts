import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { findFreePort } from './free-port.ts';
import { inNewFolder, type ServerFolder } from './new-folder.ts';
import { type Postgres, runCluster, type Settings } from './run-cluster.ts';
import { findUnprivilegedUser } from './unprivileged-user.ts';

/** A server that applies the commits of another one, and answers reads. */
export type Standby = Postgres & {
  /** Makes it a primary server, which accepts writes. */
  readonly promote: () => Promise<void>;
};

const name = 'standby';

const useClient = async <Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
};

/** Copies the data folder of a running server, on which no table is dropped during the copy. */
const copyFolder = (primary: Postgres, copy: ServerFolder): Promise<void> =>
  useClient(primary.url, async (client) => {
    await client.query("select pg_backup_start('standby', fast => true)");
    await promisify(execFile)('cp', ['-a', `${primary.folder}/.`, copy.path]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    rmSync(join(copy.path, 'postmaster.pid'));
    copy.write('backup_label', rows[0].labelfile);
    copy.write('standby.signal', '');
  });

/** Lets each commit of the primary server wait until the standby has it, too. */
const synchronize = (primary: Postgres): Promise<void> =>
  useClient(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`);
    await client.query('select pg_reload_conf()');
    const state = `select from pg_stat_replication where application_name = '${name}' and sync_state = 'sync'`;
    while ((await client.query(state)).rowCount === 0) await setTimeout(10);
  });

/**
 * Starts a standby of a running server. From then on, a commit on the primary server returns only once the standby has
 * it, too: no reported commit is lost if the primary server is killed and the standby is promoted. A commit on the
 * primary server waits while the standby is down. Without a `port`, it has a free one.
 */
export const startStandby = async (
  primary: Postgres,
  {
    settings = {},
    binaries = findBinaries(),
    port,
  }: { readonly settings?: Settings; readonly binaries?: Binaries; readonly port?: number } = {},
): Promise<Standby> => {
  const user = findUnprivilegedUser();
  return inNewFolder(user, async (folder) => {
    await copyFolder(primary, folder);
    const primary_conninfo = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    const standby = await runCluster({
      binaries,
      user,
      folder,
      port: port ?? (await findFreePort()),
      settings: { primary_conninfo, wal_retrieve_retry_interval: '100ms', ...settings },
    });
    try {
      await synchronize(primary);
    } catch (cause) {
      await standby.kill();
      throw cause;
    }
    return {
      ...standby,
      promote: () =>
        useClient(standby.url, async (client) => {
          await client.query('select pg_promote()');
        }),
    };
  });
};
