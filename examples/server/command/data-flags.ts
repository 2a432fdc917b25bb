import {
  type DataLocation,
  isInMemory,
  isPostgresUrl,
  isTenant,
  locationName,
  parseFile,
  requireDatabase,
  serversOf,
} from '../open/data-location.ts';
import { CommandError } from './command-error.ts';

/** Letters, digits and _ need no quotes. A new schema is filled under a name that is 14 characters longer. */
const parseSchema = (flag: string, text = 'clinical_records'): string => {
  if (!/^[a-z_][a-z0-9_]{0,48}$/.test(text)) {
    throw new CommandError(`${flag} is a name of at most 49 of a-z, 0-9 and _, not '${text}'`);
  }
  return text;
};

/** More than the ten seconds that a search of all charts may take, and at most an hour. */
const parseQueryTimeout = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{2,4}$/.test(text) && Number(text) > 10 && Number(text) <= 3600) return Number(text);
  throw new CommandError(`--query-timeout is a whole number of seconds from 11 to 3600, not '${text}'`);
};

const parsePool = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000) return Number(text);
  throw new CommandError(`--pool is a whole number of connections from 1 to 1000, not '${text}'`);
};

const parseTenant = (text: string | undefined): string | undefined => {
  if (text === undefined || /^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw new CommandError(`--tenant is a name of 1 to 64 letters, digits and hyphens, not '${text}'`);
};

/** The flags that go with a database, by their names. */
type DatabaseFlags = {
  readonly schema: string | undefined;
  readonly tenant: string | undefined;
  readonly replica: readonly string[] | undefined;
  readonly pool: string | undefined;
  readonly unprepared: boolean | undefined;
  readonly 'query-timeout': string | undefined;
};

/** The data that the server uses. Throws a `CommandError` for a value that a flag does not allow. */
export const parseData = (
  file: string | undefined,
  database: string | undefined,
  flags: DatabaseFlags,
): DataLocation => {
  if (database === undefined) {
    const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (flag !== undefined) throw new CommandError(`--${flag} goes with --database`);
    return parseFile('--data', file ?? 'clinical-records.db');
  }
  if (file !== undefined)
    throw new CommandError('--data and --database cannot be combined: name one of them');
  requireDatabase('--database', database);
  for (const url of flags.replica ?? []) requireDatabase('--replica', url);
  return {
    _tag: 'Database',
    url: database,
    schema: parseSchema('--schema', flags.schema),
    tenant: parseTenant(flags.tenant),
    replicas: flags.replica?.flatMap(serversOf),
    poolSize: parsePool(flags.pool),
    isUnprepared: flags.unprepared,
    queryTimeout: parseQueryTimeout(flags['query-timeout']),
  };
};

const parseSource = (from: string, schema: string | undefined): DataLocation => {
  if (isPostgresUrl(from)) {
    requireDatabase('--copy-from', from);
    return { _tag: 'Database', url: from, schema: parseSchema('--copy-schema', schema) };
  }
  if (schema !== undefined) throw new CommandError('--copy-schema goes with a URL');
  return parseFile('--copy-from', from);
};

/** The records that are copied into `data`; undefined if none are. Flags for work after the copy are refused. */
export const parseCopyFrom = (
  from: string | undefined,
  schema: string | undefined,
  { data, after }: { readonly data: DataLocation; readonly after: Readonly<Record<string, unknown>> },
): DataLocation | undefined => {
  if (from === undefined) {
    if (schema !== undefined) throw new CommandError('--copy-schema goes with --copy-from');
    return undefined;
  }
  const [other] = Object.keys(after).filter((flag) => after[flag] !== undefined && after[flag] !== false);
  if (other !== undefined) {
    throw new CommandError(`--copy-from ends after the copy, so it cannot be combined with --${other}`);
  }
  if (isInMemory(data)) throw new CommandError('--copy-from needs a file or a database to copy into');
  if (isTenant(data))
    throw new CommandError(
      '--copy-from copies into a schema of its own, so it cannot be combined with --tenant',
    );
  const source = parseSource(from, schema);
  if (locationName(source) === locationName(data)) {
    throw new CommandError('--copy-from names the data that it would copy into');
  }
  return source;
};
