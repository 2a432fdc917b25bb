import { parseArgs } from 'node:util';
import { Refusal } from './refusal.ts';

export const help = `Serves clinical records over HTTP on 127.0.0.1, from a SQLite file.

Usage: npm start -- [flags]

  --port PORT        where to listen; 0 takes any that is free (default 3000)
  --data FILE        the SQLite file, made if it is not there (default clinical-records.db)
  --import PATH      first take in the FHIR resources of a file or a folder: *.ndjson, Bundles or resources in *.json,
                     either with .gz
  --empty            make a new file without the demo clinic
  --tokens FILE      who may come in: [{ "token", "subject", "scopes": ["user/*.read"], "patient"? }];
                     without it, a token for everything is made and printed
  --base-path PATH   where the interface lies (default /fhir)
  --backup FILE      copy the data into a new file, while others may use it, and end
  --verify           check the data, change nothing, and end: with 1 if anything is amiss
  --head HEAD        with --verify: a head that it printed before, which must still be in the data
  --help             show this
`;

/** What the server was told to do. */
export type Flags = {
  readonly help: boolean;
  readonly port: number;
  readonly data: string;
  readonly import: string | undefined;
  readonly empty: boolean;
  readonly tokens: string | undefined;
  readonly backup: string | undefined;
  readonly verify: boolean;
  /** What an earlier verification printed as its head. */
  readonly head: string | undefined;
  /** Without a slash at its end; empty for the root. */
  readonly basePath: string;
};

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        data: { type: 'string', default: 'clinical-records.db' },
        import: { type: 'string' },
        empty: { type: 'boolean', default: false },
        tokens: { type: 'string' },
        'base-path': { type: 'string', default: '/fhir' },
        backup: { type: 'string' },
        verify: { type: 'boolean', default: false },
        head: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    const [sentence = ''] = (cause as Error).message.split(/(?<=\.) |\n/);
    throw new Refusal(`${sentence.replace(/\.$/, '')}; see --help`);
  }
};

const portOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Refusal(`--port is a whole number from 0 to 65535, not '${text}'`);
  }
  return Number(text);
};

const basePathOf = (text: string): string => {
  if (!/^\/$|^(\/[\w.~-]+)+\/?$/.test(text)) {
    throw new Refusal(`--base-path is a path such as /fhir, not '${text}'`);
  }
  return text.replace(/\/$/, '');
};

const headOf = (text: string, isVerifying: boolean): string => {
  if (!isVerifying) throw new Refusal('--head goes with --verify');
  if (!/^\d+:[0-9a-f]*$/.test(text)) throw new Refusal('--head is what --verify printed as the head');
  return text;
};

const named = (flag: string, path: string): string => {
  if (path === '') throw new Refusal(`${flag} names nothing`);
  return path;
};

/** Throws a `Refusal` for a flag that is not known, or a value that a flag does not take. */
export const parseFlags = (args: readonly string[]): Flags => {
  const {
    port,
    data,
    import: folder,
    tokens,
    backup,
    head,
    'base-path': basePath,
    ...switches
  } = parsed(args);
  return {
    ...switches,
    port: portOf(port),
    data: named('--data', data),
    import: folder === undefined ? undefined : named('--import', folder),
    tokens: tokens === undefined ? undefined : named('--tokens', tokens),
    backup: backup === undefined ? undefined : named('--backup', backup),
    head: head === undefined ? undefined : headOf(head, switches.verify),
    basePath: basePathOf(basePath),
  };
};
