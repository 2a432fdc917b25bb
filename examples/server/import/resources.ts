import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Source } from './sources.ts';

/** The JSON texts of files, read as they are asked for: a line at a time where a resource is a line. */
export async function* resourcesOf(
  sources: readonly Source[],
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): AsyncIterable<string> {
  for (const { path, kind, bytes } of sources) {
    if (kind === 'json') {
      if (signal.aborted) return;
      yield await readFile(path, 'utf8');
      onBytes(bytes);
      continue;
    }
    const input = createReadStream(path).on('data', (chunk) => onBytes(chunk.length));
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (signal.aborted) return;
      yield line;
    }
  }
}
