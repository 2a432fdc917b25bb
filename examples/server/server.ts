import packageJson from '../../packages/http-adapter/package.json' with { type: 'json' };
import { endWithErrors } from './command/command-error.ts';
import { parseFlags } from './command/flags.ts';
import { createStopSignal } from './command/stop-signal.ts';
import { help } from './help.ts';

// A new file has charts, so no other user of this machine may read it.
process.umask(0o077);

await endWithErrors(async () => {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help || flags.version) {
    process.stdout.write(flags.help ? help : `${packageJson.version}\n`);
    return;
  }
  // Only now, so that help and a wrong flag do not wait until all modules are loaded.
  const { run } = await import('./command/run.ts');
  await run(flags, createStopSignal());
});
