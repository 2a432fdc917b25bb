import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The file from which the compiler knows what it has checked before, so that it takes a fifth of the time. */
const cacheOf = (project: string): string =>
  join('node_modules/.cache/types', project, 'project.tsbuildinfo');

/** Runs the compiler on a project, and returns its errors. */
const compile = (project: string): Promise<string> =>
  new Promise((resolve) => {
    // Its threads check the same types again, which takes more of the processors that other tests use meanwhile.
    const args = ['-p', project, '--singleThreaded', '--incremental', '--tsBuildInfoFile', cacheOf(project)];
    execFile('node_modules/typescript-7/bin/tsc', args, { cwd: root }, (error, stdout, stderr) =>
      resolve(error === null ? '' : `${error.code}\n${stdout}${stderr}`),
    );
  });

// On a busy machine, the compiler takes longer than any other test.
test.each(['.', 'examples/chart'])('the types of %s are correct', { timeout: 600_000 }, async (project) => {
  expect(await compile(project)).toBe('');
});
