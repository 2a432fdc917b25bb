import packageJson from '../../packages/http-adapter/package.json' with { type: 'json' };
import { endWithErrors } from './command-error.ts';
import { parseFlags } from './flags.ts';
import { help } from './help.ts';
import { createStopSignal } from './stop-signal.ts';

// A new file has charts, so no other user of this machine may read it.
process.umask(0o077);

await endWithErrors(async () => {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help || flags.version) {
    process.stdout.write(flags.help ? help : `${packageJson.version}\n`);
    return;
  }
  // Only now, so that help and a wrong flag do not wait until all modules are loaded.
  const { run } = await import('./run.ts');
  await run(flags, createStopSignal());
});
