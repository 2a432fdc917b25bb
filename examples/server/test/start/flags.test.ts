import { expect, test } from 'vitest';
import { CommandError } from '../../command/command-error.ts';
import { parseFlags } from '../../command/flags.ts';
import { help } from '../../help.ts';
import { locationName } from '../../open/data-location.ts';

test('without flags, the server uses the documented address and file', () => {
  expect(parseFlags([])).toEqual({
    help: false,
    version: false,
    host: '127.0.0.1',
    port: 3000,
    data: { _tag: 'File', filename: 'clinical-records.db' },
    createTenant: false,
    processes: 1,
    import: undefined,
    importOnly: false,
    importUpdates: 'newer',
    empty: false,
    access: null,
    backup: undefined,
    export: undefined,
    verify: false,
    verifyAudit: false,
    basePath: '/fhir',
    baseUrl: null,
    usCore: false,
    organization: undefined,
    corsOrigins: null,
    defaultReturn: 'minimal',
    log: 'text',
    telemetry: false,
    audit: false,
    mcp: false,
    corrections: false,
    drain: 0,
  });
});

test('the help names every flag', () => {
  const { access, ...others } = parseFlags([]);
  for (const flag of ['tokens', 'jwks', 'issuer', 'audience', ...Object.keys(others)]) {
    expect(help).toContain(`--${flag.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)} `);
  }
});

const authorizationServer = [
  ...['--jwks', 'https://login.example/jwks', '--issuer', 'https://login.example'],
  ...['--audience', 'https://clinic.example/fhir'],
];

test('tokens are those of a file, or of an authorization server', () => {
  expect(parseFlags(['--tokens', 'tokens.json']).access).toEqual({ _tag: 'TokensFile', file: 'tokens.json' });
  expect(parseFlags(authorizationServer).access).toEqual({
    _tag: 'AuthorizationServer',
    jwks: 'https://login.example/jwks',
    issuer: 'https://login.example',
    audience: 'https://clinic.example/fhir',
  });
});

test.each([
  ['/', ''],
  ['/fhir/', '/fhir'],
  ['/clinic/v1', '/clinic/v1'],
])('a base path of %s is normalized to %j', (path, basePath) => {
  expect(parseFlags(['--base-path', path]).basePath).toBe(basePath);
});

test.each([
  [[], null],
  [['--cors-origins', '*'], '*'],
  [
    ['--cors-origins', 'http://localhost:8080,https://app.example'],
    ['http://localhost:8080', 'https://app.example'],
  ],
])('the origins of %j', (args, origins) => {
  expect(parseFlags(args).corsOrigins).toEqual(origins);
});

