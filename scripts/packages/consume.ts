import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, PackedPackage } from './pack.ts';
import { run, workspace } from './run.ts';

const readPackageFile = (path: string) => readFileSync(join(workspace, 'packages', path), 'utf8');

const readExample = (path: string) => readFileSync(join(workspace, 'examples', path), 'utf8');

/** Checks the types of all libraries, with the strictest settings. */
const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  rewriteRelativeImportExtensions: true,
  types: ['node'],
  outDir: 'compiled',
};

/** The oldest Node that the packages support, such as 22.18.0, from their `engines`. */
const oldestVersion = (): string => {
  const { engines } = JSON.parse(readPackageFile('core/package.json')) as {
    readonly engines: { node: string };
  };
  const [, version = ''] = /^>=(\S+)/.exec(engines.node) ?? [];
  return version;
};

/** The newest Node that we pin: that of a Mac, on which the tests run with it. */
const newestVersion = (): string => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const [newest = ''] = Object.values(optionalDependencies).toSorted(
    (a, b) => Number.parseFloat(b) - Number.parseFloat(a),
  );
  return newest;
};

/** Installs the oldest Node that the packages support and the newest one, and returns their executables, and that of this one. */
export const installNodes = async (folder: string): Promise<readonly string[]> => {
  const install = async (version: string): Promise<string> => {
    const wanted = `--package=node@${version}`;
    return (await run(folder, 'npx', '--silent', '--yes', wanted, 'node', '-p', 'process.execPath')).trim();
  };
  return [await install(oldestVersion()), process.execPath, await install(newestVersion())];
};

type ModuleType = 'module' | 'commonjs';

/** The entries of a package that a module of the type can import, such as `@clinical-records/core/store`. */
const entriesOf = ({ name, exports }: Manifest, type: ModuleType): readonly string[] =>
  // The contract runs in vitest, which cannot be required.
  type === 'commonjs' && name.endsWith('/store-contract')
    ? []
    : Object.keys(exports).map((entry) => entry.replace('.', name));

/** A module that imports all entries of all packages. */
const importAll = (packages: readonly PackedPackage[], type: ModuleType): string =>
  packages
    .flatMap(({ manifest }) => entriesOf(manifest, type))
    .map((entry, index) => `export * as entry${index} from '${entry}';\n`)
    .join('');

/**
 * Installs the tarballs into an empty project, in which npm chooses the peers. It compiles a host and a module that imports
 * all entries, and the example with types of its own, runs them on each Node, and runs the store contract on the memory store.
 */
export const consume = async (
  type: ModuleType,
  {
    packages,
    folder,
    nodes,
  }: {
    readonly packages: readonly PackedPackage[];
    readonly folder: string;
    readonly nodes: readonly string[];
  },
): Promise<void> => {
  const project = join(folder, type);
  const files = {
    'package.json': JSON.stringify({ private: true, type }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', '*.mts'] }),
    'entries.ts': importAll(packages, type),
    'host.ts': readPackageFile('http-adapter/test/types/host.ts'),
    'condition.ts': readExample('conditions/condition.ts'),
    'allergy.ts': readExample('conditions/allergy.ts'),
    'chart.ts': readExample('conditions/chart.ts'),
    'types.ts': "import { describeChart } from './chart.ts';\nvoid describeChart();\n",
    // The contract cannot be required.
    'contract.test.mts': readPackageFile('store-memory/test/contract.test.ts').replace(
      '../src/index.ts',
      '@clinical-records/store-memory',
    ),
  };
  mkdirSync(project);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(project, name), content);

  const tarballs = packages.map(({ tarball }) => tarball);
  const install = (...wanted: readonly string[]) =>
    run(project, 'npm', 'install', '--no-audit', '--no-fund', ...wanted);
  await install(...tarballs, '@types/node@24', '@opentelemetry/api@1');
  // With node16, TypeScript does not know that Node requires ES modules.
  const moduleOptions = type === 'module' ? ['nodenext', 'node16'] : ['nodenext'];
  for (const compiler of ['typescript', 'typescript-7'])
    for (const module of moduleOptions)
      await run(
        project,
        join(workspace, 'node_modules', compiler, 'bin/tsc'),
        ...['-p', '.', '--module', module],
      );
  const runOnNodes = async (file: string, ...options: readonly string[]) => {
    for (const node of nodes)
      assert.equal(await run(project, node, ...options, file), '', `${file} prints something.`);
  };
  await runOnNodes('compiled/entries.js');
  await runOnNodes('compiled/types.js');
  // Node 22 warns that its SQLite is experimental.
  await runOnNodes('compiled/host.js', '--disable-warning=ExperimentalWarning');
  await install('better-sqlite3@13');
  await runOnNodes('compiled/host.js');
  await run(project, 'node_modules/.bin/vitest', 'run', 'contract.test.mts');
};
