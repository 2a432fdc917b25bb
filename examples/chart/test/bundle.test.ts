import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleChart } from '../bundle.ts';

test('the chart is one small script and one style sheet, which load nothing', async () => {
  const { script, style } = await bundleChart();
  expect(gzipSync(script + style).length).toBeLessThan(42_500);
  expect(style).not.toMatch(/@import|url\(/);
  expect(script).not.toMatch(/^import|\beval\(|new Function/);
});
