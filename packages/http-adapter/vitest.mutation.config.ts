import { defineConfig } from 'vitest/config';

/** The tests that hold the adapter to the interface; those of fuzzing take long, and look for other things. */
export default defineConfig({
  test: {
    include: ['test/interface/**/*.test.ts', 'test/*.test.ts', 'test/library/host-answers.test.ts'],
    bail: 1,
  },
});
