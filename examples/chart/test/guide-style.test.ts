import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The variables that a stylesheet defines, with their values. */
const variablesOf = (path: string): ReadonlyMap<string, string> => {
  const css = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  return new Map(
    [...css.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
};

// TypeDoc copies one file, which cannot import another.
test('the guide has the colours of the chart', () => {
  const chart = variablesOf('examples/chart/src/style/base.css');
  const shared = [...variablesOf('site/style.css')].filter(([name]) => chart.has(name));
  expect(shared.map(([name]) => name)).toContain('--accent');
  expect(shared).toEqual(shared.map(([name]) => [name, chart.get(name)]));
});
