import { endWithErrors } from './command-error.ts';
import { help, parseFlags } from './flags.ts';
import { run } from './run.ts';
import { createStopSignal } from './stop-signal.ts';

// A new file has charts, so no other user of this machine may read it.
process.umask(0o077);

await endWithErrors(async () => {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) process.stdout.write(help);
  else await run(flags, createStopSignal());
});
