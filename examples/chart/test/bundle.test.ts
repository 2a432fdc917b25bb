import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleChart, scriptNames } from '../bundle.ts';

test('the chart is a small page, dialogs that follow it, and one style sheet, which load nothing else', async () => {
  const { scripts, style } = await bundleChart();
  const sizeOf = (...texts: readonly string[]) => gzipSync(texts.join('')).length;
  expect(sizeOf(scripts['chart.js'], scripts['chunk.js'], style)).toBeLessThan(42_500);
  expect(sizeOf(scripts['chart-dialog.js'])).toBeLessThan(14_000);
  expect(style).not.toMatch(/@import|url\(/);
  const code = Object.values(scripts).join('\n');
  expect(code).not.toMatch(/\beval\(|new Function/);
  const loaded = [...code.matchAll(/(?:\}from|^import|import\()"([^"]+)"/gm)].map(([, path = '']) => path);
  expect(new Set(loaded)).toEqual(new Set(scriptNames.slice(1).map((name) => `./${name}`)));
});
