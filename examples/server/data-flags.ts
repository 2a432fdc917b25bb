import { CommandError } from './command-error.ts';
import {
  type DataLocation,
  isInMemory,
  isPostgresUrl,
  locationName,
  parseDatabase,
  parseFile,
} from './data-location.ts';

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

/** The data that the server uses. Throws a `CommandError` for a value that a flag does not allow. */
export const parseData = ({
  data,
  database,
  schema,
  queryTimeout,
}: Readonly<Record<'data' | 'database' | 'schema' | 'queryTimeout', string | undefined>>): DataLocation => {
  if (database !== undefined) {
    if (data !== undefined)
      throw new CommandError('--data and --database cannot be combined: name one of them');
    return parseDatabase(
      '--database',
      database,
      parseSchema('--schema', schema),
      parseQueryTimeout(queryTimeout),
    );
  }
  if (queryTimeout !== undefined) throw new CommandError('--query-timeout goes with --database');
  if (schema !== undefined) throw new CommandError('--schema goes with --database');
  return parseFile('--data', data ?? 'clinical-records.db');
};

const parseSource = (from: string, schema: string | undefined): DataLocation => {
  if (isPostgresUrl(from)) return parseDatabase('--copy-from', from, parseSchema('--copy-schema', schema));
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
  const source = parseSource(from, schema);
  if (locationName(source) === locationName(data)) {
    throw new CommandError('--copy-from names the data that it would copy into');
  }
  return source;
};
