import { unwatchFile, watchFile } from 'node:fs';
import type { Log } from '../serve/log.ts';
import { createFindPrincipal, type FindPrincipal } from './grants.ts';
import { readTokens } from './tokens-file.ts';

/**
 * Reads the tokens of a file, and again within a second after it changes. If it is wrong then, the tokens that were
 * read before stay. Throws a `CommandError` if it is wrong at first.
 */
export const watchTokens = (
  file: string,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log['sentence'] },
): FindPrincipal => {
  let findPrincipal = createFindPrincipal(readTokens(file));
  const reload = () => {
    try {
      const grants = readTokens(file);
      findPrincipal = createFindPrincipal(grants);
      log(`the tokens of ${file} were read again: ${grants.length}`);
    } catch (cause) {
      log(`${(cause as Error).message}; those that were read before stay valid`, 'warn');
    }
  };
  watchFile(file, { interval: 1000, persistent: false }, reload);
  signal.addEventListener('abort', () => unwatchFile(file, reload));
  return (token) => findPrincipal(token);
};
