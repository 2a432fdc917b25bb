import { CommandError } from './command-error.ts';

/** A SQLite file. */
export type FileLocation = { readonly _tag: 'File'; readonly filename: string };

/** A schema of a PostgreSQL database. */
export type DatabaseLocation = {
  readonly _tag: 'Database';
  readonly url: string;
  readonly schema: string;
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

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** Throws a `CommandError` if the flag names no database. The message does not show the URL and its password. */
export const parseDatabase = (
  flag: string,
  url: string,
  schema: string,
  queryTimeout?: number,
): DatabaseLocation => {
  if (!isPostgresUrl(url) || !URL.canParse(url)) {
    throw new CommandError(`${flag} is a URL such as postgres://user@localhost:5432/database`);
  }
  return { _tag: 'Database', url, schema, queryTimeout };
};

export const parseFile = (flag: string, filename: string): FileLocation => {
  if (filename === '') throw new CommandError(`${flag} names nothing`);
  return { _tag: 'File', filename };
};

/** The location for messages: the URL of a database is without its password. */
export const locationName = (location: DataLocation): string => {
  if (location._tag === 'File') return location.filename;
  const { protocol, username, host, pathname } = new URL(location.url);
  const user = username === '' ? '' : `${username}@`;
  return `${protocol}//${user}${host}${pathname} (schema ${location.schema})`;
};
