import { parseArgs } from 'node:util';
import type { UpdateMode } from '@clinical-records/core';
import type { PreferredReturn } from '@clinical-records/http-adapter';
import { type Access, parseAccess } from '../access/access.ts';
import { type DataLocation, isInMemory, isTenant, locationName } from '../open/data-location.ts';
import type { LogFormat } from '../serve/log.ts';
import { CommandError } from './command-error.ts';
import { parseCopyFrom, parseData } from './data-flags.ts';
import {
  parseBasePath,
  parseBaseUrl,
  parseCorsOrigins,
  parseDefaultReturn,
  parseDrain,
  parseHost,
  parseLog,
  parseOrganization,
  parsePort,
} from './serving-flags.ts';

export type Flags = {
  readonly help: boolean;
  readonly version: boolean;
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  readonly data: DataLocation;
  readonly createTenant: boolean;
  readonly processes: number;
  readonly import: string | undefined;
  /** Whether the command ends after the import. */
  readonly importOnly: boolean;
  /** The records that exist and that the import may update. */
  readonly importUpdates: UpdateMode;
  readonly empty: boolean;
  /** How requests are authenticated; null for a token that is created. */
  readonly access: Access | null;
  readonly backup: string | undefined;
  /** The folder into which the resources are exported. */
  readonly export: string | undefined;
  /** The folder for the files of `$export`; undefined for the one beside the data. */
  readonly bulkExport: string | undefined;
  /** The file with the groups whose patients `$export` exports. */
  readonly groups: string | undefined;
  /** Where the records are copied from. */
  readonly copyFrom: DataLocation | undefined;
  readonly verify: boolean;
  readonly verifyAudit: boolean;
  /** The head that an earlier verification printed. */
  readonly head: string | undefined;
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string;
  /** The URL of the interface for clients; null for the one at which it is served. */
  readonly baseUrl: string | null;
  /** The origins whose pages may use the interface, or `*` for any; null for none. */
  readonly corsOrigins: '*' | readonly string[] | null;
  /** The response to a write whose client has no preference. */
  readonly defaultReturn: PreferredReturn;
  /** Whether it is served as US Core demands where the interface says otherwise. */
  readonly usCore: boolean;
  /** The id of the organization that the clinic is; undefined for that of the demo clinic, if it is that. */
  readonly organization: string | undefined;
  readonly log: LogFormat;
  /** Whether requests and calls of the store are recorded with OpenTelemetry. */
  readonly telemetry: boolean;
  /** Whether each access is recorded. */
  readonly audit: boolean;
  /** Whether AI agents are served at `/mcp`. */
  readonly mcp: boolean;
  /** Whether users can move records and merge patients. */
  readonly corrections: boolean;
  /** The file into which the audit is exported. */
  readonly exportAudit: string | undefined;
  /** The seconds between SIGTERM and the end of new connections. */
  readonly drain: number;
};

const parseRawFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        host: { type: 'string', default: '127.0.0.1' },
        port: { type: 'string', default: '3000' },
        data: { type: 'string' },
        database: { type: 'string' },
        schema: { type: 'string' },
        tenant: { type: 'string' },
        'create-tenant': { type: 'boolean', default: false },
        replica: { type: 'string', multiple: true },
        pool: { type: 'string' },
        unprepared: { type: 'boolean' },
        'query-timeout': { type: 'string' },
        processes: { type: 'string', default: '1' },
        import: { type: 'string' },
        'import-only': { type: 'boolean', default: false },
        'import-updates': { type: 'string' },
        empty: { type: 'boolean', default: false },
        tokens: { type: 'string' },
        jwks: { type: 'string' },
        issuer: { type: 'string' },
        audience: { type: 'string' },
        'base-path': { type: 'string', default: '/fhir' },
        'base-url': { type: 'string' },
        'cors-origins': { type: 'string' },
        'default-return': { type: 'string' },
        'us-core': { type: 'boolean', default: false },
        organization: { type: 'string' },
        log: { type: 'string', default: 'text' },
        telemetry: { type: 'boolean', default: false },
        audit: { type: 'boolean', default: false },
        mcp: { type: 'boolean', default: false },
        corrections: { type: 'boolean', default: false },
        'export-audit': { type: 'string' },
        drain: { type: 'string', default: '0' },
        backup: { type: 'string' },
        export: { type: 'string' },
        'bulk-export': { type: 'string' },
        groups: { type: 'string' },
        'copy-from': { type: 'string' },
        'copy-schema': { type: 'string' },
        verify: { type: 'boolean', default: false },
        'verify-audit': { type: 'boolean', default: false },
        head: { type: 'string' },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    const [sentence = ''] = (cause as Error).message.split(/(?<=\.) |\n/);
    throw new CommandError(`${sentence.replace(/\.$/, '')}; see --help`);
  }
};

const parseProcesses = (text: string, data: DataLocation): number => {
  if (!/^[1-9]\d?$/.test(text) || Number(text) > 64) {
    throw new CommandError(`--processes is a whole number from 1 to 64, not '${text}'`);
  }
  if (text !== '1' && isInMemory(data)) {
    throw new CommandError(
      `--processes ${text} needs a file: other processes cannot use ${locationName(data)}`,
    );
  }
  return Number(text);
};

