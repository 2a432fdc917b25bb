import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, storeFailure } from '../errors.ts';
import { pause } from '../store/turns.ts';
import type { ImportDefinitions } from './import-definition.ts';
import type { ReportBuilder } from './import-report.ts';
import type { ImportCallbacks, LoadBatches } from './importer.ts';
import { findOtherVersion } from './other-formats.ts';
import type { PeopleOfLoad } from './people-of-load.ts';
import {
  createUnpacker,
  type LocatedItem,
  locateItem,
  type UnpackedResource,
  type UnreadableText,
  unreadableText,
} from './unpacker.ts';

type Piece = string | Uint8Array;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const isTexts = (pieces: readonly Piece[]): pieces is readonly string[] =>
  pieces.every((piece) => typeof piece === 'string');

const joinBytes = (pieces: readonly Piece[]): Uint8Array => {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece));
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
};

/** Joins the pieces of a line before it decodes them, because a piece may end within a character. */
const decodeLine = (pieces: readonly Piece[]): string | UnreadableText => {
  if (isTexts(pieces)) return pieces.join('');
  try {
    return utf8.decode(joinBytes(pieces));
  } catch {
    return unreadableText('invalid-utf-8');
  }
};

/** Whether the first line of a file begins a JSON text that goes on below it. */
const isBeginOfJson = (text: string | UnreadableText): boolean =>
  typeof text === 'string' && /^\uFEFF?\s*[{[]\s*$/.test(text);

/** The default for the most bytes or characters of a line. A Bundle of a whole patient has fewer. */
const usualLimit = 64 * 1024 * 1024;

/** The options of `ndjson`. */
export type NdjsonOptions = {
  /** The most bytes or characters of a line; 64 MiB by default. */
  readonly longestLine?: number;
  /** The name of the file, for the issues of its resources. */
  readonly file?: string;
};

/**
 * Splits NDJSON from a file or a download into lines. It arrives in pieces, as text or as bytes in UTF-8.
 * Only a line feed ends a line, because a JSON text may contain the separators U+2028 and U+2029.
 * Each line is an item with its number and the name of the file. A line that is not valid UTF-8, or has more than `longestLine`
 * bytes or characters, is an `UnreadableText`. A load reports it and continues. Of JSON over several lines, which is not NDJSON, the
 * first line is one, and the rest is not read.
 *
 * @example
 * await records.importer.load(ndjson(createReadStream('Patient.ndjson'), { file: 'Patient.ndjson' }));
 */
export async function* ndjson(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  { longestLine = usualLimit, file }: NdjsonOptions = {},
): AsyncGenerator<LocatedItem<string | UnreadableText>, void> {
  let number = 0;
  let line: Piece[] = [];
  let length = 0;

  const add = (piece: Piece): void => {
    length += piece.length;
    if (length > longestLine) line = [];
    else if (piece.length > 0) line.push(piece);
  };
  const locate = (text: string | UnreadableText): LocatedItem<string | UnreadableText> =>
    locateItem(text, { line: number, ...(file !== undefined && { file }) });
  const readLine = (): string | UnreadableText => {
    const text = length > longestLine ? unreadableText('too-long') : decodeLine(line);
    line = [];
    length = 0;
    number += 1;
    return text;
  };

  for await (const piece of pieces) {
    let begin = 0;
    const nextEnd = () => (typeof piece === 'string' ? piece.indexOf('\n', begin) : piece.indexOf(10, begin));
    for (let end = nextEnd(); end !== -1; end = nextEnd()) {
      add(typeof piece === 'string' ? piece.slice(begin, end) : piece.subarray(begin, end));
      const text = readLine();
      if (number === 1 && isBeginOfJson(text)) {
        yield locate(unreadableText('json-of-several-lines'));
        return;
      }
      yield locate(text);
      begin = end + 1;
    }
    // The remaining bytes are copied, because the sender may write the next bytes into the same buffer.
    add(typeof piece === 'string' ? piece.slice(begin) : new Uint8Array(piece.subarray(begin)));
  }
  yield locate(readLine());
}

/** The source of the resources of a load. */
export type ImportSource = AsyncIterable<unknown> | Iterable<unknown>;

/** Whether a value is a source of resources. Plain JavaScript may pass one resource, or a promise. */
export const isImportSource = (value: unknown): value is ImportSource =>
  typeof value === 'string' ||
  (typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value));

/** Treats a text, or bytes, as one item, because they iterate over characters and numbers. */
const toItems = (source: ImportSource): ImportSource =>
  typeof source === 'string' || ArrayBuffer.isView(source) ? [source] : source;

/** Yields the resources of a source. If the source fails, its error is the last. */
async function* readResources(
  source: ImportSource,
): AsyncGenerator<E.Either<ClinicalError, UnpackedResource>, void> {
  const unpack = createUnpacker();
  let number = 0;
  try {
    for await (const item of toItems(source)) {
      number += 1;
      for (const resource of unpack(item, number)) yield E.right(resource);
    }
  } catch (cause) {
    yield E.left(storeFailure('source-failed', cause));
  }
}

/** The load yields after this many resources. A store may never yield, and resources that are not imported do not call it. */
const resourcesPerTurn = 1_000;

/**
 * The first pass of a load: reads the source, and imports all resources that need not wait for others. If the source
 * fails, the resources before it are imported.
 */
export const importSource = async (
  source: ImportSource,
  {
    imports,
    people,
    batches,
    report,
    callbacks,
  }: {
    readonly imports: ImportDefinitions;
    readonly people: PeopleOfLoad;
    readonly batches: LoadBatches;
    readonly report: ReportBuilder;
    readonly callbacks: ImportCallbacks;
  },
): Promise<E.Either<ClinicalError, void>> => {
  const pass = { isLastPass: false };
  for await (const read of readResources(source)) {
    if (E.isLeft(read)) {
      const imported = await batches.importRest(pass);
      return E.isLeft(imported) ? imported : read;
    }
    if (report.countRead() % resourcesPerTurn === 0) await pause();
    const { right: resource } = read;
    const { type, issue } = resource;
    const isSupported = imports.has(type);
    if (issue === null) people.add(resource);
    if (issue !== null && (isSupported || type === '' || type === 'Bundle')) {
      report.addIssues(resource, 'rejected', [issue]);
      const reported = callbacks.checkFailure();
      if (E.isLeft(reported)) return reported;
    } else if (isSupported) {
      const added = await batches.add(resource, pass);
      if (E.isLeft(added)) return added;
    } else {
      report.count('unsupported', type);
      report.addIssues(resource, 'rejected', findOtherVersion(imports, type, resource.content));
    }
  }
  return batches.importRest(pass);
};
