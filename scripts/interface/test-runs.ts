import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** What became of a test, under the titles that lead to it: those of what it stands in, and its own. */
export type TestRun = { readonly titles: readonly string[]; readonly passed: boolean };

/** The tests of each file, by its path from the root, and what the file was when they ran. */
export type TestRuns = Readonly<
  Record<string, { readonly digest: string; readonly tests: readonly TestRun[] }>
>;

const cacheFileIn = (root: string) => join(root, 'node_modules/.cache/test-runs.json');

export const digestOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

/** What became of the tests of each file when it was last run whole. */
export const readTestRuns = (root: string): TestRuns =>
  existsSync(cacheFileIn(root)) ? JSON.parse(readFileSync(cacheFileIn(root), 'utf8')) : {};

const titlesOf = (test: TestCase): readonly string[] => {
  const titles = [test.name];
  for (let outer = test.parent; outer.type === 'suite'; outer = outer.parent) titles.unshift(outer.name);
  return titles;
};

const toTestRun = (test: TestCase): TestRun => ({
  titles: titlesOf(test),
  // A test that is marked as one that fails proves nothing by that.
  passed: test.result().state === 'passed' && test.options.fails !== true,
});

/**
 * A reporter of Vitest that writes down which tests passed. A title in a source does not show it: its test may be commented
 * out, or skipped, or another may be marked as the only one.
 */
export default class TestRunsReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { root, testNamePattern } = this.#vitest?.config ?? {};
    // A run of some tests of a file says nothing of the others.
    if (root === undefined || testNamePattern !== undefined) return;
    const runs = modules.map(({ moduleId, children }) => [
      relative(root, moduleId),
      { digest: digestOf(moduleId), tests: Array.from(children.allTests(), toTestRun) },
    ]);
    mkdirSync(dirname(cacheFileIn(root)), { recursive: true });
    writeFileSync(cacheFileIn(root), JSON.stringify({ ...readTestRuns(root), ...Object.fromEntries(runs) }));
  }
}
