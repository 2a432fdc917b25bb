import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const folder = fileURLToPath(new URL('packages/', import.meta.url));

/** The tests that hold the services and the adapter to the interface, on the memory store; those of fuzzing look for other things. */
export default defineConfig({
  // Otherwise the tests of a copy would run what the copy was made of.
  resolve: {
    alias: [
      {
        find: /^@clinical-records\/core\/(adapter|define-resource|fp-ts|rules|store|testing)$/,
        replacement: `${folder}core/src/$1.ts`,
      },
      {
        find: /^@clinical-records\/(core|store-memory|store-sqlite)$/,
        replacement: `${folder}$1/src/index.ts`,
      },
    ],
  },
  test: {
    include: [
      'packages/core/test/{,!(types)/}*.test.ts',
      'packages/http-adapter/test/{,{audit,bindings,documents,events,export,interface,library,limits}/**/}*.test.ts',
    ],
    testNamePattern: String.raw`^(?!.*\(sqlite\))`,
    testTimeout: 60_000,
    isolate: false,
    bail: 1,
  },
});
