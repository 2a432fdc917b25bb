import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type { ChartSettings, DemoUser } from './src/settings.ts';

/** The scripts of the chart: the page, what it shares with the dialogs, and the dialogs, which are loaded once a chart is shown. */
export const scriptNames = ['chart.js', 'chunk.js', 'chart-dialog.js'] as const;

/** The chart as a browser loads it: its scripts by their names, and one style sheet. */
export type ChartBundle = {
  readonly scripts: Readonly<Record<(typeof scriptNames)[number], string>>;
  readonly style: string;
};

const sourcePathOf = (name: string): string => fileURLToPath(new URL(`src/${name}`, import.meta.url));

/**
 * Bundles the chart in memory, in a tenth of a second. So a fresh clone needs no build step, and a changed source is shown
 * after a restart.
 */
export const bundleChart = async (): Promise<ChartBundle> => {
  const { outputFiles } = await build({
    entryPoints: [
      { in: sourcePathOf('main.tsx'), out: 'chart' },
      { in: sourcePathOf('style/main.css'), out: 'chart' },
    ],
    outdir: '.',
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: '[name]',
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The root's configuration is for Node.
    tsconfigRaw: {},
    legalComments: 'none',
  });
  const outputText = (name: string): string =>
    outputFiles.find(({ path }) => path.endsWith(`/${name}`))?.text ?? '';
  const [page, shared, dialogs] = scriptNames;
  return {
    scripts: { [page]: outputText(page), [shared]: outputText(shared), [dialogs]: outputText(dialogs) },
    style: outputText('chart.css'),
  };
};
