import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

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

/** Tests that start processes of ours or end servers, and others that take long. They take longer than all others together. */
const processTests = '**/*.process.test.ts';

const storePostgres = 'packages/store-postgres/test/**/*.test.ts';

/** Tests that run on the PostgreSQL server which is started for them, too. Types of a host do so with `STORES=all`. */
const postgresTests = [
  'testing/{clients,postgres,releases}/test/**/*.test.ts',
  ...(process.env.STORES === 'all' ? ['packages/http-adapter/test/host-types/*.test.ts'] : []),
];

/** A test without an assertion proves nothing, and one that waits for something must not depend on speed. */
const expect = { requireAssertions: true, poll: { timeout: 30_000 } };

const globalSetup = ['testing/postgres/global-setup.ts'];

type Group = {
  readonly include: string[];
  readonly exclude?: readonly string[];
  readonly globalSetup?: string[];
};

/** Tests whose files load the modules that they share once in each worker. So few groups take less time than many. */
const group = (name: string, { exclude = [], ...tests }: Group) => ({
  extends: true as const,
  test: {
    ...{ name, expect, ...tests },
    exclude: ['**/node_modules/**', 'examples/transactions/**', typeTests, processTests, ...exclude],
  },
});

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
      group('in-process', { include: ['**/test/**/*.test.ts'], exclude: [storePostgres, ...postgresTests] }),
      group('postgres', { include: postgresTests, globalSetup }),
      // `npm test` leaves these out, and the processes.
      group('store-postgres', { include: [storePostgres], globalSetup }),
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
