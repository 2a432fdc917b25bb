import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';

/** The package that is built: tsup runs in its folder. */
const { exports, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));

/** In CommonJS, tsup's maps have absolute paths of the building machine, and the code is as readable as its source. */
const noCommonJsMaps: NonNullable<Options['plugins']>[number] = {
  name: 'no-commonjs-maps',
  buildEnd: ({ writtenFiles }) => {
    for (const { name } of writtenFiles.filter(({ name }) => name.endsWith('.cjs.map'))) {
      const file = name.slice(0, -'.map'.length);
      rmSync(name);
      writeFileSync(file, readFileSync(file, 'utf8').replace(/\/\/# sourceMappingURL=.*\s*$/, ''));
    }
  },
};

export default defineConfig({
  entry: Object.values<string>(exports),
  format: 'require' in publishConfig.exports['.'] ? ['esm', 'cjs'] : ['esm'],
  dts: true,
  // Each class is there once, whichever entry point hands it out, and in CommonJS, too.
  splitting: true,
  clean: true,
  // In CommonJS, `import.meta.url` is the URL of the file all the same.
  shims: true,
  sourcemap: true,
  // A map names the file and the line in the repository. With the sources, it would be most of the package.
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
  plugins: [noCommonJsMaps],
  target: 'node22',
});
