import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the compiler on a project, and returns its errors. The file keeps its results for the next run. */
const compile = (project: string, file: string): Promise<string> =>
  new Promise((resolve) => {
    const flags = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/${file}.tsbuildinfo`];
    const compiler = ['node_modules/typescript/bin/tsc', '-p', project, ...flags];
    execFile(process.execPath, compiler, { cwd: root }, (error, stdout, stderr) =>
      resolve(error === null ? '' : `${error.code}\n${stdout}${stderr}`),
    );
  });

test.each([
  ['.', 'types'],
  ['examples/chart', 'chart-types'],
  // Without kept results, it takes longer than any other test.
])('the types of %s are correct', { timeout: 600_000 }, async (project, file) => {
  expect(await compile(project, file)).toBe('');
});
