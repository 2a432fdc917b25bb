import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { workspace } from './run.ts';
import { withDocstrings } from './with-docstrings.ts';

// Adds the docstrings of schemas to the declarations of the core, which is built.

const core = join(workspace, 'packages/core');
const { config } = ts.readConfigFile(join(workspace, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, workspace);
const program = ts.createProgram(
  globSync('src/*.ts', { cwd: core }).map((name) => join(core, name)),
  options,
);
const sources = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/packages/core/src/'));

for (const name of globSync('dist/*.d.ts', { cwd: core })) {
  const file = join(core, name);
  writeFileSync(file, withDocstrings(readFileSync(file, 'utf8'), sources, program.getTypeChecker()));
}
