import { openSqliteStore } from '../../src/index.ts';

// A process that opens new files, each at a moment that is the same for every process.
const [start = '', ...filenames] = process.argv.slice(2);
const between = 30;
let opened = 0;
for (const [at, filename] of filenames.entries()) {
  while (Date.now() < Number(start) + at * between);
  const store = openSqliteStore({ filename });
  await store.close();
  opened += 1;
}
process.stdout.write(`${opened} opened`);
