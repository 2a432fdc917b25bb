import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** The package that is built: tsup runs in its folder. */
const { exports, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8'));

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
  target: 'node22',
});
