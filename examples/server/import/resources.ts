import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ndjson } from '@clinical-records/core';
import { unreadable } from '../refusal.ts';
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

/** The JSON texts in files, one file after the other, until the signal comes. Throws a `Refusal` where reading fails. */
export async function* resourcesOf(
  sources: readonly Source[],
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: OnBytes },
): AsyncIterable<string> {
  for (const source of sources) {
    try {
      for await (const text of textsIn(source, onBytes)) {
        if (signal.aborted) return;
        yield text;
      }
    } catch (cause) {
      throw unreadable(source.path, cause);
    }
  }
}
