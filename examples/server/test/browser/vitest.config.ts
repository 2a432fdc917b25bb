import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['examples/server/test/browser/*.browser.ts'],
    globalSetup: ['examples/server/test/browser/install-chromium.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
