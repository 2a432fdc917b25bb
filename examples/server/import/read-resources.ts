import { CommandError, unreadableError } from '../command/command-error.ts';
import type { SourceFile } from './find-sources.ts';
import { openTexts, type Text } from './open-texts.ts';

/** The JSON texts of files, one file after the other. Throws a `CommandError` if reading fails. */
export async function* readResources(
  sources: readonly SourceFile[],
  onBytes: (bytes: number) => void,
): AsyncIterable<Text> {
  for (const source of sources) {
    try {
      yield* await openTexts(source, onBytes);
    } catch (cause) {
      throw cause instanceof CommandError ? cause : unreadableError(source.path, cause);
    }
  }
}
