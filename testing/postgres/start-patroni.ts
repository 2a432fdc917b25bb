import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Client } from 'pg';
import { findDebianBinaries } from './binaries.ts';
import { findFreePort } from './free-port.ts';
import { inNewFolder, type ServerFolder } from './new-folder.ts';
import { killAll, startProcess } from './server-process.ts';
import { findUnprivilegedUser } from './unprivileged-user.ts';

/** Two PostgreSQL servers. Patroni makes one the primary, and the other its synchronous standby. */
export type PatroniCluster = {
  /** The database `postgres` of each server. */
  readonly urls: readonly string[];
  /** Kills all processes of the primary server at one moment. Patroni promotes the other one. */
  readonly killPrimary: () => Promise<void>;
  /** Returns once commits on the primary server wait for the standby. */
  readonly untilSynchronous: () => Promise<void>;
  /** Ends all servers and removes their folders. */
  readonly stop: () => Promise<void>;
};

type Programs = Readonly<Record<'patroni' | 'etcd' | 'postgresFolder', string>>;

const findProgram = (name: string): string | null =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null;

/** The programs of Debian's packages; null if one is not installed. */
export const findPatroni = (): Programs | null => {
  const [patroni, etcd, postgres] = [findProgram('patroni'), findProgram('etcd'), findDebianBinaries(15)];
  if (patroni === null || etcd === null || postgres === null) return null;
  return { patroni, etcd, postgresFolder: dirname(postgres.postgres) };
};

/** A process in a folder of its own. */
type Service = { readonly url: string; readonly folder: string; readonly stop: () => Promise<void> };

type Command = {
  readonly args: (address: string, folder: ServerFolder) => Promise<readonly [string, ...string[]]>;
  readonly ready: string;
};

/** Starts a service that listens on a free port. */
const startService = async ({ args, ready }: Command): Promise<Service> => {
  const user = findUnprivilegedUser();
  const address = `127.0.0.1:${await findFreePort()}`;
  return inNewFolder(user, async (folder) => {
    const process = await startProcess(await args(address, folder), { ready, user });
    return {
      url: `postgres://postgres@${address}/postgres`,
      folder: folder.path,
      stop: async () => {
        await process.end('SIGTERM');
        folder.remove();
      },
    };
  });
};

const etcdCommand = ({ etcd }: Programs): Command => ({
  ready: 'ready to serve client requests',
  args: async (address, folder) => {
    const peer = `http://127.0.0.1:${await findFreePort()}`;
    const client = `http://${address}`;
    return [
      ...([etcd, '--data-dir', join(folder.path, 'data')] as const),
      ...['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer],
      ...['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
    ];
  },
});

const nodeCommand = (
  { patroni, postgresFolder }: Programs,
  { name, etcdUrl, ready }: { readonly name: string; readonly etcdUrl: string; readonly ready: string },
): Command => ({
  ready,
  args: async (address, folder) => {
    const rest = `127.0.0.1:${await findFreePort()}`;
    const superuser = { username: 'postgres' };
    folder.write(
      'patroni.yml',
      JSON.stringify({
        scope: 'clinic',
        name,
        restapi: { listen: rest, connect_address: rest },
        etcd3: { hosts: new URL(etcdUrl).host },
        bootstrap: {
          dcs: {
            ...{ ttl: 20, loop_wait: 1, retry_timeout: 3, synchronous_mode: true },
            // A primary that crashed is not started again before the other server is promoted.
            primary_start_timeout: 0,
          },
          initdb: ['no-sync', { encoding: 'UTF8' }, { locale: 'C' }],
        },
        postgresql: {
          ...{ listen: address, connect_address: address, bin_dir: postgresFolder },
          ...{ data_dir: join(folder.path, 'data'), pgpass: join(folder.path, 'pgpass') },
          authentication: { superuser, replication: superuser },
          pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
          parameters: { unix_socket_directories: folder.path, dynamic_shared_memory_type: 'mmap' },
          // A server that was the primary begins again as a copy of the new one.
          remove_data_directory_on_diverged_timelines: true,
        },
      }),
    );
    return [patroni, join(folder.path, 'patroni.yml')];
  },
});

const query = async (url: string, text: string): Promise<readonly unknown[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

/** Whether a query on a server returns a row; not if it does not answer. */
const hasRow = (url: string, text: string): Promise<boolean> =>
  query(url, text).then(
    (rows) => rows.length > 0,
    () => false,
  );

const isPrimary = 'select where not pg_is_in_recovery()';
const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'";

/** Starts two servers under Patroni, and the etcd in which Patroni notes the primary. */
export const startPatroniCluster = async (): Promise<PatroniCluster> => {
  const programs = findPatroni();
  if (programs === null) throw new Error('Patroni, etcd or PostgreSQL 15 is not installed.');
  const etcd = await startService(etcdCommand(programs));
  const startNode = (name: string, ready: string) =>
    startService(nodeCommand(programs, { name, etcdUrl: etcd.url, ready }));
  const nodes = [await startNode('a', 'the leader with the lock')];
  nodes.push(await startNode('b', 'following a leader'));
  const findPrimary = async (): Promise<Service> => {
    for (;;) for (const node of nodes) if (await hasRow(node.url, isPrimary)) return node;
  };
  return {
    urls: nodes.map(({ url }) => url),
    killPrimary: async () => {
      const { folder } = await findPrimary();
      const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
      killAll(Number(pid));
    },
    untilSynchronous: async () => {
      while (!(await hasRow((await findPrimary()).url, isSynchronous)));
    },
    stop: async () => {
      for (const { stop } of nodes.toReversed()) await stop();
      await etcd.stop();
    },
  };
};
