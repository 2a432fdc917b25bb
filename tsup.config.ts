import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** The package that is built: tsup runs in its folder. */
const { exports, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));

/** In CommonJS, tsup writes source maps with absolute paths, which name the folder of the building machine. */
const relativeSourceMaps: NonNullable<Options['plugins']>[number] = {
  name: 'relative-source-maps',
  buildEnd: ({ writtenFiles }) => {
    for (const { name } of writtenFiles.filter(({ name }) => name.endsWith('.cjs.map'))) {
      const folder = dirname(resolve(name));
      const map = JSON.parse(readFileSync(name, 'utf8'));
      const sources = map.sources.map((source: string) => relative(folder, resolve(folder, source)));
      writeFileSync(name, JSON.stringify({ ...map, file: basename(map.file), sources }));
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
  plugins: [relativeSourceMaps],
  target: 'node22',
});
