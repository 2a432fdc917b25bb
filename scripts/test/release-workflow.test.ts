import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';

const read = (path: string): string => readFileSync(`${workspace}${path}`, 'utf8');

test('the release runs only scripts and files that exist', () => {
  const commands = [...read('.github/workflows/release.yml').matchAll(/run: (?:npm run )?(\S+)$/gm)].map(
    ([, command = '']) => command,
  );
  const { scripts } = JSON.parse(read('package.json'));
  expect(commands).toEqual(['.ci/run', 'release']);
  expect(Object.keys(scripts)).toContain('release');
  expect(existsSync(`${workspace}.ci/run`)).toBe(true);
});
