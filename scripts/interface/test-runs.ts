import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** The result of a test, with its title and the titles that enclose it. */
export type TestRun = { readonly titles: readonly string[]; readonly passed: boolean };

/** The tests of each file, by its path from the root, and a digest of the file when they ran. */
export type TestRuns = Readonly<
  Record<string, { readonly digest: string; readonly tests: readonly TestRun[] }>
>;

const cacheFileIn = (root: string) => join(root, 'node_modules/.cache/test-runs.json');

export const digestOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

/** Reads the test results of each file from its last complete run. */
export const readTestRuns = (root: string): TestRuns =>
  existsSync(cacheFileIn(root)) ? JSON.parse(readFileSync(cacheFileIn(root), 'utf8')) : {};

const titlesOf = (test: TestCase): readonly string[] => {
  const titles = [test.name];
  for (let outer = test.parent; outer.type === 'suite'; outer = outer.parent) titles.unshift(outer.name);
  return titles;
};

const toTestRun = (test: TestCase): TestRun => ({
  titles: titlesOf(test),
  // A test that is expected to fail proves nothing.
  passed: test.result().state === 'passed' && test.options.fails !== true,
});

/**
 * A Vitest reporter that records which tests passed. The source does not show it, because a test can be commented out
 * or skipped, or another can be marked as the only one.
 */
export default class TestRunsReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { root, testNamePattern } = this.#vitest?.config ?? {};
    // A run of some tests of a file says nothing about the others.
    if (root === undefined || testNamePattern !== undefined) return;
    const runs = modules.map(({ moduleId, children }) => [
      relative(root, moduleId),
      { digest: digestOf(moduleId), tests: Array.from(children.allTests(), toTestRun) },
    ]);
    mkdirSync(dirname(cacheFileIn(root)), { recursive: true });
    writeFileSync(cacheFileIn(root), JSON.stringify({ ...readTestRuns(root), ...Object.fromEntries(runs) }));
  }
}
