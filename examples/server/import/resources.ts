import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ndjson } from '@clinical-records/core';
import { Refusal, unreadable } from '../refusal.ts';
import type { Source } from './sources.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type OnBytes = (bytes: number) => void;

async function* counted(pieces: AsyncIterable<Buffer>, onBytes: OnBytes): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}

/** The JSON texts in a file, read as they are asked for: a line at a time where a resource is a line. */
async function* textsIn({ path, kind, bytes }: Source, onBytes: OnBytes): AsyncIterable<string> {
  if (kind === 'json') {
    yield utf8.decode(await readFile(path));
    onBytes(bytes);
    return;
  }
  yield* ndjson(counted(createReadStream(path), onBytes));
}

/** The JSON texts in files, one file after the other. */
export type Resources = {
  /** Throws a `Refusal` where reading fails. */
  readonly texts: AsyncIterable<string>;
  /** Where a text stands that was read, by its number, counted from 1: the file, and the line where it has lines. */
  readonly placeOf: (item: number) => string;
};

export const resourcesOf = (sources: readonly Source[], onBytes: OnBytes): Resources => {
  const begun: { readonly source: Source; readonly before: number }[] = [];
  let read = 0;
  async function* texts(): AsyncIterable<string> {
    for (const source of sources) {
      begun.push({ source, before: read });
      try {
        for await (const text of textsIn(source, onBytes)) {
          read += 1;
          yield text;
        }
      } catch (cause) {
        throw cause instanceof Refusal ? cause : unreadable(source.path, cause);
      }
    }
  }
  return {
    texts: texts(),
    placeOf: (item) => {
      const file = begun.findLast(({ before }) => before < item);
      if (file === undefined) return '';
      const name = basename(file.source.path);
      return file.source.kind === 'json' ? name : `${name}:${item - file.before}`;
    },
  };
};
