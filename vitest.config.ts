import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';

const typeTests = 'packages/*/test/types/*.test.ts';

/** The folder of Linux whose files are in memory. */
const memoryFolder = '/dev/shm';

const hasRoom = (folder: string): boolean => {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 1024 ** 3;
};

// A killed process leaves its files to the system, synced or not. So no test needs a disk, whose syncs take half of the time.
if (hasRoom(memoryFolder)) process.env.TMPDIR ??= memoryFolder;

/** Tests that start processes of ours or end servers, and others that take long. They take as long as all others together. */
const processTests = '**/*.process.test.ts';

/** Tests of the adapter that run on every store. */
const hostTypes = 'packages/http-adapter/test/host-types/*.test.ts';

/** The contract of stores on PostgreSQL, which a change of the core can break. */
const postgresContract = 'packages/store-postgres/test/contract.test.ts';

/** A test without an assertion proves nothing, and one that waits for something must not depend on speed. */
const expect = { requireAssertions: true, poll: { timeout: 30_000 } };

const testsOf = (name: string, include: string, ...excluded: readonly string[]) => ({
  extends: true as const,
  test: { name, include: [include], exclude: [typeTests, processTests, ...excluded], expect },
});

const project = (name: string, folder: string, ...excluded: readonly string[]) =>
  testsOf(name, `${folder}/test/**/*.test.ts`, ...excluded);

const globalSetup = ['testing/postgres/global-setup.ts'];

const onPostgres = (tests: ReturnType<typeof testsOf>) => mergeConfig(tests, { test: { globalSetup } });

export default defineConfig({
  test: {
    // No test depends on speed: this is for what hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests that wait for processes leave their worker idle.
    maxWorkers: availableParallelism() + 1,
    // No module keeps anything between tests, and to load them anew for each file takes half of the time.
    isolate: false,
    // Node runs the sources as they are, as it does for a host. What Vite makes of them takes a tenth longer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    restoreMocks: true,
    // The second writes down which tests passed, for `npm run check:interface`.
    reporters: ['default', './scripts/interface/test-runs.ts'],
    // The processes that tests start find compiled what was compiled before, and are there in half the time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    projects: [
      project('core', 'packages/core'),
      project('store-memory', 'packages/store-memory'),
      project('store-sqlite', 'packages/store-sqlite'),
      project('store-contract', 'packages/store-contract'),
      onPostgres(testsOf('contract-postgres', postgresContract)),
      // `npm test` leaves these out, and the processes.
      onPostgres(project('store-postgres', 'packages/store-postgres', postgresContract)),
      project('http-adapter', 'packages/http-adapter', hostTypes),
      onPostgres(testsOf('host-types', hostTypes)),
      project('client', 'packages/client'),
      onPostgres(project('server', 'examples/server')),
      project('examples', 'examples/!(server|transactions)'),
      project('scripts', 'scripts'),
      onPostgres(project('testing-postgres', 'testing/postgres')),
      project('testing-profiles', 'testing/profiles'),
      onPostgres(project('clients', 'testing/clients')),
      onPostgres(project('releases', 'testing/releases')),
      project('authorization', 'testing/authorization'),
      {
        extends: true,
        // Some install what they start.
        test: { name: 'processes', include: [processTests], testTimeout: 300_000, globalSetup, expect },
      },
      // The compiler makes their assertions: there is nothing to run.
      { extends: true, test: { name: 'types', include: [typeTests] } },
    ],
  },
});
