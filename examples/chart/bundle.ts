import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type { ChartSettings, DemoUser } from './src/settings.ts';

/** The chart as a browser loads it: one script and one style sheet. */
export type ChartBundle = { readonly script: string; readonly style: string };

const sourcePathOf = (name: string): string => fileURLToPath(new URL(`src/${name}`, import.meta.url));

/**
 * Bundles the chart in memory, in a tenth of a second. So a fresh clone needs no build step, and a changed source is shown
 * after a restart.
 */
export const bundleChart = async (): Promise<ChartBundle> => {
  const { outputFiles } = await build({
    entryPoints: [sourcePathOf('main.tsx'), sourcePathOf('style/main.css')],
    outdir: '.',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The root's configuration is for Node.
    tsconfigRaw: {},
    legalComments: 'none',
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
};