test.each<[args: readonly string[], message: RegExp]>([
  [
    ['--cors-origins', 'localhost:8080'],
    /^--cors-origins is \* or origins such as http:\/\/localhost:8080, not 'localhost:8080'$/,
  ],
  [['--cors-origins', 'https://app.example/'], /^--cors-origins is/],
  [['--default-return', 'null'], /^--default-return is minimal or representation, not 'null'$/],
  [['--host', ''], /^--host is an address such as 0\.0\.0\.0, or a name, not ''$/],
  [['--host', 'http://clinic.example'], /^--host is an address/],
  [['--base-url', 'https://clinic.example/fhir/'], /^--base-url is a URL such as https:.*, without a slash/],
  [['--base-url', 'clinic.example'], /^--base-url is a URL/],
  [['--log', 'xml'], /^--log is text or json, not 'xml'$/],
  [['--query-timeout', '30'], /^--query-timeout goes with --database$/],
  [
    ['--query-timeout', '10', '--database', 'postgres://h/d'],
    /^--query-timeout is a whole number of seconds from 11 to 3600, not '10'$/,
  ],
  [['--query-timeout', '3601', '--database', 'postgres://h/d'], /^--query-timeout is a whole number/],
  [['--drain', '-1'], /argument is ambiguous; see --help$/],
  [['--drain', '1.5'], /^--drain is a whole number of seconds from 0 to 3600, not '1.5'$/],
  [['--drain', '3601'], /^--drain is a whole number of seconds/],
  [['--prot', '1'], /^Unknown option '--prot'; see --help$/],
  [['serve'], /^Unexpected argument 'serve'; see --help$/],
  [['--port'], /argument missing; see --help$/],
  [['--empty=no'], /does not take an argument; see --help$/],
  [['--port', '65536'], /^--port is a whole number from 0 to 65535, not '65536'$/],
  [['--port', '3e3'], /^--port is a whole number/],
  [['--port', ''], /^--port is a whole number/],
  [['--base-path', 'fhir'], /^--base-path is a path such as \/fhir, not 'fhir'$/],
  [['--base-path', '/a?b'], /^--base-path is a path/],
  [['--bulk-export', 'out', '--processes', '2'], /^--bulk-export needs one process/],
  [['--bulk-export', ''], /^--bulk-export names nothing$/],
  [['--groups', 'groups.json', '--processes', '2'], /^--groups needs one process/],
  [['--groups', 'groups.json', '--data', ':memory:'], /^--groups needs --bulk-export FOLDER/],
  [['--groups', ''], /^--groups names nothing$/],
  [['--processes', '0'], /^--processes is a whole number from 1 to 64, not '0'$/],
  [['--processes', '65'], /^--processes is a whole number/],
  [['--processes', '1.5'], /^--processes is a whole number/],
  [
    ['--processes', '2', '--data', ':memory:'],
    /^--processes 2 needs a file: other processes cannot use :memory:$/,
  ],
  [['--data', 'a.db', '--database', 'postgres://h/d'], /^--data and --database cannot be combined: name one/],
  [
    ['--database', 'mysql://u:secret@h/d'],
    /^--database is a URL such as postgres:\/\/user@localhost:5432\/database, or with several hosts: db1:5432,db2:5432$/,
  ],
  [['--database', 'postgres://u:secret@h1,/d'], /^--database is a URL such as/],
  [['--database', 'postgres://h/d', '--replica', 'h2'], /^--replica is a URL such as/],
  [['--replica', 'postgres://h/d'], /^--replica goes with --database$/],
  [['--pool', '3'], /^--pool goes with --database$/],
  [['--unprepared'], /^--unprepared goes with --database$/],
  [['--database', 'postgres://h/d', '--pool', '0'], /^--pool is a whole number .* from 1 to 1000, not '0'$/],
  [['--tenant', 'north'], /^--tenant goes with --database$/],
  [['--database', 'postgres://h/d', '--tenant', 'a_b'], /^--tenant is a name of .* hyphens, not 'a_b'$/],
  [['--database', 'postgres://h/d', '--create-tenant'], /^--create-tenant goes with --tenant$/],
  [
    ['--copy-from', 'a.db', '--database', 'postgres://h/d', '--tenant', 'north'],
    /^--copy-from copies into a schema of its own, so it cannot be combined with --tenant$/,
  ],
  [['--schema', 'north'], /^--schema goes with --database$/],
  [
    ['--database', 'postgres://h/d', '--schema', 'North'],
    /^--schema is a name of at most 49 of a-z, 0-9 and _/,
  ],
  [
    ['--database', 'postgres://h/d', '--schema', 'north', '--backup', 'copy.db'],
    /^--backup copies a file; for PostgreSQL, use pg_dump -n north$/,
  ],
  [['--copy-from', 'a.db', '--data', 'a.db'], /^--copy-from names the data that it would copy into$/],
  [
    ['--copy-from', 'postgres://u@h/d', '--database', 'postgres://u:secret@h/d'],
    /^--copy-from names the data that it would copy into$/,
  ],
  [
    ['--copy-from', 'a.db', '--import', 'exports'],
    /^--copy-from ends after the copy, so it cannot be combined with --import$/,
  ],
  [['--copy-from', 'a.db', '--verify'], /^--copy-from ends after the copy, so it .* --verify$/],
  [['--copy-from', 'a.db', '--data', ':memory:'], /^--copy-from needs a file or a database to copy into$/],
  [['--copy-from', 'a.db', '--copy-schema', 'north'], /^--copy-schema goes with a URL$/],
  [['--copy-schema', 'north'], /^--copy-schema goes with --copy-from$/],
  [['--copy-from='], /^--copy-from names nothing$/],
  [['--data', ''], /^--data names nothing$/],
  [['--import-only'], /^--import-only goes with --import$/],
  [['--import-only', '--import', 'a', '--data', ':memory:'], /^--import-only needs a file or a database/],
  [['--import-updates', 'all'], /^--import-updates goes with --import$/],
  [['--import', 'a', '--import-updates', 'some'], /^--import-updates is newer, all or none, not 'some'$/],
  [['--import='], /^--import names nothing$/],
  [['--tokens='], /^--tokens names nothing$/],
  [['--issuer', 'https://login.example'], /^--issuer and --audience go with --jwks$/],
  [['--jwks', 'https://login.example/jwks'], /^--jwks needs --issuer and --audience/],
  [[...authorizationServer, '--tokens', 'tokens.json'], /^--tokens and --jwks cannot be combined/],
  [
    [...authorizationServer, '--jwks', 'http://login.example/jwks'],
    /^--jwks must be a URL of https, or of http on this machine$/,
  ],
  [['--backup='], /^--backup names nothing$/],
  [['--export='], /^--export names nothing$/],
  [['--data', ':memory:', '--backup', 'copy.db'], /^--backup needs a file to back up$/],
  [['--data', ':memory:', '--export', 'out'], /^--export needs a file or a database to export$/],
  [
    ['--copy-from', 'other.db', '--export', 'out'],
    /^--copy-from ends after the copy, so it cannot be combined with --export$/,
  ],
])('%j is refused in one line', (args, message) => {
  const parsing = () => parseFlags(args);
  expect(parsing).toThrow(CommandError);
  expect(parsing).toThrow(message);
  expect(parsing).not.toThrow('\n');
});

test('the flags of a database say how it is used, and messages name it without its password', () => {
  const { data } = parseFlags([
    ...['--database', 'postgres://clinic:secret@db1:5432,db2/charts?sslmode=require', '--tenant', 'north'],
    ...[
      '--replica',
      'postgres://db2/charts',
      '--replica',
      'postgres://db3/charts',
      '--pool',
      '20',
      '--unprepared',
    ],
  ]);
  expect(data).toMatchObject({
    url: 'postgres://clinic:secret@db1:5432,db2/charts?sslmode=require',
    tenant: 'north',
    replicas: ['postgres://db2/charts', 'postgres://db3/charts'],
    poolSize: 20,
    isUnprepared: true,
  });
  expect(locationName(data)).toBe(
    'postgres://clinic@db1:5432,db2/charts (schema clinical_records, tenant north)',
  );
});
