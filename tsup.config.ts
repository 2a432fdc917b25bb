import { readFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { withPureConstants } from './scripts/packages/with-pure-constants.ts';

/** The package that is built: tsup runs in its folder. */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

/** No constant of a module does anything but make its value. So a bundle of one rule has no schemas in it. */
const pureConstants: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'pure-constants',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: withPureConstants(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

export default defineConfig({
  entry: Object.values<string>(exports),
  format: 'esm',
  // The members of a union are in the same order, whichever file is read first: so a package is made of the same bytes again.
  dts: { compilerOptions: { stableTypeOrdering: true } },
  // Each class is there once, whichever entry point hands it out.
  splitting: true,
  clean: true,
  // Bundlers for other runtimes know a module of Node by its `node:`.
  removeNodeProtocol: false,
  // There are no source maps: the code is as readable as its source, and names the file of each part.
  esbuildPlugins: [pureConstants],
  target: 'node22',
});
