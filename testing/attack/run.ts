import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The attacks to run: those named on the command line, or all files of this folder. */
const named = process.argv.slice(2);
const here = readdirSync(new URL('.', import.meta.url)).filter(
  (file) => file.endsWith('.ts') && file !== 'run.ts',
);
const attacks = named.length > 0 ? named.map((name) => `${name}.ts`) : here;

const failed = attacks.filter((file) => {
  console.log(`\n# ${file.replace(/\.ts$/, '')}`);
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    stdio: 'inherit',
  });
  return status !== 0;
});

console.log(
  `\n${attacks.length - failed.length} of ${attacks.length} attacks found every promise kept${failed.length > 0 ? `; not ${failed.join(', ')}` : ''}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