/** A head has the SHA-256 of the last version or event, or nothing if there was none. */
const parseHead = (text: string, verified: readonly boolean[]): string => {
  if (verified.filter(Boolean).length !== 1) {
    throw new CommandError('--head goes with one of --verify and --verify-audit');
  }
  if (!/^\d+:([0-9a-f]{64})?$/.test(text)) {
    throw new CommandError('--head is what --verify or --verify-audit printed as the head');
  }
  return text;
};

const requirePath = (flag: string, path: string): string => {
  if (path === '') throw new CommandError(`${flag} names nothing`);
  return path;
};

const parseBackup = (text: string, data: DataLocation): string => {
  if (data._tag === 'Database') {
    throw new CommandError(`--backup copies a file; for PostgreSQL, use pg_dump -n ${data.schema}`);
  }
  if (isInMemory(data)) throw new CommandError('--backup needs a file to back up');
  return requirePath('--backup', text);
};

const parseExport = (text: string, data: DataLocation): string => {
  if (isInMemory(data)) throw new CommandError('--export needs a file or a database to export');
  return requirePath('--export', text);
};

const parseBulkExport = (text: string, processes: string): string => {
  if (processes !== '1') throw new CommandError('--bulk-export needs one process: an export belongs to one');
  return requirePath('--bulk-export', text);
};

/** The groups of `$export`, which needs a folder for its files. */
const parseGroups = (
  text: string,
  { processes, data, bulkExport }: { processes: string; data: DataLocation; bulkExport: string | undefined },
): string => {
  if (processes !== '1') throw new CommandError('--groups needs one process: an export belongs to one');
  if (bulkExport === undefined && (data._tag === 'Database' || isInMemory(data))) {
    throw new CommandError('--groups needs --bulk-export FOLDER, unless the data is a file');
  }
  return requirePath('--groups', text);
};

const requireImport = (folder: string | undefined, data: DataLocation): true => {
  if (folder === undefined) throw new CommandError('--import-only goes with --import');
  if (isInMemory(data)) throw new CommandError('--import-only needs a file or a database to import into');
  return true;
};

const parseUpdates = (text: string | undefined, folder: string | undefined): UpdateMode => {
  if (text === undefined) return 'newer';
  if (folder === undefined) throw new CommandError('--import-updates goes with --import');
  if (text === 'newer' || text === 'all' || text === 'none') return text;
  throw new CommandError(`--import-updates is newer, all or none, not '${text}'`);
};

/** Throws a `CommandError` for an unknown flag, or a value that a flag does not allow. */
export const parseFlags = (args: readonly string[]): Flags => {
  const {
    host,
    port,
    data: file,
    database,
    schema,
    tenant,
    'create-tenant': createTenant,
    replica,
    pool,
    unprepared,
    'query-timeout': queryTimeout,
    processes,
    import: folder,
    'import-only': importOnly,
    'import-updates': importUpdates,
    tokens,
    jwks,
    issuer,
    audience,
    log,
    drain,
    backup,
    export: exportFolder,
    'bulk-export': bulkExport,
    groups,
    'export-audit': auditFile,
    'verify-audit': verifyAudit,
    head,
    'copy-from': copyFrom,
    'copy-schema': copySchema,
    'base-path': basePath,
    'base-url': baseUrl,
    'cors-origins': corsOrigins,
    'default-return': defaultReturn,
    'us-core': usCore,
    organization,
    ...switches
  } = parseRawFlags(args);
  const data = parseData(file, database, {
    ...{ schema, tenant, replica, pool, unprepared, 'query-timeout': queryTimeout },
  });
  if (createTenant && !isTenant(data)) throw new CommandError('--create-tenant goes with --tenant');
  return {
    ...switches,
    host: parseHost(host),
    port: parsePort(port),
    data,
    createTenant,
    processes: parseProcesses(processes, data),
    import: folder === undefined ? undefined : requirePath('--import', folder),
    importOnly: importOnly && requireImport(folder, data),
    importUpdates: parseUpdates(importUpdates, folder),
    access: parseAccess({ tokens, jwks, issuer, audience }),
    backup: backup === undefined ? undefined : parseBackup(backup, data),
    export: exportFolder === undefined ? undefined : parseExport(exportFolder, data),
    bulkExport: bulkExport === undefined ? undefined : parseBulkExport(bulkExport, processes),
    groups: groups === undefined ? undefined : parseGroups(groups, { processes, data, bulkExport }),
    exportAudit: auditFile === undefined ? undefined : requirePath('--export-audit', auditFile),
    copyFrom: parseCopyFrom(copyFrom, copySchema, {
      data,
      after: { import: folder, backup, export: exportFolder, verify: switches.verify },
    }),
    verifyAudit,
    head: head === undefined ? undefined : parseHead(head, [switches.verify, verifyAudit]),
    basePath: parseBasePath(basePath),
    baseUrl: baseUrl === undefined ? null : parseBaseUrl(baseUrl),
    corsOrigins: corsOrigins === undefined ? null : parseCorsOrigins(corsOrigins),
    defaultReturn: parseDefaultReturn(defaultReturn ?? (usCore ? 'representation' : 'minimal')),
    usCore,
    organization: organization === undefined ? undefined : parseOrganization(organization),
    log: parseLog(log),
    drain: parseDrain(drain),
  };
};
