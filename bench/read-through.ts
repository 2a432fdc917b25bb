import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Reads a file once, so that the operating system has it in memory, and no round includes reading the disk. */
export const readThrough = (file: string): Promise<void> =>
  pipeline(
    createReadStream(file, { highWaterMark: 1024 * 1024 }),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  );
