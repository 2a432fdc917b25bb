import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ndjson, type UnreadableText, unreadableText } from '@clinical-records/core';
import type { SourceFile } from './find-sources.ts';

/** A JSON text of a file, or the reason why it cannot be read. */
export type Text = string | UnreadableText;

/** The texts of a file, read on demand; `hasLines` says whether each text is a line. */
export type Texts = { readonly hasLines: boolean; readonly texts: AsyncIterable<Text> };

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

async function* untilDamage(texts: AsyncIterable<Text>): AsyncIterable<Text> {
  try {
    yield* texts;
  } catch (cause) {
    if (!isZlibDamage(cause)) throw cause;
    yield unreadableText('damaged');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a file as one text, of at most `most` bytes. */
async function* readWhole(bytes: AsyncIterable<Buffer>, most: number): AsyncIterable<Text> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length > most) {
      yield unreadableText('too-long');
      return;
    }
  }
  const all = Buffer.concat(pieces, length);
  try {
    yield utf8.decode(all);
  } catch {
    yield unreadableText('no-utf-8');
  }
}

/** The largest file with lines that is tried as one text. */
const maxProbeBytes = 64 * 1024 * 1024;

const isJson = (text: Text): boolean => {
  if (typeof text !== 'string') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Whether a file that should have a resource on each line is one JSON text over many lines. Then its first line is not
 * valid JSON.
 */
const isOneText = async (source: SourceFile): Promise<boolean> => {
  const bytes = () => readBytes(source, () => {});
  for await (const line of untilDamage(ndjson(bytes()))) {
    if (typeof line === 'string' && line.trim() === '') continue;
    if (typeof line !== 'string' || isJson(line)) return false;
    for await (const text of untilDamage(readWhole(bytes(), maxProbeBytes))) return isJson(text);
  }
  return false;
};

/** Opens a file and reads its texts. */
export const openTexts = async (source: SourceFile, onBytes: OnBytes): Promise<Texts> => {
  const hasLines = source.format === 'ndjson' && !(await isOneText(source));
  const bytes = readBytes(source, onBytes);
  const texts = hasLines ? ndjson(bytes) : readWhole(bytes, constants.MAX_STRING_LENGTH);
  return { hasLines, texts: untilDamage(texts) };
};
