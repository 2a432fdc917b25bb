import { CommandError } from '../command/command-error.ts';

export type FileLocation = { readonly _tag: 'File'; readonly filename: string };

/** A schema of a PostgreSQL database. */
export type DatabaseLocation = {
  readonly _tag: 'Database';
  /** With several hosts, the records are in the database of the one that is the primary. */
  readonly url: string;
  readonly schema: string;
  /** The clinic among those that share the tables of the schema. Default: the one that each schema begins with. */
  readonly tenant?: string | undefined;
  /** The URLs of standby servers that are read, too. */
  readonly replicas?: readonly string[] | undefined;
  /** The most connections of a process for requests. Default: 10. */
  readonly poolSize?: number | undefined;
  /** Whether statements are not prepared under names, for a pooler that does not track them. */
  readonly isUnprepared?: boolean | undefined;
  /** How many seconds a query waits for its result. Default: 15. */
  readonly queryTimeout?: number | undefined;
};

/** Where the records are. It can be sent to another process. */
export type DataLocation = FileLocation | DatabaseLocation;

/** The name of SQLite for a database that belongs to one process, and has no file. */
const inMemory = ':memory:';

/** Whether the records belong to one process, and are gone when it ends. */
export const isInMemory = (location: DataLocation): boolean =>
  location._tag === 'File' && location.filename === inMemory;

/** Whether the records are those of a clinic among several that share tables. */
export const isTenant = (location: DataLocation): boolean =>
  location._tag === 'Database' && location.tenant !== undefined;

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/**
 * The URLs of the servers that a URL names: `postgres://user@db1:5432,db2:5432/database` names two. Source: PostgreSQL,
 * "Connection Strings".
 */
export const serversOf = (url: string): readonly string[] => {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?#@]*@)?)([^/?#]*)(.*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => before + host + after);
};

/** Throws a `CommandError` if a flag names no database. The message does not show the URL and its password. */
export const requireDatabase = (flag: string, url: string): void => {
  if (isPostgresUrl(url) && serversOf(url).every((server) => URL.parse(server)?.host)) return;
  throw new CommandError(
    `${flag} is a URL such as postgres://user@localhost:5432/database, or with several hosts: db1:5432,db2:5432`,
  );
};

export const parseFile = (flag: string, filename: string): FileLocation => {
  if (filename === '') throw new CommandError(`${flag} names nothing`);
  return { _tag: 'File', filename };
};

/** The location for messages: the URL of a database is without its password. */
export const locationName = (location: DataLocation): string => {
  if (location._tag === 'File') return location.filename;
  const { url, schema, tenant } = location;
  const servers = serversOf(url).map((server) => new URL(server));
  const [{ protocol, username, pathname } = new URL(url)] = servers;
  const user = username === '' ? '' : `${username}@`;
  const hosts = servers.map(({ host }) => host).join();
  return `${protocol}//${user}${hosts}${pathname} (schema ${schema}${tenant === undefined ? '' : `, tenant ${tenant}`})`;
};
