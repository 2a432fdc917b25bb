import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';

test('the worked change applies to the sources as they are', () => {
  const [, change = ''] =
    /^```diff\n([\s\S]*?)^```$/m.exec(readFileSync(`${workspace}CONTRIBUTING.md`, 'utf8')) ?? [];
  expect(change).toContain('+++ b/packages/core/src/goal/record.ts');
  const apply = () =>
    execFileSync('git', ['apply', '--check', '-C1'], { cwd: workspace, input: change, stdio: 'pipe' });
  expect(apply).not.toThrow();
});
