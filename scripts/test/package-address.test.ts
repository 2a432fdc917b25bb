import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { workspace } from '../packages/run.ts';

/** The manifest of a package as it is packed in a project with this root. */
const pack = (root: object): object => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(workspace, '.pnpmfile.cjs'), join(folder, '.pnpmfile.cjs'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  const { hooks } = createRequire(import.meta.url)(join(folder, '.pnpmfile.cjs'));
  return hooks.beforePacking({ name: 'one' }, join(folder, 'packages', 'one'));
};

test('a packed package has the address of the project, and the folder in which it is', () => {
  expect(pack({ repository: 'https://git.example/records' })).toEqual({
    name: 'one',
    repository: { type: 'git', url: 'git+https://git.example/records.git', directory: 'packages/one' },
    homepage: 'https://git.example/records/tree/main/packages/one#readme',
    bugs: 'https://git.example/records/issues',
  });
});

test('a project without an address packs none', () => {
  expect(pack({})).toEqual({ name: 'one' });
});
