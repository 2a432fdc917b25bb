import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase, findDebianBinaries, startPostgres } from '@clinical-records/testing-postgres';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';
import { until } from '../until.ts';
import { nginx, startNginx } from './start-nginx.ts';

afterAll(endAll);

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8');

/** The value of a key of a service that is a list in one line. */
const listOf = (service: string, key: string): readonly string[] => {
  const [, text = ''] = compose.split(`\n  ${service}:\n`);
  const [, list] = new RegExp(`^ {4}${key}: (\\[.*\\])$`, 'm').exec(text.split(/\n {2}\S/)[0] ?? '') ?? [];
  return JSON.parse(list ?? '[]');
};

test('each file that a service gets is beside the compose file, or named in its head', () => {
  const [head = ''] = compose.split('\nname:');
  const files = Array.from(compose.matchAll(/- \.\/(\S+):\//g), ([, file = '']) => file);
  expect(files).toContain('nginx.conf');
  expect(files.filter((file) => !existsSync(join(deploy, file)) && !head.includes(file))).toEqual([]);
});

const binaries = findDebianBinaries(15);

// No engine runs here, so each step is followed without one: the database, the server, the proxy and the backup.
test.skipIf(binaries === null || !existsSync(nginx))(
  'the steps of the compose file serve a database behind the proxy, and dump it',
  async () => {
    if (binaries === null) return;
    const postgres = await startPostgres({ binaries, settings: { fsync: 'off' } });
    onTestFinished(() => postgres.stop());
    const [{ url }, copy, folder] = [
      await createDatabase(postgres.url),
      await createDatabase(postgres.url),
      await newFolder(),
    ];
    const tokens = join(folder, 'tokens.json');
    const grant = { token: 'secret', subject: 'Device/walk', scopes: ['system/*.cruds'] };
    await writeFile(tokens, JSON.stringify([grant]), { mode: 0o600 });
    const args = listOf('server', 'command').map((arg) =>
      arg.startsWith('postgres://') ? url : arg.replace('/etc/tokens.json', tokens),
    );
    expect(args).toEqual(expect.arrayContaining([url, tokens]));
    const server = await startServer(args, folder);

    const [, , script = ''] = listOf('proxy', 'command');
    const sed = script.replace(/ >.*$/, '').replace('/nginx.conf', join(deploy, 'nginx.conf'));
    const conf = execFileSync('sh', ['-c', sed], { encoding: 'utf8' });
    expect(conf).toMatch(/upstream clinical_records \{\n\s+server server:3000;\n\s+keepalive/);
    const proxy = await startNginx([], () => conf.replace('server:3000', new URL(server.address).host));
    const read = request({
      ...{ host: '127.0.0.1', servername: 'clinic.example', port: proxy.port, ca: proxy.ca, agent: false },
      ...{ path: '/fhir/CareTeam?patient=7', headers: { authorization: 'Bearer secret' } },
    }).end();
    const [answer] = await once(read, 'response');
    expect(answer.resume().statusCode).toBe(200);

    const dumps = join(folder, 'backups');
    execFileSync('mkdir', [dumps]);
    for (const [name, days] of [
      ['old.dump', 16],
      ['recent.dump', 2],
    ] as const) {
      await writeFile(join(dumps, name), '');
      await utimes(join(dumps, name), new Date(), new Date(Date.now() - days * 86_400_000));
    }
    const [shell = '', path = ''] = listOf('backup', 'entrypoint');
    const { hostname, port, username, password, pathname } = new URL(url);
    const backup = spawn(shell, [join(deploy, path), dumps], {
      detached: true,
      env: {
        ...{ PATH: `${dirname(binaries.postgres)}:${process.env.PATH}`, PGDATABASE: pathname.slice(1) },
        ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password },
      },
    });
    const ended = once(backup, 'exit');
    await until(async () => backup.exitCode !== null || !(await readdir(dumps)).includes('old.dump'));
    process.kill(-Number(backup.pid), 'SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
    const [dump = '', ...others] = (await readdir(dumps)).toSorted();
    expect(others).toEqual(['recent.dump']);

    const restore = join(dirname(binaries.postgres), 'pg_restore');
    await promisify(execFile)(restore, ['-d', copy.url, join(dumps, dump)]);
    expect(await runHere('--database', copy.url, '--verify')).toMatchObject({ code: 0 });
    expect(await runHere('--database', copy.url, '--verify-audit')).toMatchObject({ code: 0 });
    expect(await server.stop()).toBe(0);
  },
);
