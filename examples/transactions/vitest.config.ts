import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const setup = new URL('../../testing/postgres/global-setup.ts', import.meta.url);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [fileURLToPath(setup)],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    expect: { requireAssertions: true },
  },
});
