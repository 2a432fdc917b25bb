import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';

/** The entries of the packages, such as `@clinical-records/core/store`, and their files. */
const entries = globSync('packages/*/package.json', { cwd: workspace })
  .toSorted()
  .flatMap((path) => {
    const { name, exports } = JSON.parse(readFileSync(join(workspace, path), 'utf8')) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string>>;
    };
    return Object.entries(exports).map(([entry, file]) => ({
      entry: entry.replace('.', name),
      file: join(workspace, dirname(path), file),
    }));
  });

/** The names that an entry exports, and of what its modules are made: no types are checked. */
const listNames = (): string => {
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true, noEmit: true },
  );
  const checker = program.getTypeChecker();
  return entries
    .map(({ entry, file }) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      const names = module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
      return `${entry} (${names.length})\n${names
        .toSorted()
        .map((name) => `  ${name}\n`)
        .join('')}`;
    })
    .join('\n');
};

// Each name is a promise. Write the list again with `npx vitest run scripts/test/public-names.process.test.ts -u`.
test('the packages export these names', async () => {
  await expect(listNames()).toMatchFileSnapshot('public-names.txt');
});
