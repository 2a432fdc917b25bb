import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** The violations that axe-core finds in a page, by all of its rules. */
export const findViolations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate('axe.run().then((result) => result.violations)')) as Violation[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
};
