import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ndjson } from '@clinical-records/core';
import {
  type LocatedItem,
  locateItem,
  type SourcePlace,
  type UnreadableText,
  unreadableText,
} from '@clinical-records/core/adapter';
import type { SourceFile } from './find-sources.ts';

/** A JSON text and its place, or the reason why it cannot be read. */
export type Text = LocatedItem<string | UnreadableText>;

/** Is called with the number of bytes that were read from the disk. */
type OnBytes = (bytes: number) => void;

async function* countBytes(pieces: AsyncIterable<Buffer>, onBytes: OnBytes): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}

const readBytes = ({ path, isCompressed }: SourceFile, onBytes: OnBytes): AsyncIterable<Buffer> => {
  const file = countBytes(createReadStream(path), onBytes);
  // An error before the last stream also fails the last stream, which is the one that is read.
  return isCompressed ? pipeline(Readable.from(file), createGunzip(), () => {}) : file;
};

/** The errors of zlib have codes of their own. In a damaged file, everything before the damage is read. */
const isZlibDamage = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');

/** The texts up to the damage of their file, which is reported at the next place. */
async function* untilDamage(texts: AsyncIterable<Text>, first: SourcePlace): AsyncIterable<Text> {
  let next = first;
  try {
    for await (const text of texts) {
      yield text;
      if (text.line !== undefined) next = { ...first, line: text.line + 1 };
    }
  } catch (cause) {
    if (!isZlibDamage(cause)) throw cause;
    yield locateItem(unreadableText('damaged'), next);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The most bytes of a file that is read as one text. It is also the longest line. A compressed file can be a thousandth of its text,
 * and a text is in memory as a whole, several times over.
 */
const maxBytes = 64 * 1024 * 1024;

/** Reads a file as one text. */
const readWhole = async (bytes: AsyncIterable<Buffer>): Promise<string | UnreadableText> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) return unreadableText('too-long');
  }
  const all = Buffer.concat(pieces, length);
  try {
    return utf8.decode(all);
  } catch {
    return unreadableText('invalid-utf-8');
  }
};

async function* wholeText(bytes: AsyncIterable<Buffer>, file: string): AsyncIterable<Text> {
  yield locateItem(await readWhole(bytes), { file });
}

const isJson = ({ item }: Text): boolean => {
  if (typeof item !== 'string') return false;
  try {
    JSON.parse(item);
    return true;
  } catch {
    return false;
  }
};

const isBlank = ({ item }: Text): boolean => typeof item === 'string' && item.trim() === '';

/**
 * Whether a file that should have a resource on each line is one JSON text over many lines. Then its first line is not
 * valid JSON.
 */
const isOneText = async (source: SourceFile, file: string): Promise<boolean> => {
  const bytes = () => readBytes(source, () => {});
  for await (const line of untilDamage(ndjson(bytes()), { file })) {
    if (isBlank(line)) continue;
    if (typeof line.item !== 'string' || isJson(line)) return false;
    for await (const text of untilDamage(wholeText(bytes(), file), { file })) return isJson(text);
  }
  return false;
};

/** Opens a file and reads its texts on demand. */
export const openTexts = async (source: SourceFile, onBytes: OnBytes): Promise<AsyncIterable<Text>> => {
  const file = basename(source.path);
  const hasLines = source.format === 'ndjson' && !(await isOneText(source, file));
  const bytes = readBytes(source, onBytes);
  return hasLines
    ? untilDamage(ndjson(bytes, { file, longestLine: maxBytes }), { file, line: 1 })
    : untilDamage(wholeText(bytes, file), { file });
};
