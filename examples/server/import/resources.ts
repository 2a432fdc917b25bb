import { basename } from 'node:path';
import { Refusal, unreadable } from '../refusal.ts';
import type { Source } from './sources.ts';
import { openTexts, type Text } from './texts.ts';

/** The JSON texts in files, one file after the other. */
export type Resources = {
  /** Throws a `Refusal` where reading fails. */
  readonly texts: AsyncIterable<Text>;
  /** Where a text stands that was read, by its number, counted from 1: the file, and the line where it has lines. */
  readonly placeOf: (item: number) => string;
};

export const resourcesOf = (sources: readonly Source[], onBytes: (bytes: number) => void): Resources => {
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
        throw cause instanceof Refusal ? cause : unreadable(source.path, cause);
      }
    }
  }
  return {
    texts: allTexts(),
    placeOf: (item) => {
      const file = begun.findLast(({ before }) => before < item);
      if (file === undefined) return '';
      return file.hasLines ? `${file.name}:${item - file.before}` : file.name;
    },
  };
};
