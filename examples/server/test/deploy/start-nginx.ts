import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@clinical-records/testing-postgres';
import { onTestFinished } from 'vitest';
import { newFolder } from '../running-server.ts';
import { until } from '../until.ts';

export const nginx = '/usr/sbin/nginx';

const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');

/** The rest of nginx's configuration. Where root runs the tests, others may not read the folder. */
const mainOf = (folder: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  include ${folder}/site.conf;
}
`;

const createCertificate = async (folder: string): Promise<string> => {
  const file = (ending: string) => join(folder, `clinic.example.${ending}`);
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=clinic.example', '-addext', 'subjectAltName=DNS:clinic.example'],
    ...['-keyout', file('key'), '-out', file('crt')],
  ]);
  return readFile(file('crt'), 'utf8');
};

const workersOf = (pid: number | undefined): readonly string[] =>
  execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .trim()
    .split('\n');

/** Runs nginx with the configuration of the docs, on a free port, in front of servers of this machine. */
export const startNginx = async (origins: readonly string[], change = (conf: string) => conf) => {
  const [folder, port] = [await newFolder(), await findFreePort()];
  const ca = await createCertificate(folder);
  const [first = '', second = first] = origins.map((origin) => new URL(origin).host);
  const conf = change(site)
    .replace('127.0.0.1:3000', first)
    .replace(/server 127\.0\.0\.1:3001;/, second === first ? '' : `server ${second};`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/nginx', folder)
    .replaceAll('/var/log/nginx', folder);
  const write = (text: string) => writeFile(join(folder, 'site.conf'), text);
  await writeFile(join(folder, 'nginx.conf'), mainOf(folder));
  await write(conf);

  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
    return fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
  });
  return {
    ...{ port, ca },
    log: () => readFile(join(folder, 'clinical-records.log'), 'utf8'),
    /** Sends new requests only to the other server, and returns once no request to it is in flight. */
    takeOut: async (origin: string) => {
      const { host } = new URL(origin);
      await write(conf.replace(`server ${host};`, `server ${host} down;`));
      const old = workersOf(child.pid);
      child.kill('SIGHUP');
      await until(() => workersOf(child.pid).every((pid) => !old.includes(pid)));
    },
  };
};
