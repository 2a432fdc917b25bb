import { basename } from 'node:path';
import { CommandError, unreadableError } from '../command-error.ts';
import type { SourceFile } from './find-sources.ts';
import { openTexts, type Text } from './open-texts.ts';

/** The JSON texts of files, one file after the other. */
export type ResourceTexts = {
  /** Throws a `CommandError` if reading fails. */
  readonly texts: AsyncIterable<Text>;
  /** The file and line of a text by its number, counted from 1. A file without lines has only its name. */
  readonly locationOf: (item: number) => string;
};

export const readResources = (
  sources: readonly SourceFile[],
  onBytes: (bytes: number) => void,
): ResourceTexts => {
  const begun: { readonly name: string; readonly hasLines: boolean; readonly before: number }[] = [];
  let read = 0;
  async function* allTexts(): AsyncIterable<Text> {
    for (const source of sources) {
      try {
        const { hasLines, texts } = await openTexts(source, onBytes);
        begun.push({ name: basename(source.path), hasLines, before: read });
        for await (const text of texts) {
          read += 1;
          yield text;
        }
      } catch (cause) {
        throw cause instanceof CommandError ? cause : unreadableError(source.path, cause);
      }
    }
  }
  return {
    texts: allTexts(),
    locationOf: (item) => {
      const file = begun.findLast(({ before }) => before < item);
      if (file === undefined) return '';
      return file.hasLines ? `${file.name}:${item - file.before}` : file.name;
    },
  };
};
