import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.browser.ts'],
    globalSetup: ['./tools/install-chromium.ts'],
    // Each waits for its server and its page most of the time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test depends on speed.
    expect: { poll: { timeout: 30_000 } },
  },
});
